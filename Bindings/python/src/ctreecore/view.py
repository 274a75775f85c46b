"""A view of a tree: what is expanded, and the rows that follow from it."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from ._arrays import lend, new_array, numpy
from ._ctreecore import ffi, lib
from ._domain import Context, Owned, progress_of
from .changes import Batch, SectionBatch, batch_of, section_batch_of
from .errors import LoadingError, error_of
from .rows import Rows
from .tree import Progress, Tree
from .types import NONE, Id, IndexPath, Node, Row, Saved, Splice, What
from .window import Window

_ROW = struct.Struct("=QIIII???5x")
_ROW_FIELDS = ("node", "depth", "position", "sibling_count", "load_state", "expandable", "expanded", "more")
_ROW_FORMATS = ("u8", "u4", "u4", "u4", "u4", "?", "?", "?")

ROW_DTYPE: Any = None
"""The NumPy type of View.window_array's items, laid out as in C."""
if numpy is not None:
    ROW_DTYPE = numpy.dtype(
        {
            "names": list(_ROW_FIELDS),
            "formats": list(_ROW_FORMATS),
            "offsets": [ffi.offsetof("ctree_row", name) for name in _ROW_FIELDS],
            "itemsize": ffi.sizeof("ctree_row"),
        }
    )
if _ROW.size != ffi.sizeof("ctree_row"):
    raise ImportError("the library's rows are laid out otherwise than this package expects")


@ffi.def_extern()  # type: ignore[untyped-decorator]
def ctreecore_py_splice(context: Any, view: Any, splice: Any) -> None:
    ffi.from_handle(context)(Splice(splice.row, splice.removed, splice.inserted))


@ffi.def_extern()  # type: ignore[untyped-decorator]
def ctreecore_py_saved(context: Any, entry: Any) -> bool:
    return bool(ffi.from_handle(context)(entry))


def rows_from(buffer: Any, count: int) -> list[Row]:
    """The first rows of a C array."""
    return list(map(Row._make, _ROW.iter_unpack(ffi.buffer(buffer, count * _ROW.size)))) if count else []


class View(Owned):
    """What is expanded, selected and changed, and the rows.

    A view is a sequence of nodes, one for each row: len(view), view[3], view[10:20], `node in view`, iteration.
    """

    __slots__ = ("tree", "_watcher")

    def __init__(
        self,
        tree: Tree,
        depth: int | None = 0,
        *,
        sections: bool = False,
        forgets: bool = False,
        empty_can_open: bool = False,
        records: bool = True,
    ) -> None:
        options = ffi.new("ctree_view_options *")
        options.size = ffi.sizeof("ctree_view_options")
        options.flags = sections | forgets << 1 | empty_can_open << 2 | records << 3
        options.default_depth = _levels(depth)
        out = ffi.new("ctree_view **")
        tree._run(lib.ctree_view_create, options, out)
        super().__init__(tree._domain, out[0], lib.ctree_view_destroy)
        self.tree = tree
        self._watcher: Context | None = None

    def __enter__(self) -> View:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # ---- Opening and closing ----

    def expand(self, node: Node) -> None:
        """Expands a node; what is not loaded is asked for."""
        self._run(lib.ctree_view_expand, node)

    def collapse(self, node: Node) -> None:
        """Collapses a node."""
        self._run(lib.ctree_view_collapse, node)

    def toggle(self, node: Node) -> None:
        """Expands what is collapsed and collapses what is expanded."""
        self._run(lib.ctree_view_toggle, node)

    def reveal(self, node: Node) -> None:
        """Expands every ancestor of a node."""
        self._run(lib.ctree_view_reveal, node)

    def expand_all(self, node: Node = NONE, levels: int | None = None, progress: Progress | None = None) -> None:
        """Expands what is present of a subtree (0: of the whole tree), down to `levels` (None: all)."""
        asked, _kept = progress_of(self._domain, progress)
        self._run(lib.ctree_view_expand_all, node, _levels(levels), asked)

    def collapse_all(self, node: Node = NONE) -> None:
        """Collapses a node and everything below it (0: the whole tree)."""
        self._run(lib.ctree_view_collapse_all, node)

    def is_expanded(self, node: Node) -> bool:
        """Whether a node is expanded, be it visible or not."""
        return bool(self._read(lib.ctree_view_is_expanded, node))

    def is_visible(self, node: Node) -> bool:
        """Whether every ancestor is expanded."""
        return bool(self._read(lib.ctree_view_is_visible, node))

    def is_expandable(self, node: Node) -> bool:
        """Whether a node looks expandable."""
        return bool(self._read(lib.ctree_view_is_expandable, node))

    # ---- Rows ----

    def __len__(self) -> int:
        return int(self._read(lib.ctree_view_row_count))

    def __bool__(self) -> bool:
        return True

    @overload
    def __getitem__(self, row: int) -> Node: ...
    @overload
    def __getitem__(self, row: slice) -> Any: ...
    def __getitem__(self, row: int | slice) -> Any:
        if isinstance(row, slice):
            first, stop, step = row.indices(len(self))
            nodes = self.nodes(min(first, stop), abs(stop - first)) if step in (1,) else None
            return nodes if nodes is not None else [self[i] for i in range(first, stop, step)]
        node = self.node_at(row if row >= 0 else row + len(self)) if row >= -len(self) else NONE
        if node == NONE:
            raise IndexError("row beyond the end")
        return node

    def __iter__(self) -> Iterator[Node]:
        first = 0
        while first < len(self):
            block = self.nodes(first, 1024)
            yield from map(int, block)
            first += 1024

    def __contains__(self, node: Node) -> bool:
        return self.row_of(node) is not None

    def nodes(self, first: int, count: int) -> Any:
        """The nodes of a window of rows, as an array."""
        return self.nodes_and_depths(first, count)[0]

    def nodes_and_depths(self, first: int, count: int) -> tuple[Any, Any]:
        """The nodes of a window of rows, and how deep they stand, as arrays."""
        with self._domain.lock:
            window = Window(self, min(count, max(len(self) - first, 0)))
            return window.nodes(first)

    def window_of(self, count: int) -> Window:
        """Arrays for a window of so many rows, to be read again and again without making objects."""
        return Window(self, count)

    def window(self, first: int, count: int) -> list[Row]:
        """A window of rows as a table draws them; fewer at the end, OutOfRangeError beyond it."""
        rows = ffi.new("ctree_row[]", count)
        wanted = ffi.new("uint32_t *", count)
        self._run(lib.ctree_view_window, first, wanted, rows)
        return rows_from(rows, wanted[0])

    def window_array(self, first: int, count: int) -> Any:
        """A window of rows as a NumPy array of ROW_DTYPE, written by C in place."""
        return Window(self, count).rows(first)

    def _new_rows(self, count: int) -> Any:
        if numpy is None:
            raise ImportError("rows as an array need NumPy")
        return numpy.empty(count, ROW_DTYPE)

    def node_at(self, row: int) -> Node:
        """The node of a row; 0 beyond the end."""
        return int(self._read(lib.ctree_view_node_at, row))

    def row_of(self, node: Node) -> int | None:
        """The row of a node; None where it has none."""
        row = self._read(lib.ctree_view_row_of, node)
        return None if row == lib.CTREE_NO_ROW else int(row)

    def nodes_at(self, rows: Any) -> Any:
        """The nodes of many rows, as an array; 0 beyond the end."""
        pointer, count = lend("uint32_t", rows)
        nodes, out = new_array("uint64_t", count)
        self._run(lib.ctree_view_nodes_at, pointer, count, out)
        return nodes

    def rows_of(self, nodes: Any) -> Any:
        """The rows of many nodes, as an array; 0xFFFFFFFF for a node without one."""
        pointer, count = lend("uint64_t", nodes)
        rows, out = new_array("uint32_t", count)
        self._run(lib.ctree_view_rows_of, pointer, count, out)
        return rows

    def ancestors(self, node: Node) -> list[Node]:
        """The ancestors of a node from the topmost down."""
        with self._domain.lock:
            room = ffi.new("uint32_t *", self.tree.depth(node))
            out = ffi.new("ctree_node[]", room[0])
            self._run(lib.ctree_view_ancestors, node, room, out)
        return list(ffi.unpack(out, room[0])) if room[0] else []

    def flatten(self, lookup: bool = False, progress: Progress | None = None) -> Rows:
        """The rows of this moment, as a value that later edits do not touch."""
        asked, _kept = progress_of(self._domain, progress)
        out = ffi.new("ctree_rows **")
        self._run(lib.ctree_rows_flatten, lib.CTREE_ROWS_LOOKUP if lookup else 0, asked, out)
        return Rows(self._domain, out[0])

    # ---- Sections ----

    @property
    def section_count(self) -> int:
        """Number of sections; 1 without sections."""
        return int(self._read(lib.ctree_view_section_count))

    def section_node(self, section: int) -> Node:
        """The node of a section, or 0."""
        return int(self._read(lib.ctree_view_section_node, section))

    def section_rows(self, section: int) -> int:
        """Number of rows in a section."""
        return int(self._read(lib.ctree_view_section_rows, section))

    def index_path(self, row: int) -> IndexPath:
        """The index path of a row."""
        out = ffi.new("ctree_index_path *")
        self._run(lib.ctree_view_index_path, row, out)
        return IndexPath(out.section, out.row)

    def row_at(self, section: int, row: int) -> int | None:
        """The row at an index path, or None."""
        found = self._read(lib.ctree_view_row_at_index_path, (section, row))
        return None if found == lib.CTREE_NO_ROW else int(found)

    # ---- Selection ----

    def select(self, node: Node, selected: bool = True) -> None:
        """Selects a node, or deselects it."""
        self._run(lib.ctree_view_select, node, selected)

    def select_rows(self, first: int, count: int, selected: bool = True) -> None:
        """Selects a run of rows, or deselects it."""
        self._run(lib.ctree_view_select_rows, first, count, selected)

    def deselect_all(self) -> None:
        """Deselects all."""
        self._run(lib.ctree_view_deselect_all)

    def is_selected(self, node: Node) -> bool:
        """Whether a node is selected."""
        return bool(self._read(lib.ctree_view_is_selected, node))

    @property
    def selected_count(self) -> int:
        """Number of selected nodes, hidden ones included."""
        return int(self._read(lib.ctree_view_selected_count))

    def selected(self) -> Any:
        """All selected nodes as an array: those that are rows in their order, then the others."""
        with self._domain.lock:
            room = ffi.new("uint64_t *", self.selected_count)
            nodes, out = new_array("uint64_t", room[0])
            self._run(lib.ctree_view_selected, room, out)
        return nodes

    # ---- Saved states ----

    def save(self, what: What = What.ALL) -> list[Saved]:
        """What the view holds of its nodes, and what waits for nodes to come: to be kept, and given back."""
        saved: list[Saved] = []

        def note(entry: Any) -> bool:
            path = tuple(self.tree._from_id(entry.path[i]) for i in range(entry.length))
            saved.append(Saved(path, What(entry.what)))
            return True

        context = Context(self._domain, note)
        self._run(lib.ctree_view_save, int(what), lib.ctreecore_py_saved, context.handle)
        return saved

    def restore(self, saved: Iterable[Saved]) -> None:
        """Gives back what was saved: to nodes that are there at once; the rest waits for its nodes."""
        given = list(saved)
        paths = [self._path(entry.path) for entry in given]
        entries = ffi.new("ctree_saved[]", [(p[0], len(p[0]), int(e.what)) for p, e in zip(paths, given)])
        self._run(lib.ctree_view_restore, entries, len(given))

    def _path(self, path: Sequence[Id]) -> tuple[Any, Any]:
        """Identifiers as C takes them, and what must stay alive with them."""
        ids = [self.tree._id_of(id) for id in path]
        return ffi.new("ctree_id[]", ids), ids

    @property
    def waiting_count(self) -> int:
        """Number of nodes for which something waits."""
        return int(self._read(lib.ctree_view_waiting_count))

    def forget_waiting(self) -> None:
        """Gives up all that waits, reveals under way too."""
        self._run(lib.ctree_view_forget_waiting)

    def reveal_path(self, path: Sequence[Id]) -> tuple[bool, Node]:
        """Reveals a node by the identifiers from the top down, also one that has yet to be loaded.

        Returns whether it is visible, and the node, or else the nearest of its ancestors that is there. NotFoundError
        where it cannot come.
        """
        ids, _kept = self._path(path)
        out = ffi.new("ctree_node *")
        try:
            self._run(lib.ctree_view_reveal_path, ids, len(ids), out)
        except LoadingError:
            return False, out[0]
        return True, out[0]

    # ---- Changes ----

    def commit(self, limit: int = 0) -> Batch:
        """All change since the batch that was accepted last; more than `limit` rows say reload (0: no limit)."""
        out = ffi.new("ctree_batch **")
        with self._domain.lock:
            self._run(lib.ctree_view_commit, limit, ffi.cast("const ctree_batch **", out))
            return batch_of(out[0])

    def commit_sections(self, limit: int = 0) -> SectionBatch:
        """The same as a batch of sections and the rows in them."""
        out = ffi.new("ctree_section_batch **")
        with self._domain.lock:
            self._run(lib.ctree_view_commit_sections, limit, ffi.cast("const ctree_section_batch **", out))
            return section_batch_of(out[0])

    def accept(self) -> None:
        """The batch of the last commit is what the table shows now."""
        self._run(lib.ctree_view_accept)

    def watch(self, watcher: Callable[[Splice], None] | None) -> None:
        """Sets who is told each splice when it has happened, in place of whoever was; None: nobody."""
        context = Context(self._domain, watcher) if watcher is not None else None
        if context is None:
            self._run(lib.ctree_view_watch, ffi.NULL, ffi.NULL)
        else:
            self._run(lib.ctree_view_watch, lib.ctreecore_py_splice, context.handle)
        self._watcher = context

    # ---- Upkeep ----

    def memory(self) -> int:
        """Bytes that the view holds, apart from its tree."""
        return int(self._read(lib.ctree_view_memory))

    def trim(self) -> None:
        """Gives back what is kept of collapsed subtrees."""
        self._run(lib.ctree_view_trim)

    def compact(self) -> None:
        """Packs the rows densely again."""
        self._run(lib.ctree_view_compact)

    def validate(self) -> None:
        """Checks every invariant; CorruptError says which is broken."""
        reason = ffi.new("char **")
        status = self._read(lib.ctree_view_validate, ffi.cast("const char **", reason))
        if status:
            raise error_of(status, None, ffi.string(reason[0]).decode() if reason[0] else None)


def _levels(levels: int | None) -> int:
    every: int = lib.CTREE_ALL_LEVELS
    return every if levels is None else levels
