"""The rows of a view at one moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._arrays import numpy
from ._ctreecore import ffi, lib
from ._domain import Domain, Owned
from .types import IndexPath, Node, Row

if TYPE_CHECKING:
    from .view import View


class Rows(Owned):
    """Rows as arrays: a value that outlives its view and its tree."""

    __slots__ = ()

    def __init__(self, domain: Domain, pointer: Any) -> None:
        super().__init__(domain, pointer, lib.ctree_rows_destroy)

    def __len__(self) -> int:
        return int(self._read(lib.ctree_rows_count))

    def __bool__(self) -> bool:
        return True

    def nodes(self) -> Any:
        """The nodes of all rows."""
        return self._copy(lib.ctree_rows_nodes, "u8", 8)

    def depths(self) -> Any:
        """The depth of each row."""
        return self._copy(lib.ctree_rows_depths, "u4", 4)

    def _copy(self, call: Any, kind: str, size: int) -> Any:
        """A copy, since what C lends ends with the rows and an array may live longer."""
        with self._domain.lock:
            count = len(self)
            pointer = self._read(call)
            if count == 0:
                return [] if numpy is None else numpy.empty(0, kind)
            if numpy is None:
                return ffi.unpack(pointer, count)
            return numpy.frombuffer(ffi.buffer(pointer, count * size), kind).copy()

    @property
    def section_count(self) -> int:
        """Number of sections; 1 without sections."""
        return int(self._read(lib.ctree_rows_section_count))

    def section_node(self, section: int) -> Node:
        """The node of a section, or 0."""
        return int(self._read(lib.ctree_rows_section_node, section))

    def section_start(self, section: int) -> int:
        """The first row of a section, counted over all rows."""
        return int(self._read(lib.ctree_rows_section_start, section))

    def index_path(self, row: int) -> IndexPath:
        """The index path of a row."""
        out = ffi.new("ctree_index_path *")
        self._run(lib.ctree_rows_index_path, row, out)
        return IndexPath(out.section, out.row)

    def row_at(self, section: int, row: int) -> int | None:
        """The row at an index path, or None."""
        found = self._read(lib.ctree_rows_at_index_path, (section, row))
        return None if found == lib.CTREE_NO_ROW else int(found)

    def node_at(self, row: int) -> Node:
        """The node of a row; 0 beyond the end."""
        return int(self._read(lib.ctree_rows_node, row))

    def row_of(self, node: Node) -> int | None:
        """The row of a node, or None."""
        row = self._read(lib.ctree_rows_row, node)
        return None if row == lib.CTREE_NO_ROW else int(row)

    def window(self, view: View, first: int, count: int) -> list[Row]:
        """A window of these rows; what is said of each node is as it is now."""
        from .view import rows_from

        rows = ffi.new("ctree_row[]", count)
        wanted = ffi.new("uint32_t *", count)
        with view._domain.lock:
            self._run(lib.ctree_rows_window, view._pointer or ffi.NULL, first, wanted, rows)
        return rows_from(rows, wanted[0])
