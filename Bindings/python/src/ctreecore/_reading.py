"""What can be read from a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ._arrays import lend, new_array
from ._ctreecore import ffi, lib
from ._domain import Domain, Owned
from .errors import ClosedError, error_of
from .forest import PackedIds, encoded, pack
from .types import NONE, Id, Memory, Node, NodeInfo, State


class Reading(Owned):
    """The part of a tree that changes nothing."""

    __slots__ = ("ids",)

    def __init__(self, domain: Domain, pointer: Any, destroy: Callable[[Any], None], ids: type) -> None:
        super().__init__(domain, pointer, destroy)
        self.ids = ids

    def _open(self) -> Any:
        if self._pointer is None:
            raise ClosedError()
        return self._pointer

    def _id_of(self, id: Id) -> Any:
        if self.ids is int:
            return (ffi.NULL, id)
        data = encoded(id)
        return (ffi.from_buffer(data), len(data))

    def _from_id(self, id: Any) -> Id:
        if self.ids is int:
            number: int = id.word
            return number
        data: bytes = ffi.buffer(id.bytes, id.word)[:] if id.word else b""
        return data.decode("utf-8", "surrogateescape") if self.ids is str else data

    # ---- The whole ----

    def __len__(self) -> int:
        count: int = self._read(lib.ctree_store_count)
        return count

    def __bool__(self) -> bool:
        return True

    def __contains__(self, node: Node) -> bool:
        return bool(self._read(lib.ctree_store_contains, node))

    @property
    def siblings(self) -> bool:
        """Whether identifiers are unique among siblings only."""
        return bool(self._read(lib.ctree_store_id_scope) == lib.CTREE_SCOPE_SIBLINGS)

    @property
    def numbered(self) -> bool:
        """Whether identifiers are numbers."""
        return bool(self._read(lib.ctree_store_id_kind) == lib.CTREE_ID_U64)

    def memory(self) -> Memory:
        """Where the memory is, in bytes."""
        out = ffi.new("ctree_memory *")
        out.size = ffi.sizeof("ctree_memory")
        self._run(lib.ctree_store_memory, out)
        return Memory(out.total, out.nodes, out.children, out.identifiers, out.index, out.dead)

    def validate(self) -> None:
        """Checks every invariant; CorruptError says which is broken."""
        reason = ffi.new("char **")
        status = self._read(lib.ctree_validate, ffi.cast("const char **", reason))
        if status:
            raise error_of(status, None, ffi.string(reason[0]).decode() if reason[0] else None)

    # ---- Finding ----

    def find(self, id: Id) -> Node:
        """The node of an identifier, or 0; always 0 where identifiers are unique among siblings only."""
        node: int = self._read(lib.ctree_store_find, self._id_of(id))
        return node

    def find_child(self, parent: Node, id: Id) -> Node:
        """The child of that identifier, or 0."""
        node: int = self._read(lib.ctree_store_find_child, parent, self._id_of(id))
        return node

    def find_many(self, ids: Any, parents: Any = None) -> Any:
        """The node of each identifier as an array, 0 for those that are not there."""
        if self.ids is int:
            numbers, count = lend("uint64_t", ids)
            nodes, pointer = new_array("uint64_t", count)
            self._run(lib.ctree_store_find_many_u64, self._parents(parents, count), numbers, count, pointer)
            return nodes
        packed = ids if isinstance(ids, PackedIds) else pack(ids)
        data = ffi.from_buffer("char[]", packed.data)
        offsets, ends = lend("uint64_t", packed.offsets)
        count = ends - 1
        structs = ffi.new("ctree_id[]", count)
        lib.ctreecore_py_pack(structs, data, offsets, count)
        nodes, pointer = new_array("uint64_t", count)
        self._run(lib.ctree_store_find_many, self._parents(parents, count), structs, count, pointer)
        return nodes

    def _parents(self, parents: Any, count: int) -> Any:
        if parents is None:
            return ffi.NULL
        return lend("uint64_t", [parents] * count if isinstance(parents, int) else parents, count)[0]

    # ---- One node ----

    def info(self, node: Node) -> NodeInfo:
        """All that is stored of a node."""
        out = ffi.new("ctree_node_info *")
        out.size = ffi.sizeof("ctree_node_info")
        with self._domain.lock:
            self._run(lib.ctree_store_info, node, out)
            id = self._from_id(out.id)
        return NodeInfo(
            id, out.parent, out.value, out.revision, State(out.load_state), out.child_count, bool(out.more)
        )

    def id(self, node: Node) -> Id:
        """A node's identifier."""
        out = ffi.new("ctree_id *")
        with self._domain.lock:
            self._run(lib.ctree_store_id, node, out)
            return self._from_id(out[0])

    def parent(self, node: Node) -> Node:
        """A node's parent; 0 at the top level."""
        return self._number(lib.ctree_store_parent, node, "ctree_node *")

    def value(self, node: Node) -> int:
        """A node's value; 0 for a stale handle."""
        return int(self._read(lib.ctree_store_value, node))

    def revision(self, node: Node) -> int:
        """A node's revision; 0 for a stale handle."""
        return int(self._read(lib.ctree_store_revision, node))

    def state(self, node: Node) -> State:
        """A node's load state; LEAF for a stale handle."""
        return State(self._read(lib.ctree_store_load_state, node))

    # ---- Order ----

    def child_count(self, parent: Node = NONE) -> int:
        """Number of children (0: of top-level nodes)."""
        return int(self._read(lib.ctree_store_child_count, parent))

    def child_at(self, parent: Node, position: int) -> Node:
        """The child at a position, or 0."""
        return int(self._read(lib.ctree_store_child_at, parent, position))

    def children(self, parent: Node = NONE, first: int = 0, count: int | None = None) -> Any:
        """A run of children as an array; all of them by default."""
        with self._domain.lock:
            room = self.child_count(parent)
            wanted = ffi.new("uint32_t *", min(room, room if count is None else count))
            nodes, pointer = new_array("uint64_t", wanted[0])
            self._run(lib.ctree_store_children, parent, first, wanted, pointer)
        return nodes[: wanted[0]]

    def ordinal(self, node: Node) -> int:
        """The position of a node among its siblings."""
        return self._number(lib.ctree_store_ordinal, node, "uint32_t *")

    def depth(self, node: Node) -> int:
        """Number of ancestors."""
        return self._number(lib.ctree_store_depth, node, "uint32_t *")

    def is_below(self, node: Node, ancestor: Node) -> bool:
        """Whether `node` stands somewhere below `ancestor`."""
        return bool(self._read(lib.ctree_store_is_below, node, ancestor))

    def path(self, node: Node) -> list[int]:
        """The ordinals from the top level down to a node."""
        with self._domain.lock:
            room = ffi.new("uint32_t *", self.depth(node) + 1)
            out = ffi.new("uint32_t[]", room[0])
            self._run(lib.ctree_store_path, node, room, out)
        return list(ffi.unpack(out, room[0]))

    def node_at_path(self, path: list[int]) -> Node:
        """The node at a path of ordinals, or 0."""
        ordinals, count = lend("uint32_t", path)
        return int(self._read(lib.ctree_store_node_at_path, ordinals, count))

    def next(self, node: Node, root: Node = NONE, skip_children: bool = False) -> Node:
        """The node that follows in preorder within the subtree of `root`, or 0."""
        return int(self._read(lib.ctree_store_next, node, root, skip_children))

    def walk(self, root: Node = NONE) -> Iterator[Node]:
        """All nodes of a subtree in preorder, `root` included; of the whole tree by default."""
        node = root or self.next(NONE)
        while node:
            yield node
            node = self.next(node, root)

    def subtree_count(self, node: Node) -> int:
        """Number of nodes in a subtree, the node itself included; 0 for a stale handle."""
        return int(self._read(lib.ctree_store_subtree_count, node))

    def _number(self, call: Callable[..., int], node: Node, kind: str) -> int:
        out = ffi.new(kind)
        self._run(call, node, out)
        return int(out[0])
