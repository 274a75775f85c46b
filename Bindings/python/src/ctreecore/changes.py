"""Changes as objects: batches in old and new numbers, splices and steps."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from ._ctreecore import ffi
from .types import Splice


class Range(NamedTuple):
    """Consecutive rows or sections."""

    first: int
    count: int  # type: ignore[assignment]


class Run(NamedTuple):
    """Rows or sections that stay together, in old and in new numbers."""

    from_: int
    to: int
    count: int  # type: ignore[assignment]


class PathRange(NamedTuple):
    """Consecutive rows of one section."""

    section: int
    first: int
    count: int  # type: ignore[assignment]


class PathRun(NamedTuple):
    """Rows of one section that stay together, in old and in new numbers."""

    from_section: int
    from_: int
    to_section: int
    to: int
    count: int  # type: ignore[assignment]


@dataclass(slots=True)
class Batch:
    """All change of a list of rows: structure first, then changed rows, in an update of their own."""

    reload: bool
    """Load the table anew: there was nothing to compare with, or too much change. All lists are empty then."""
    old_count: int = 0
    new_count: int = 0
    deletes: list[Range] = field(default_factory=list)
    inserts: list[Range] = field(default_factory=list)
    moves: list[Run] = field(default_factory=list)
    changes: list[Run] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.reload or self.deletes or self.inserts or self.moves or self.changes)


@dataclass(slots=True)
class SectionBatch:
    """All change of sections and of the rows in them."""

    reload: bool
    old_section_count: int = 0
    new_section_count: int = 0
    old_count: int = 0
    new_count: int = 0
    section_deletes: list[Range] = field(default_factory=list)
    section_inserts: list[Range] = field(default_factory=list)
    section_moves: list[Run] = field(default_factory=list)
    section_changes: list[Run] = field(default_factory=list)
    deletes: list[PathRange] = field(default_factory=list)
    inserts: list[PathRange] = field(default_factory=list)
    moves: list[PathRun] = field(default_factory=list)
    changes: list[PathRun] = field(default_factory=list)


class Step(NamedTuple):
    """One step in the row numbers of its moment. `kind` is "delete", "move" or "insert"."""

    kind: str
    from_: int
    to: int
    count: int  # type: ignore[assignment]


@dataclass(slots=True)
class Splices:
    """Splices in the order in which they apply."""

    reload: bool
    old_count: int = 0
    new_count: int = 0
    splices: list[Splice] = field(default_factory=list)


@dataclass(slots=True)
class Steps:
    """Steps in the order in which they apply."""

    reload: bool
    old_count: int = 0
    new_count: int = 0
    steps: list[Step] = field(default_factory=list)


_T = TypeVar("_T")
_KINDS = ("delete", "move", "insert")


def _records(pointer: Any, count: int, kind: Any) -> list[Any]:
    """An array of structs that are all uint32_t, as named tuples."""
    if count == 0:
        return []
    words = struct.Struct("=" + "I" * len(kind._fields))
    return list(map(kind._make, words.iter_unpack(ffi.buffer(pointer, count * words.size))))


def batch_of(b: Any) -> Batch:
    """The lent batch as a value of its own."""
    if b.reload:
        return Batch(True)
    return Batch(
        False,
        b.old_count,
        b.new_count,
        _records(b.deletes, b.delete_count, Range),
        _records(b.inserts, b.insert_count, Range),
        _records(b.moves, b.move_count, Run),
        _records(b.changes, b.change_count, Run),
    )


def section_batch_of(b: Any) -> SectionBatch:
    """The lent batch as a value of its own."""
    if b.reload:
        return SectionBatch(True)
    return SectionBatch(
        False,
        b.old_section_count,
        b.new_section_count,
        b.old_count,
        b.new_count,
        _records(b.section_deletes, b.section_delete_count, Range),
        _records(b.section_inserts, b.section_insert_count, Range),
        _records(b.section_moves, b.section_move_count, Run),
        _records(b.section_changes, b.section_change_count, Run),
        _records(b.deletes, b.delete_count, PathRange),
        _records(b.inserts, b.insert_count, PathRange),
        _records(b.moves, b.move_count, PathRun),
        _records(b.changes, b.change_count, PathRun),
    )


def splices_of(s: Any) -> Splices:
    """The lent splices as a value of their own."""
    if s.reload:
        return Splices(True)
    return Splices(False, s.old_count, s.new_count, _records(s.splices, s.splice_count, Splice))


def steps_of(s: Any) -> Steps:
    """The lent steps as a value of their own."""
    if s.reload:
        return Steps(True)
    steps = [step._replace(kind=_KINDS[step.kind]) for step in _records(s.steps, s.step_count, Step)]
    return Steps(False, s.old_count, s.new_count, steps)


def apply(batch: Batch, old: Iterable[_T], new: Iterable[_T]) -> list[_T]:
    """What a table that shows `old` shows after the batch, with inserted rows taken from `new`."""
    rows, target = list(old), list(new)
    if batch.reload:
        return target
    out: list[Any] = [None] * batch.new_count
    taken = [False] * batch.new_count
    gone = [False] * len(rows)
    for first, count in batch.deletes:
        gone[first : first + count] = [True] * count
    for first, count in batch.inserts:
        out[first : first + count] = target[first : first + count]
        taken[first : first + count] = [True] * count
    for from_, to, count in batch.moves:
        out[to : to + count] = rows[from_ : from_ + count]
        taken[to : to + count] = [True] * count
        gone[from_ : from_ + count] = [True] * count
    places = (i for i in range(batch.new_count) if not taken[i])
    for place, at in zip(places, (i for i in range(len(rows)) if not gone[i]), strict=True):
        out[place] = rows[at]
    return out
