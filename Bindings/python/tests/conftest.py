"""Failed assertions in the modules beside the tests say what was compared, as in the tests themselves."""

import pytest

pytest.register_assert_rewrite(
    "machine_base", "machine_edits", "machine_views", "model", "vector_store", "vector_views"
)
