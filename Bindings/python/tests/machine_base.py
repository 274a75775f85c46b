"""What the random programs share: the tree and its model, and what is checked after every step."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant
from model import TOP, ModelTree, ModelView

import ctreecore as ct
from ctreecore import State

PICK = st.integers(0, 1 << 12)
NAME = st.integers(0, 14)
SMALL = st.integers(0, 3)
STATE = st.sampled_from([State.LEAF, State.UNLOADED, State.LOADED])
FOREST_STATE = st.sampled_from([State.LEAF, State.UNLOADED, State.LOADED, State.KEEP])
ITEMS = st.lists(st.tuples(NAME, st.integers(-1, 7), SMALL, SMALL, FOREST_STATE), max_size=7)


class Base(RuleBasedStateMachine):
    @initialize(
        kind=st.sampled_from([int, str, bytes]), siblings=st.booleans(), names=st.lists(NAME, max_size=9, unique=True)
    )
    def start(self, kind, siblings, names):
        self.kind = kind
        self.released: list[int] = []
        self.tree = ct.Tree(
            kind, siblings=siblings, secret=bytes(range(192)), released=lambda n, v: self.released.extend(v)
        )
        self.model = ModelTree(siblings)
        self.mirror: dict[int, list[int]] = {TOP: []}
        self.views: list[tuple[ct.View, ModelView, list[int]]] = []
        self.tickets: list[ct.Load] = []
        self.tree.listen(before=self.hear_before, after=self.hear_after)
        for name in names:
            self.model.add(
                self.tree.insert(TOP, self.id(name), state=State.LOADED), TOP, None, name, 0, 0, State.LOADED
            )
        self.open_view(0, False, False, False)

    def teardown(self):
        if hasattr(self, "tree"):
            values = [node.value for handle, node in self.model.nodes.items() if handle != TOP]
            self.released.clear()
            self.tree.close()
            assert sorted(self.released) == sorted(values)
            for view, _, _ in self.views:
                assert len(view) == 0
                with pytest.raises(ct.ClosedError):
                    view.expand(1)

    # ---- Help ----

    def id(self, name):
        return {int: name * 0x0102030405060708 & (1 << 64) - 1, str: f"n{name}\0", bytes: b"\xff" * name}[self.kind]

    def any_node(self, pick):
        """A living node, or 0."""
        living = self.model.living()
        return living[pick % len(living)] if living else TOP

    def any_parent(self, pick):
        nodes = list(self.model.nodes)
        return nodes[pick % len(nodes)]

    def any_view(self, pick):
        return self.views[pick % len(self.views)]

    def fails(self, error, call, *arguments):
        with pytest.raises(error) as caught:
            call(*arguments)
        assert type(caught.value) is error
        return caught.value

    def hear_before(self, edit):
        if edit.kind == ct.EditKind.REMOVE:
            self.going = [
                int(n)
                for c in self.tree.children(edit.parent, edit.first, edit.count)
                for n in self.tree.walk(int(c))
            ]

    def hear_after(self, edit):
        mirror = self.mirror
        if edit.kind == ct.EditKind.INSERT:
            came = [int(node) for node in self.tree.children(edit.parent, edit.first, edit.count)]
            mirror.setdefault(edit.parent, [])[edit.first : edit.first] = came
            for node in came:
                for below in self.tree.walk(node):
                    mirror[below] = [int(child) for child in self.tree.children(below)]
        elif edit.kind == ct.EditKind.REMOVE:
            del mirror[edit.parent][edit.first : edit.first + edit.count]
            for node in self.going:
                del mirror[node]
        elif edit.kind == ct.EditKind.MOVE:
            run = mirror[edit.parent][edit.first : edit.first + edit.count]
            del mirror[edit.parent][edit.first : edit.first + edit.count]
            mirror[edit.to_parent][edit.to_first : edit.to_first] = run

    def open_view(self, depth, sections, forgets, empty):
        view = self.tree.view(depth, sections=sections, forgets=forgets, empty_can_open=empty)
        model = ModelView(self.model, depth, sections, forgets, empty)
        heard = [] if sections else [node for node, _ in model.rows()]

        def watch(splice):
            heard[splice.row : splice.row + splice.removed] = view.nodes(splice.row, splice.inserted).tolist()

        if not sections:
            view.watch(watch)
        self.model.views.append(model)
        self.views.append((view, model, heard))
        view.accept()
        self.accepted(model)

    def forest(self, items):
        """A forest of the items, each below one that stands before it."""
        parents = [p if p < i else -1 for i, (_, p, *_) in enumerate(items)]
        states = [State.LOADED if i in parents else s for i, (*_, s) in enumerate(items)]
        return ct.Forest(
            [n for n, *_ in items], parents, [v for _, _, v, _, _ in items], [r for *_, r, _ in items], states
        )

    def named(self, forest):
        return ct.Forest(
            [self.id(name) for name in forest.ids], forest.parents, forest.values, forest.revisions, forest.states
        )

    # ---- After every step ----

    @invariant()
    def the_tree_is_as_modelled(self):
        if not hasattr(self, "tree"):
            return
        assert len(self.tree) == len(self.model.nodes) - 1
        self.tree.validate()
        for node, held in self.model.nodes.items():
            assert self.tree.children(node).tolist() == held.children
            assert self.mirror.get(node, []) == held.children
            if node != TOP:
                info = self.tree.info(node)
                assert info[1:] == (
                    held.parent,
                    held.value,
                    held.revision,
                    held.state,
                    len(held.children),
                    held.more,
                ), held
                assert info.id == self.id(held.id)
        assert sorted(self.released) == sorted(self.model.released)
        self.released.clear()
        self.model.released.clear()

    @invariant()
    def the_views_are_as_modelled(self):
        for view, model, heard in getattr(self, "views", ()):
            nodes, depths = view.nodes_and_depths(0, 1 << 20)
            assert list(zip(nodes.tolist(), depths.tolist())) == model.rows()
            assert model.sections or heard == nodes.tolist()
            view.validate()
            assert set(view.selected().tolist()) == model.selected and view.selected_count == len(model.selected)
