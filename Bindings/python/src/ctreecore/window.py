"""A window of rows that is read again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._arrays import new_array
from ._ctreecore import ffi, lib
from .errors import ClosedError, error_of

if TYPE_CHECKING:
    from .view import View


class Window:
    """Arrays for so many rows of a view, which C fills in place at each call: what a scrolling table reads.

    What a call returned is overwritten by the next.
    """

    __slots__ = ("_all", "_count", "_depths", "_nodes", "_rows", "_to_depths", "_to_nodes", "_to_rows", "_view")

    def __init__(self, view: View, count: int) -> None:
        self._view = view
        self._all = count
        self._count = ffi.new("uint32_t *")
        self._nodes, self._to_nodes = new_array("uint64_t", count)
        self._depths, self._to_depths = new_array("uint32_t", count)
        self._rows: Any = None

    def rows(self, first: int) -> Any:
        """The rows from `first` on, as a NumPy array of ROW_DTYPE; fewer at the end."""
        if self._rows is None:
            self._rows = self._view._new_rows(self._all)
            self._to_rows = ffi.cast("ctree_row *", ffi.from_buffer(self._rows))
        read = self._fill(lib.ctree_view_window, first, self._to_rows)
        return self._rows if read == self._all else self._rows[:read]

    def nodes(self, first: int) -> tuple[Any, Any]:
        """The nodes from row `first` on, and how deep they stand, as arrays."""
        read = self._fill(lib.ctree_view_nodes_from, first, self._to_nodes, self._to_depths)
        if read == self._all:
            return self._nodes, self._depths
        return self._nodes[:read], self._depths[:read]

    def _fill(self, call: Callable[..., int], first: int, *arrays: Any) -> int:
        """How many rows there were."""
        view, count = self._view, self._count
        with view._domain.lock:
            if view._pointer is None:
                raise ClosedError()
            count[0] = self._all
            status = call(view._pointer, first, count, *arrays)
            if status:
                raise error_of(status)
            read: int = count[0]
        return read
