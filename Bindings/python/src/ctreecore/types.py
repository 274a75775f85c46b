"""Plain values: what is read from a tree and its views."""

from __future__ import annotations

import enum
from typing import NamedTuple

Node = int
"""Names a node of a tree: a handle that is stale for ever once the node is removed. 0 names none."""

Id = int | str | bytes
"""The caller's name of a node, of the type that the tree was made with."""

NONE: Node = 0


class State(enum.IntEnum):
    """What is known of a node's children."""

    LEAF = 0
    UNLOADED = 1
    LOADING = 2
    LOADED = 3
    FAILED = 4
    KEEP = 5
    """Only in a forest: as the node is; unloaded where it is new."""


class Elsewhere(enum.IntEnum):
    """What a reconcile does with an identifier that stands elsewhere in the tree."""

    FAILS = 0
    MOVES = 1


class NodeInfo(NamedTuple):
    """All that is stored of one node."""

    id: Id
    parent: Node
    value: int
    revision: int
    state: State
    child_count: int
    more: bool


class Row(NamedTuple):
    """One row as a table draws it."""

    node: Node
    depth: int
    position: int
    sibling_count: int
    state: int
    expandable: bool
    expanded: bool
    more: bool


class IndexPath(NamedTuple):
    """Where a row is."""

    section: int
    row: int


class Memory(NamedTuple):
    """Where a tree's memory is, in bytes."""

    total: int
    nodes: int
    children: int
    identifiers: int
    index: int  # type: ignore[assignment]
    dead: int


class EditKind(enum.IntEnum):
    """What an edit does."""

    INSERT = 1
    REMOVE = 2
    MOVE = 3
    CHANGE = 4


class Changed(enum.IntFlag):
    """How a node changed."""

    VALUE = 1
    REVISION = 2
    LOAD_STATE = 4


class Edit(NamedTuple):
    """One step of change of the tree, in the numbering of its moment."""

    kind: EditKind
    changed: Changed
    node: Node
    parent: Node
    to_parent: Node
    first: int
    count: int  # type: ignore[assignment]
    to_first: int


class Splice(NamedTuple):
    """At `row`, `removed` rows went, then `inserted` rows came."""

    row: int
    removed: int
    inserted: int


class What(enum.IntFlag):
    """What a view keeps of a node."""

    EXPANDED = 1
    COLLAPSED = 2
    SELECTED = 4
    ALL = 7


class Saved(NamedTuple):
    """What is kept of one node: by its identifier, or where those are unique among siblings only by its path."""

    path: tuple[Id, ...]
    what: What
