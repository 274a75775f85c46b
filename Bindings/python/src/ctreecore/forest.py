"""Many items at once: what a bulk build, a reconcile or the result of a load is made of."""

from __future__ import annotations

import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ._arrays import lend
from ._ctreecore import ffi
from .types import Id, State


class PackedIds(NamedTuple):
    """Identifiers of bytes in one block: item i is at offsets[i] up to offsets[i + 1]."""

    data: Any
    offsets: Any


@dataclass(slots=True)
class Item:
    """One item with its children, for Forest.of: convenient where arrays are not at hand."""

    id: Id
    children: Sequence[Item] = ()
    value: int = 0
    revision: int = 0
    state: State | None = None
    """None: loaded where there are children, leaf elsewhere."""


@dataclass(slots=True)
class Forest:
    """Items as flat arrays.

    `ids` are integers, strings or bytes in any iterable, an array of 64-bit numbers, or PackedIds. `parents` are
    positions in this forest, in any order; None, -1 or 0xFFFFFFFF where there is no parent. Arrays of the right item
    size (8 bytes for numbers, 4 for parents, 1 for states) are lent to C as they are; anything else is converted.
    """

    ids: Any
    parents: Any = None
    values: Any = None
    revisions: Any = None
    states: Any = None
    _kept: list[Any] = field(default_factory=list, repr=False, compare=False)

    @staticmethod
    def of(items: Iterable[Item]) -> Forest:
        """Flattens items with their children, however deep."""
        ids: list[Id] = []
        parents, values, revisions = array.array("I"), array.array("Q"), array.array("Q")
        states = array.array("B")
        level: list[tuple[int, Item]] = [(0xFFFFFFFF, item) for item in items]
        while level:
            below: list[tuple[int, Item]] = []
            for parent, item in level:
                at = len(ids)
                ids.append(item.id)
                parents.append(parent)
                values.append(item.value)
                revisions.append(item.revision)
                state = item.state
                if state is None:
                    state = State.LOADED if item.children else State.LEAF
                states.append(state)
                below.extend((at, child) for child in item.children)
            level = below
        return Forest(ids, parents, values, revisions, states)

    def _lent(self, kind: type) -> tuple[Any, int]:
        """A ctree_forest, and the number of items. It is good for as long as this object and its arrays are."""
        self._kept.clear()
        struct = ffi.new("ctree_forest *")
        struct.size = ffi.sizeof("ctree_forest")
        count = self._lend_ids(struct, kind)
        struct.count = count
        for name, item in (
            ("parents", "uint32_t"),
            ("values", "uint64_t"),
            ("revisions", "uint64_t"),
            ("states", "uint8_t"),
        ):
            given = getattr(self, name)
            if given is not None:
                pointer, _ = lend(item, given if not _is_lazy(given) else list(given), count)
                self._kept.append(pointer)
                setattr(struct, name, pointer)
        return struct, count

    def _lend_ids(self, struct: Any, kind: type) -> int:
        if kind is int:
            pointer, count = lend("uint64_t", self.ids if not _is_lazy(self.ids) else list(self.ids))
            struct.numbers = pointer
            self._kept.append(pointer)
            return count
        ids = self.ids if isinstance(self.ids, PackedIds) else pack(self.ids)
        data = ffi.from_buffer("char[]", ids.data)
        offsets, count = lend("uint64_t", ids.offsets)
        if count == 0 or offsets[count - 1] > len(data):
            raise ValueError("offsets beyond the data")
        struct.bytes = data
        struct.offsets = offsets
        self._kept += [data, offsets]
        return count - 1


def _is_lazy(values: Any) -> bool:
    return not hasattr(values, "__len__")


def encoded(id: Any) -> bytes:
    """Strings as UTF-8; what came in undecodable goes out as it was."""
    return id.encode("utf-8", "surrogateescape") if isinstance(id, str) else bytes(id)


def pack(ids: Iterable[Any]) -> PackedIds:
    """Strings or bytes in one block."""
    parts = [encoded(id) for id in ids]
    offsets, end = array.array("Q", bytes(8 * (len(parts) + 1))), 0
    for i, part in enumerate(parts):
        end += len(part)
        offsets[i + 1] = end
    return PackedIds(b"".join(parts), offsets)
