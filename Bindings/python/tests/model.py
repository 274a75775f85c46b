"""A plain model of a tree and its views: dictionaries and lists, and every row worked out anew each time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import ctreecore as ct
from ctreecore import State

TOP = 0


@dataclass
class ModelNode:
    id: int
    parent: int
    value: int = 0
    revision: int = 0
    state: State = State.LEAF
    children: list[int] = field(default_factory=list)
    more: bool = False
    ticket: int = 0
    """Of the load under way; 0: none."""
    before: State = State.UNLOADED
    """What a cancelled load goes back to."""
    before_more: bool = False
    paged: bool = False
    replaces: bool = False
    """Whether the first page of the load replaces what is there."""
    before_replaces: bool = False
    error: int = 0


class ModelTree:
    """Nodes by handle; the top level is node 0."""

    def __init__(self, siblings: bool) -> None:
        self.siblings = siblings
        self.nodes: dict[int, ModelNode] = {TOP: ModelNode(-1, -1, state=State.LOADED)}
        self.gone: list[int] = []
        self.released: list[int] = []
        self.views: list[ModelView] = []

    def living(self) -> list[int]:
        return [node for node in self.nodes if node != TOP]

    def ancestors(self, node: int) -> Iterator[int]:
        while (node := self.nodes[node].parent) != TOP:
            yield node

    def depth(self, node: int) -> int:
        return sum(1 for _ in self.ancestors(node))

    def subtree(self, root: int) -> list[int]:
        """In preorder, the root left out where it is the top level."""
        out, stack = [], [root]
        while stack:
            node = stack.pop()
            if node != TOP:
                out.append(node)
            stack.extend(reversed(self.nodes[node].children))
        return out

    def find(self, parent: int, id: int) -> int:
        """In store scope anywhere, in sibling scope below `parent`."""
        where = self.nodes[parent].children if self.siblings else self.living()
        return next((node for node in where if self.nodes[node].id == id), 0)

    def is_below(self, node: int, ancestor: int) -> bool:
        return ancestor in self.ancestors(node)

    # ---- Edits: what is allowed was checked by the machine ----

    def touch(self, *nodes: int) -> None:
        for view in self.views:
            view.touched.update(nodes)

    def fill(self, parent: int) -> None:
        """A parent that was a leaf or unloaded is loaded from then on."""
        node = self.nodes[parent]
        if node.state in (State.LEAF, State.UNLOADED):
            node.state = State.LOADED
        self.touch(parent)

    def add(self, handle: int, parent: int, at: int | None, id: int, value: int, revision: int, state: State) -> None:
        self.nodes[handle] = ModelNode(id, parent, value, revision, state)
        siblings = self.nodes[parent].children
        siblings.insert(len(siblings) if at is None else at, handle)
        self.fill(parent)

    def delete(self, node: int) -> None:
        parent = self.nodes[node].parent
        self.nodes[parent].children.remove(node)
        self.touch(parent)
        for below in self.subtree(node):
            self.released.append(self.nodes[below].value)
            del self.nodes[below]
            self.gone.append(below)
            for view in self.views:
                view.forget(below)

    def put(self, node: int, parent: int, at: int | None) -> None:
        old = self.nodes[node].parent
        self.nodes[old].children.remove(node)
        siblings = self.nodes[parent].children
        siblings.insert(len(siblings) if at is None else at, node)
        self.nodes[node].parent = parent
        self.touch(old)
        self.fill(parent)

    def set(self, node: int, value: int, revision: int) -> None:
        held = self.nodes[node]
        if held.value != value:
            self.released.append(held.value)
        if (held.value, held.revision) != (value, revision):
            self.touch(node)
        held.value, held.revision = value, revision

    def end_load(self, node: int, state: State) -> None:
        held = self.nodes[node]
        held.ticket, held.state, held.more, held.paged, held.error, held.replaces = 0, state, False, False, 0, False
        self.touch(node)

    def reconcile(self, parent: int, forest: ct.Forest) -> tuple[str, set[int]]:
        """Why it fails, and which nodes are removed; nothing is changed. What is matched is in `matched`."""
        count = len(forest.ids)
        self.matched = [0] * count
        seen: set[tuple[int, int]] = set()
        for i in range(count):
            above = forest.parents[i]
            key = (above if self.siblings else -1, forest.ids[i])
            if key in seen:
                return "duplicate", set()
            seen.add(key)
        for i in range(count):
            above = parent if forest.parents[i] < 0 else self.matched[forest.parents[i]]
            if not self.siblings:
                self.matched[i] = self.find(TOP, forest.ids[i])
            elif forest.parents[i] < 0 or above:
                self.matched[i] = self.find(above, forest.ids[i])
        if any(node and (node == parent or (parent and self.is_below(parent, node))) for node in self.matched):
            return "cycle", set()
        replaced = {parent}
        replaced.update(
            n for n, state in zip(self.matched, forest.states) if n and state in (State.LOADED, State.LEAF)
        )
        kept = {node for node in self.matched if node}
        removed: set[int] = set()
        stack = list(replaced)
        while stack:
            for child in self.nodes[stack.pop()].children:
                if child not in kept:
                    removed.add(child)
                    stack.append(child)
        free = replaced | removed
        if any(node and self.nodes[node].parent not in free for node in self.matched):
            return "elsewhere", removed
        return "", removed

    def apply_reconcile(self, parent: int, forest: ct.Forest, handles: list[int]) -> None:
        _, removed = self.reconcile(parent, forest)
        matched = list(self.matched)
        replaced = [parent] + [n for n, s in zip(matched, forest.states) if n and s in (State.LOADED, State.LEAF)]
        old_lists = {
            node: list(self.nodes[node].children)
            for node in [*replaced, *(self.nodes[n].parent for n in matched if n)]
        }
        for i, node in enumerate(handles):
            if not matched[i]:
                state = State.UNLOADED if forest.states[i] == State.KEEP else State(forest.states[i])
                self.nodes[node] = ModelNode(forest.ids[i], -1, forest.values[i], forest.revisions[i], state)
            else:
                assert matched[i] == node
                self.nodes[self.nodes[node].parent].children.remove(node)
        for node in replaced:
            self.nodes[node].children = [child for child in self.nodes[node].children if child in removed]
        for i, node in enumerate(handles):
            above = parent if forest.parents[i] < 0 else handles[forest.parents[i]]
            self.nodes[node].parent = above
            self.nodes[above].children.append(node)
        for node in removed:
            if node in self.nodes and self.nodes[node].parent not in removed:
                self.delete(node)
        for i, node in enumerate(handles):
            held = self.nodes[node]
            self.set(node, forest.values[i], forest.revisions[i])
            if matched[i] and forest.states[i] in (State.LOADED, State.LEAF):
                self.end_load(node, State(forest.states[i]))
            elif matched[i] and forest.states[i] == State.UNLOADED and held.state == State.LEAF:
                self.end_load(node, State.UNLOADED)
        self.fill(parent)
        self.touch(*(node for node in (*old_lists, *handles) if node in self.nodes))


class ModelView:
    """What a view holds, and the rows that follow."""

    def __init__(self, tree: ModelTree, depth: int | None, sections: bool, forgets: bool, empty: bool) -> None:
        self.tree = tree
        self.default = 1 << 30 if depth is None else depth
        self.sections = sections
        self.forgets = forgets
        self.empty = empty
        self.settings: dict[int, bool] = {}
        self.selected: set[int] = set()
        self.shown: list[tuple[int, Any]] = []
        """What the table shows: nodes with their looks."""
        self.shown_sections: list[tuple[int, int]] = []
        self.touched: set[int] = set()

    def forget(self, node: int) -> None:
        self.settings.pop(node, None)
        self.selected.discard(node)
        self.touched.discard(node)

    def is_section(self, node: int) -> bool:
        return self.sections and self.tree.nodes[node].parent == TOP

    def opens(self, node: int) -> bool:
        if node in self.settings:
            return self.settings[node]
        return self.is_section(node) or self.tree.depth(node) - self.sections < self.default

    def is_expanded(self, node: int) -> bool:
        return self.tree.nodes[node].state != State.LEAF and self.opens(node)

    def is_expandable(self, node: int) -> bool:
        held = self.tree.nodes[node]
        loaded_empty = held.state == State.LOADED and not held.children
        return held.state != State.LEAF and (not loaded_empty or self.empty)

    def is_visible(self, node: int) -> bool:
        return all(self.is_expanded(above) for above in self.tree.ancestors(node))

    def collapse(self, node: int) -> None:
        was_open = self.opens(node)
        self.settings[node] = False
        if was_open and self.forgets:
            self.close_below(node)

    def close_below(self, root: int) -> None:
        for node in self.tree.subtree(root):
            if node != root and not self.is_section(node):
                self.settings[node] = False

    def collapse_all(self, root: int) -> None:
        if root != TOP and not self.is_section(root):
            self.settings[root] = False
        self.close_below(root)

    def expand_all(self, root: int, levels: int) -> None:
        from_ = 0 if root == TOP else self.tree.depth(root)
        for node in self.tree.subtree(root):
            if self.tree.depth(node) - from_ < levels and self.tree.nodes[node].state != State.LEAF:
                self.settings[node] = True

    def reveal(self, node: int) -> None:
        for above in self.tree.ancestors(node):
            if not self.opens(above):
                self.settings[above] = True

    def rows(self) -> list[tuple[int, int]]:
        """Nodes and depths."""
        out: list[tuple[int, int]] = []
        stack = [(child, 0) for child in reversed(self.tree.nodes[TOP].children)]
        while stack:
            node, depth = stack.pop()
            if not self.is_section(node):
                out.append((node, depth - self.sections))
            if self.is_expanded(node):
                stack.extend((child, depth + 1) for child in reversed(self.tree.nodes[node].children))
        return out

    def section_rows(self) -> list[tuple[int, int]]:
        """Sections and how many rows each has."""
        counts = {node: 0 for node in self.tree.nodes[TOP].children}
        for node, _ in self.rows():
            counts[[node, *self.tree.ancestors(node)][-1]] += 1
        return list(counts.items())

    def look(self, node: int) -> Any:
        held = self.tree.nodes[node]
        return held.value, held.revision, held.state, self.is_expandable(node)


def fewest_moves(old: list[int], new: list[int]) -> int:
    """How many of the rows of both lists cannot keep their order: all but a longest increasing subsequence."""
    place = {node: i for i, node in enumerate(new)}
    order = [place[node] for node in old if node in place]
    best = [1] * len(order)
    for i in range(len(order)):
        best[i] = 1 + max((best[j] for j in range(i) if order[j] < order[i]), default=0)
    return len(order) - max(best, default=0)
