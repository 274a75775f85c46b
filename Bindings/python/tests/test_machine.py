"""Random programs of everything that a tree and its views can do, against the plain model, through the package alone.

CTREE_EXAMPLES is how many programs are tried (2,000 for the full run: make bindings EXAMPLES=2000).
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from machine_edits import Edits
from machine_views import Views

EXAMPLES = int(os.environ.get("CTREE_EXAMPLES", "60"))
# Shrinking a failure takes minutes: CTREE_SHRINK=0 shows it as it was found.
PHASES = [phase for phase in Phase if phase != Phase.shrink or os.environ.get("CTREE_SHRINK") != "0"]


class Machine(Edits, Views):
    """All of it."""


def test_there_are_enough_operations():
    operations = [name for name in dir(Machine) if hasattr(getattr(Machine, name), "hypothesis_stateful_rule")]
    assert len(operations) >= 30


def test_random_programs():
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=50,
            deadline=None,
            database=None,
            print_blob=True,
            report_multiple_bugs=False,
            phases=PHASES,
            suppress_health_check=list(HealthCheck),
        ),
    )
