"""What can go wrong, as exceptions: one class for each status of the C library."""

from __future__ import annotations

import enum
from typing import NamedTuple

from ._ctreecore import ffi, lib


class Status(enum.IntEnum):
    """The status numbers of the C library; they never change."""

    OK = 0
    NO_MEMORY = 1
    INVALID = 2
    STALE = 3
    RANGE = 4
    DUPLICATE = 5
    LIMIT = 6
    LEAF = 7
    CYCLE = 8
    BUSY = 9
    CLOSED = 10
    CANCELLED = 11
    SUPERSEDED = 12
    NOT_FOUND = 13
    LOADING = 14
    CORRUPT = 15


class Fault(NamedTuple):
    """Where the fault lies when a call over many items fails."""

    item: int | None
    """The position of the item at fault in the input."""
    other_item: int | None
    """Of a duplicate within the input: the earlier item."""
    node: int
    """The node that is in the way, or 0."""


class CTreeError(Exception):
    """A call that failed; the tree and its views are as they were before it."""

    status = Status.OK

    def __init__(self, message: str | None = None, fault: Fault | None = None) -> None:
        name = ffi.string(lib.ctree_status_name(int(self.status))).decode()
        super().__init__(message or name)
        self.fault = fault


class NoMemoryError(CTreeError, MemoryError):
    """There was no memory."""

    status = Status.NO_MEMORY


class InvalidError(CTreeError, ValueError):
    """An argument that no call could take."""

    status = Status.INVALID


class StaleError(CTreeError, LookupError):
    """The handle names no living node."""

    status = Status.STALE


class OutOfRangeError(CTreeError, IndexError):
    """A position, row or count beyond the end."""

    status = Status.RANGE


class DuplicateError(CTreeError, ValueError):
    """The identifier is in use, or stands twice in one list."""

    status = Status.DUPLICATE


class LimitError(CTreeError):
    """A limit was reached."""

    status = Status.LIMIT


class LeafError(CTreeError):
    """A leaf cannot be opened or loaded."""

    status = Status.LEAF


class CycleError(CTreeError, ValueError):
    """The node would come to stand below itself."""

    status = Status.CYCLE


class BusyError(CTreeError):
    """An edit from within a callback of an edit."""

    status = Status.BUSY


class ClosedError(CTreeError):
    """The object was closed."""

    status = Status.CLOSED


class CancelledError(CTreeError):
    """A progress callback asked to stop, or the load was cancelled."""

    status = Status.CANCELLED


class SupersededError(CTreeError):
    """A newer load of the node has begun, or this one has ended."""

    status = Status.SUPERSEDED


class NotFoundError(CTreeError, LookupError):
    """Nothing of that name is there."""

    status = Status.NOT_FOUND


class LoadingError(CTreeError):
    """A load of the node is under way."""

    status = Status.LOADING


class CorruptError(CTreeError):
    """An invariant is broken."""

    status = Status.CORRUPT


_CLASSES: dict[int, type[CTreeError]] = {
    kind.status: kind
    for kind in (
        NoMemoryError,
        InvalidError,
        StaleError,
        OutOfRangeError,
        DuplicateError,
        LimitError,
        LeafError,
        CycleError,
        BusyError,
        ClosedError,
        CancelledError,
        SupersededError,
        NotFoundError,
        LoadingError,
        CorruptError,
    )
}


def error_of(status: int, fault: Fault | None = None, message: str | None = None) -> CTreeError:
    """The exception for a status that is not OK."""
    return _CLASSES[status](message, fault)
