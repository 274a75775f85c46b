"""The engine behind expandable trees: which rows are visible, where each node is, what changed, what is to be loaded.

tree = Tree()
top = tree.build(Forest.of([Item("docs", [Item("a.txt"), Item("b.txt")]), Item("src", state=State.UNLOADED)]))
view = tree.view()
view.expand(tree.find("docs"))
for row in view.window(0, 20):
    print("  " * row.depth + tree.id(row.node))
"""

from ._ctreecore import ffi as _ffi
from ._ctreecore import lib as _lib
from .changes import Batch, PathRange, PathRun, Range, Run, SectionBatch, Splices, Step, Steps, apply
from .diffs import KeyTwice, RowList, diff
from .errors import (
    BusyError,
    CancelledError,
    ClosedError,
    CorruptError,
    CTreeError,
    CycleError,
    DuplicateError,
    Fault,
    InvalidError,
    LeafError,
    LimitError,
    LoadingError,
    NoMemoryError,
    NotFoundError,
    OutOfRangeError,
    StaleError,
    Status,
    SupersededError,
)
from .forest import Forest, Item, PackedIds
from .load import Load
from .rows import Rows
from .tree import Listener, Tree
from .types import (
    NONE,
    Changed,
    Edit,
    EditKind,
    Elsewhere,
    Id,
    IndexPath,
    Memory,
    Node,
    NodeInfo,
    Row,
    Saved,
    Splice,
    State,
    What,
)
from .view import ROW_DTYPE, View
from .window import Window

__version__: str = _ffi.string(_lib.ctree_version_string()).decode()
"""The version of the library that runs."""

if _lib.ctree_abi_version() != _lib.CTREE_ABI_VERSION:
    raise ImportError("the library has another binary interface than this package was built for")


def version() -> tuple[int, int, int]:
    """The version of the library that runs."""
    number = _lib.ctree_version()
    return number // 1_000_000, number // 1000 % 1000, number % 1000


def status_name(status: int) -> str:
    """A short English name of a status."""
    name: str = _ffi.string(_lib.ctree_status_name(status)).decode()
    return name


__all__ = [
    "NONE",
    "ROW_DTYPE",
    "Batch",
    "BusyError",
    "CTreeError",
    "CancelledError",
    "Changed",
    "ClosedError",
    "CorruptError",
    "CycleError",
    "DuplicateError",
    "Edit",
    "EditKind",
    "Elsewhere",
    "Fault",
    "Forest",
    "Id",
    "IndexPath",
    "InvalidError",
    "Item",
    "KeyTwice",
    "LeafError",
    "LimitError",
    "Listener",
    "Load",
    "LoadingError",
    "Memory",
    "NoMemoryError",
    "Node",
    "NodeInfo",
    "NotFoundError",
    "OutOfRangeError",
    "PackedIds",
    "PathRange",
    "PathRun",
    "Range",
    "Row",
    "RowList",
    "Rows",
    "Run",
    "Saved",
    "SectionBatch",
    "Splice",
    "Splices",
    "StaleError",
    "State",
    "Status",
    "Step",
    "Steps",
    "SupersededError",
    "Tree",
    "View",
    "What",
    "Window",
    "apply",
    "diff",
    "status_name",
    "version",
]
