"""Runs the scenarios of Tests/vectors; their README is the format."""

from vector_store import StoreSteps
from vector_views import ViewSteps


class Runner(StoreSteps, ViewSteps):
    """One scenario."""
