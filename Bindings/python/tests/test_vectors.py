"""The scenarios that every language runs."""

import pathlib

import pytest
from vector_runner import Runner
from vector_words import scenarios

FILES = sorted((pathlib.Path(__file__).parents[3] / "Tests/vectors").glob("*.steps"))
CASES = [(path.name, name, steps) for path in FILES for name, steps in scenarios(path.read_text("ascii"))]


def test_there_are_enough():
    assert len(CASES) >= 60


@pytest.mark.parametrize("file, name, steps", CASES, ids=[f"{file}:{name}" for file, name, _ in CASES])
def test_scenario(file, name, steps):
    runner = Runner()
    for number, words, given, expected in steps:
        assert runner.run(words, given) == expected, f"{file}:{number}: {' '.join(words)}"
