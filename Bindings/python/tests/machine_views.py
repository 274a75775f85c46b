"""Random uses of views: opening, selecting, reading, changes."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule
from machine_base import NAME, PICK, SMALL, Base
from model import TOP, fewest_moves

import ctreecore as ct
from ctreecore import State


class Views(Base):
    # ---- Opening and closing ----

    def open_or_close(self, picked, pick, name):
        view, model, _ = self.any_view(picked)
        node = self.any_node(pick)
        if not node:
            return None, None, None
        if self.model.nodes[node].state == State.LEAF:
            self.fails(ct.LeafError, getattr(view, name), node)
            return None, None, None
        getattr(view, name)(node)
        return view, model, node

    @rule(picked=PICK, pick=PICK)
    def expand(self, picked, pick):
        _, model, node = self.open_or_close(picked, pick, "expand")
        if node:
            model.settings[node] = True
            self.pull_requests(node)

    @rule(picked=PICK, pick=PICK)
    def collapse(self, picked, pick):
        _, model, node = self.open_or_close(picked, pick, "collapse")
        if node:
            model.collapse(node)

    @rule(picked=PICK, pick=PICK)
    def toggle(self, picked, pick):
        _, model, node = self.open_or_close(picked, pick, "toggle")
        if node and model.is_expanded(node):
            model.collapse(node)
        elif node:
            model.settings[node] = True

    @rule(picked=PICK, pick=PICK, levels=st.integers(0, 4))
    def expand_all(self, picked, pick, levels):
        view, model, _ = self.any_view(picked)
        root = self.any_parent(pick)
        view.expand_all(root, None if levels == 4 else levels)
        model.expand_all(root, 1 << 30 if levels == 4 else levels)

    @rule(picked=PICK, pick=PICK)
    def collapse_all(self, picked, pick):
        view, model, _ = self.any_view(picked)
        root = self.any_parent(pick)
        view.collapse_all(root)
        model.collapse_all(root)

    @rule(picked=PICK)
    def stop_expand_all(self, picked):
        self.fails(ct.CancelledError, self.any_view(picked)[0].expand_all, TOP, None, lambda done, total: False)

    @rule(picked=PICK, pick=PICK)
    def reveal(self, picked, pick):
        view, model, _ = self.any_view(picked)
        node = self.any_node(pick)
        if node:
            view.reveal(node)
            model.reveal(node)
            assert view.is_visible(node)

    @rule(picked=PICK, pick=PICK)
    def reveal_path(self, picked, pick):
        view, model, _ = self.any_view(picked)
        node = self.any_node(pick)
        if node:
            path = [self.id(self.model.nodes[above].id) for above in reversed(list(self.model.ancestors(node)))]
            assert view.reveal_path([*path, self.id(self.model.nodes[node].id)]) == (True, node)
            model.reveal(node)

    @precondition(lambda self: len(self.views) < 4)
    @rule(depth=st.sampled_from([0, 1, 2, None]), sections=st.booleans(), forgets=st.booleans(), empty=st.booleans())
    def new_view(self, depth, sections, forgets, empty):
        self.open_view(depth, sections, forgets, empty)

    @precondition(lambda self: len(self.views) > 1)
    @rule(picked=PICK)
    def close_view(self, picked):
        view, model, heard = self.any_view(picked)
        view.close()
        self.fails(ct.ClosedError, view.expand_all)
        self.views.remove((view, model, heard))
        self.model.views.remove(model)

    @rule(picked=PICK, other=PICK)
    def save_and_restore(self, picked, other):
        view, model, _ = self.any_view(picked)
        with self.tree.view(
            depth=None if model.default == 1 << 30 else model.default, sections=model.sections
        ) as copy:
            assert copy.commit().reload
            copy.restore(view.save())
            assert copy.waiting_count == 0
            assert copy.nodes(0, 1000).tolist() == view.nodes(0, 1000).tolist()
            assert set(copy.selected().tolist()) == model.selected

    # ---- Selection ----

    @rule(picked=PICK, pick=PICK, on=st.booleans())
    def select(self, picked, pick, on):
        view, model, _ = self.any_view(picked)
        node = self.any_node(pick)
        if node:
            view.select(node, on)
            (model.selected.add if on else model.selected.discard)(node)
            assert view.is_selected(node) == on

    @rule(picked=PICK, first=SMALL, count=SMALL, on=st.booleans())
    def select_rows(self, picked, first, count, on):
        view, model, _ = self.any_view(picked)
        rows = [node for node, _ in model.rows()]
        if first + count > len(rows):
            self.fails(ct.OutOfRangeError, view.select_rows, first, count, on)
            return
        view.select_rows(first, count, on)
        picked_rows = set(rows[first : first + count])
        model.selected = model.selected | picked_rows if on else model.selected - picked_rows

    @rule(picked=PICK)
    def deselect_all(self, picked):
        view, model, _ = self.any_view(picked)
        view.deselect_all()
        model.selected.clear()

    # ---- Reading ----

    @rule(picked=PICK, first=SMALL, count=st.integers(0, 9))
    def window(self, picked, first, count):
        view, model, _ = self.any_view(picked)
        rows = model.rows()
        if first > len(rows):
            self.fails(ct.OutOfRangeError, view.window, first, count)
            return
        expected = []
        for node, depth in rows[first : first + count]:
            held = self.model.nodes[node]
            siblings = self.model.nodes[held.parent].children
            expected.append(
                (
                    node,
                    depth,
                    siblings.index(node),
                    len(siblings),
                    held.state,
                    model.is_expandable(node),
                    model.is_expanded(node),
                    held.more,
                )
            )
        assert view.window(first, count) == expected
        assert [tuple(row) for row in view.window_array(first, count).tolist()] == expected

    @rule(picked=PICK, numbers=st.lists(st.integers(0, 12), max_size=6))
    def rows_and_nodes(self, picked, numbers):
        view, model, _ = self.any_view(picked)
        rows = [node for node, _ in model.rows()]
        assert view.nodes_at(numbers).tolist() == [rows[i] if i < len(rows) else 0 for i in numbers]
        nodes = self.model.living() + self.model.gone[-3:]
        none = (1 << 32) - 1
        places = {node: i for i, node in enumerate(rows)}
        assert view.rows_of(nodes).tolist() == [places.get(node, none) for node in nodes]
        for node in nodes[:5]:
            assert view.row_of(node) == places.get(node)
        sections = model.section_rows() if model.sections else [(0, len(rows))]
        assert view.section_count == len(sections)
        row = 0
        for section, (node, count) in enumerate(sections):
            assert (view.section_node(section), view.section_rows(section)) == (node, count)
            for within in range(count):
                assert view.index_path(row) == (section, within)
                assert view.row_at(section, within) == row
                row += 1
            assert view.row_at(section, count) is None

    @rule(pick=PICK)
    def read_one(self, pick):
        node = self.any_node(pick)
        if not node:
            return
        held, tree = self.model.nodes[node], self.tree
        siblings = self.model.nodes[held.parent].children
        above = list(reversed(list(self.model.ancestors(node))))
        path = [self.model.nodes[self.model.nodes[n].parent].children.index(n) for n in [*above, node]]
        assert tree.ordinal(node) == siblings.index(node) and tree.depth(node) == len(above)
        assert tree.path(node) == path and tree.node_at_path(path) == node
        assert tree.child_at(held.parent, path[-1]) == node
        assert tree.find_child(held.parent, self.id(held.id)) == node
        assert tree.find(self.id(held.id)) == (0 if self.model.siblings else node)
        assert list(tree.walk(node)) == self.model.subtree(node)
        assert tree.subtree_count(node) == len(self.model.subtree(node))
        assert tree.load_error(node) == (held.error if held.state == State.FAILED else 0)
        assert self.views[0][0].ancestors(node) == above
        assert all(tree.is_below(node, n) for n in above) and not tree.is_below(node, node)

    @rule(pick=PICK, names=st.lists(NAME, max_size=8))
    def find_many(self, pick, names):
        parent = self.any_parent(pick) if self.model.siblings else TOP
        found = self.tree.find_many([self.id(name) for name in names], parent if self.model.siblings else None)
        assert found.tolist() == [self.model.find(parent, name) for name in names]

    @precondition(lambda self: self.model.gone)
    @rule(pick=PICK)
    def stale(self, pick):
        node = self.model.gone[pick % len(self.model.gone)]
        view = self.views[0][0]
        assert node not in self.tree and self.tree.value(node) == 0 and view.row_of(node) is None
        for call in (
            self.tree.remove,
            self.tree.info,
            self.tree.load,
            self.tree.drop,
            view.expand,
            view.select,
            view.reveal,
        ):
            self.fails(ct.StaleError, call, node)
        self.fails(ct.StaleError, self.tree.move, node, TOP)

    @rule(picked=PICK, lookup=st.booleans())
    def flatten(self, picked, lookup):
        view, model, _ = self.any_view(picked)
        with_rows = view.flatten(lookup)
        assert list(zip(map(int, with_rows.nodes()), map(int, with_rows.depths()))) == model.rows()
        for row, (node, _) in enumerate(model.rows()[:5]):
            assert with_rows.row_of(node) == row and with_rows.node_at(row) == node

    @rule(picked=PICK)
    def upkeep(self, picked):
        view = self.any_view(picked)[0]
        view.trim()
        view.compact()
        assert view.memory() > 0 and self.tree.memory().total > 0

    # ---- Changes ----

    def accepted(self, model):
        model.shown = [(node, model.look(node)) for node, _ in model.rows()]
        model.shown_sections = model.section_rows() if model.sections else []
        model.touched.clear()

    @rule(picked=PICK, accept=st.booleans())
    def commit(self, picked, accept):
        view, model, _ = self.any_view(picked)
        batch = view.commit()
        new = [(node, model.look(node)) for node, _ in model.rows()]
        nodes = [node for node, _ in new]
        old = [node for node, _ in model.shown]
        assert (batch.reload, batch.old_count, batch.new_count) == (False, len(old), len(nodes))
        assert ct.apply(batch, old, nodes) == nodes
        assert sum(r.count for r in batch.deletes) == len(set(old) - set(nodes))
        assert sum(r.count for r in batch.inserts) == len(set(nodes) - set(old))
        assert sum(r.count for r in batch.moves) == fewest_moves(old, nodes)
        changed = {nodes[to + i] for _, to, count in batch.changes for i in range(count)}
        assert changed == {old[from_ + i] for from_, _, count in batch.changes for i in range(count)}
        looks = dict(model.shown)
        assert changed >= {node for node, look in new if node in looks and looks[node] != look}
        assert changed <= model.touched
        assert ct.diff(old, nodes, keys="nodes").moves == batch.moves or batch.moves
        if accept:
            view.accept()
            self.accepted(model)

    @rule(picked=PICK, accept=st.booleans())
    def commit_sections(self, picked, accept):
        view, model, _ = self.any_view(picked)
        batch = view.commit_sections()
        if model.sections:
            old, new = [s for s, _ in model.shown_sections], [s for s, _ in model.section_rows()]
            assert (batch.old_section_count, batch.new_section_count) == (len(old), len(new))
            deleted = sum(r.count for r in batch.section_deletes)
            inserted = sum(r.count for r in batch.section_inserts)
            moved = sum(r.count for r in batch.section_moves)
            assert len(old) - deleted + inserted == len(new)
            told_twice = deleted - len(set(old) - set(new))
            assert told_twice >= 0 and told_twice == inserted - len(set(new) - set(old))
            assert moved + told_twice == fewest_moves(old, new)
        else:
            assert batch.section_deletes == batch.section_inserts == batch.section_moves == []
        if accept:
            view.accept()
            self.accepted(model)
