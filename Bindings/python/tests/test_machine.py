"""Random programs of everything that a tree and its views can do, against the plain model, through the package alone.

CTREE_EXAMPLES is how many programs are tried (2,000 for the full run: make bindings EXAMPLES=2000).
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from model import TOP, ModelTree, ModelView, fewest_moves

import ctreecore as ct
from ctreecore import Elsewhere, State

EXAMPLES = int(os.environ.get("CTREE_EXAMPLES", "60"))
# Shrinking a failure takes minutes: CTREE_SHRINK=0 shows it as it was found.
PHASES = [phase for phase in Phase if phase != Phase.shrink or os.environ.get("CTREE_SHRINK") != "0"]
PICK = st.integers(0, 1 << 12)
NAME = st.integers(0, 14)
SMALL = st.integers(0, 3)
STATE = st.sampled_from([State.LEAF, State.UNLOADED, State.LOADED])
FOREST_STATE = st.sampled_from([State.LEAF, State.UNLOADED, State.LOADED, State.KEEP])
ITEMS = st.lists(st.tuples(NAME, st.integers(-1, 7), SMALL, SMALL, FOREST_STATE), max_size=7)


class Machine(RuleBasedStateMachine):
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

    # ---- Edits ----

    @rule(pick=PICK, at=PICK, name=NAME, value=SMALL, revision=SMALL, state=STATE, last=st.booleans())
    def insert(self, pick, at, name, value, revision, state, last):
        parent = self.any_parent(pick)
        place = None if last else at % (len(self.model.nodes[parent].children) + 1)
        there = self.model.find(parent, name)
        if there:
            error = self.fails(
                ct.DuplicateError, self.tree.insert, parent, self.id(name), value, revision, state, place
            )
            assert error.fault.node == there
        else:
            node = self.tree.insert(parent, self.id(name), value, revision, state, place)
            self.model.add(node, parent, place, name, value, revision, state)

    @rule(pick=PICK, name=NAME)
    def insert_beyond(self, pick, name):
        parent = self.any_parent(pick)
        if not self.model.find(parent, name):
            at = len(self.model.nodes[parent].children) + 1
            self.fails(ct.OutOfRangeError, self.tree.insert, parent, self.id(name), 0, 0, State.LEAF, at)

    @rule(pick=PICK)
    def remove(self, pick):
        node = self.any_node(pick)
        if node:
            self.tree.remove(node)
            self.model.delete(node)

    @rule(pick=PICK, first=SMALL, count=SMALL)
    def remove_children(self, pick, first, count):
        parent = self.any_parent(pick)
        children = self.model.nodes[parent].children
        if first + count > len(children):
            self.fails(ct.OutOfRangeError, self.tree.remove_children, parent, first, count)
            return
        self.tree.remove_children(parent, first, count)
        for child in children[first : first + count]:
            self.model.delete(child)

    @rule(pick=PICK, to=PICK, at=PICK)
    def move(self, pick, to, at):
        node, parent = self.any_node(pick), self.any_parent(to)
        if not node:
            return
        model = self.model
        if parent == node or (parent and model.is_below(parent, node)):
            self.fails(ct.CycleError, self.tree.move, node, parent, 0)
            return
        twin = model.find(parent, model.nodes[node].id) if model.siblings else node
        if twin not in (0, node):
            self.fails(ct.DuplicateError, self.tree.move, node, parent, 0)
            return
        place = at % (len([c for c in model.nodes[parent].children if c != node]) + 1)
        self.tree.move(node, parent, place)
        model.put(node, parent, place)

    @rule(pick=PICK, value=SMALL, revision=SMALL)
    def set_value(self, pick, value, revision):
        node = self.any_node(pick)
        if node:
            self.tree.set(node, value, revision)
            self.model.set(node, value, revision)

    @rule(pick=PICK, leaf=st.booleans())
    def set_leaf(self, pick, leaf):
        node = self.any_node(pick)
        if not node:
            return
        self.tree.set_leaf(node, leaf)
        held = self.model.nodes[node]
        if leaf:
            for child in list(held.children):
                self.model.delete(child)
        if leaf or held.state == State.LEAF:
            self.model.end_load(node, State.LEAF if leaf else State.UNLOADED)

    @rule(pick=PICK, at=PICK, items=ITEMS)
    def build(self, pick, at, items):
        parent, forest = self.any_parent(pick), self.forest(items)
        place = at % (len(self.model.nodes[parent].children) + 1)
        keys = [(p if self.model.siblings else 0, n) for n, p in zip(forest.ids, forest.parents)]
        roots = [n for n, p in zip(forest.ids, forest.parents) if p < 0] if self.model.siblings else forest.ids
        if len(set(keys)) < len(keys) or any(self.model.find(parent, name) for name in roots):
            self.fails(ct.DuplicateError, self.tree.build, self.named(forest), parent, place)
            return
        nodes = self.tree.build(self.named(forest), parent, place).tolist()
        self.adopt(parent, place, forest, nodes)

    def adopt(self, parent, place, forest, nodes):
        for i, node in enumerate(nodes):
            above, state = forest.parents[i], forest.states[i]
            state = State.UNLOADED if state == State.KEEP else state
            to, at = (nodes[above], None) if above >= 0 else (parent, place)
            self.model.add(node, to, at, forest.ids[i], forest.values[i], forest.revisions[i], state)
            place += above < 0

    @rule(pick=PICK, items=ITEMS)
    def graft(self, pick, items):
        parent, forest = self.any_parent(pick), self.forest(items)
        keys = [(p if self.model.siblings else 0, n) for n, p in zip(forest.ids, forest.parents)]
        if len(set(keys)) < len(keys):
            return
        roots = [n for n, p in zip(forest.ids, forest.parents) if p < 0] if self.model.siblings else forest.ids
        with ct.Tree(self.kind, siblings=self.model.siblings) as other:
            other.build(self.named(forest))
            if any(self.model.find(parent, name) for name in roots):
                self.fails(ct.DuplicateError, self.tree.graft, other, parent)
                assert len(other) == len(items)
                return
            before = len(self.model.nodes[parent].children)
            self.tree.graft(other, parent)
            assert len(other) == 0
        nodes: list[int] = []
        for name, above in zip(forest.ids, forest.parents):
            nodes.append(self.tree.find_child(nodes[above] if above >= 0 else parent, self.id(name)))
        self.adopt(parent, before, forest, nodes)

    @rule(pick=PICK, items=ITEMS, moves=st.booleans())
    def reconcile(self, pick, items, moves):
        parent, forest = self.any_parent(pick), self.forest(items)
        failure, _ = self.model.reconcile(parent, forest)
        how = Elsewhere.MOVES if moves else Elsewhere.FAILS
        if failure == "cycle" or failure == "duplicate" or (failure and not moves):
            error = ct.CycleError if failure == "cycle" else ct.DuplicateError
            with pytest.raises((error, ct.CycleError, ct.DuplicateError)):
                self.tree.reconcile(self.named(forest), parent, how)
            return
        if self.model.nodes[parent].ticket or any(self.model.nodes[n].ticket for n in self.model.matched if n):
            return
        nodes = self.tree.reconcile(self.named(forest), parent, how).tolist()
        self.model.apply_reconcile(parent, forest, nodes)
        if parent != TOP:
            self.model.end_load(parent, State.LOADED)

    @rule(pick=PICK, first=SMALL, count=st.integers(1, 4), to=st.integers(0, 8))
    def reorder(self, pick, first, count, to):
        """A run of children stands elsewhere among its siblings, as a reconcile finds it."""
        parent = self.any_parent(pick)
        children, model = list(self.model.nodes[parent].children), self.model
        if len(children) < 3 or model.nodes[parent].ticket:
            return
        run = children[first : first + count]
        del children[first : first + count]
        children[to:to] = run
        held = [model.nodes[node] for node in children]
        forest = ct.Forest(
            [n.id for n in held],
            [-1] * len(held),
            [n.value for n in held],
            [n.revision for n in held],
            [State.KEEP] * len(held),
        )
        assert self.tree.reconcile(self.named(forest), parent).tolist() == children
        model.nodes[parent].children = children
        if parent != TOP:
            model.end_load(parent, State.LOADED)

    @rule(pick=PICK, to=PICK, name=NAME)
    def transaction(self, pick, to, name):
        with self.tree.transaction():
            self.set_value(pick, 1, 1)
            self.move(pick, to, 0)
            self.insert(to, 0, name, 2, 0, State.LEAF, True)

    # ---- Loading ----

    @rule(pick=PICK, reload=st.booleans())
    def begin_load(self, pick, reload):
        node = self.any_node(pick)
        if not node:
            return
        held = self.model.nodes[node]
        if held.state == State.LEAF:
            self.fails(ct.LeafError, self.tree.load, node, reload)
        elif held.ticket and not reload:
            assert self.fails(ct.LoadingError, self.tree.load, node).load.ticket == held.ticket
        elif held.state == State.LOADED and not held.more and not reload:
            self.fails(ct.DuplicateError, self.tree.load, node)
        else:
            load = self.tree.load(node, reload)
            self.tickets.append(load)
            again = held.state == State.FAILED and (held.replaces or not held.more)
            if held.state != State.LOADING:
                held.before, held.before_more, held.before_replaces = held.state, held.more, held.replaces
            held.paged = False
            held.replaces = reload or again
            held.ticket, held.state = load.ticket, State.LOADING
            self.model.touch(node)

    def any_ticket(self, pick):
        return self.tickets[pick % len(self.tickets)] if self.tickets else None

    def is_good(self, load):
        return load.node in self.model.nodes and self.model.nodes[load.node].ticket == load.ticket

    def ticket_fails(self, load, call, *arguments):
        with pytest.raises((ct.StaleError, ct.SupersededError, ct.CancelledError)) as caught:
            call(*arguments)
        assert (caught.type is ct.StaleError) == (load.node not in self.model.nodes)
        assert caught.value.status == load.status()

    @rule(pick=PICK, items=st.lists(st.tuples(NAME, SMALL), max_size=5, unique_by=lambda item: item[0]))
    def finish_load(self, pick, items):
        load = self.any_ticket(pick)
        if load is None:
            return
        forest = self.forest([(name, -1, value, 0, State.KEEP) for name, value in items])
        if not self.is_good(load):
            self.ticket_fails(load, load.finish, self.named(forest))
            return
        failure, _ = self.model.reconcile(load.node, forest)
        if failure == "cycle":
            self.fails(ct.CycleError, load.finish, self.named(forest))
            return
        nodes = load.finish(self.named(forest)).tolist()
        self.model.apply_reconcile(load.node, forest, nodes)
        self.model.end_load(load.node, State.LOADED)

    @rule(pick=PICK, names=st.lists(NAME, max_size=3, unique=True), more=st.booleans())
    def append_page(self, pick, names, more):
        load = self.any_ticket(pick)
        if load is None:
            return
        forest = self.forest([(name, -1, 0, 0, State.LEAF) for name in names])
        if not self.is_good(load):
            self.ticket_fails(load, load.append, self.named(forest), more)
            return
        held = self.model.nodes[load.node]
        if held.replaces:
            # The first page of a reload takes the place of what was there.
            failure, _ = self.model.reconcile(load.node, forest)
            if failure:
                with pytest.raises((ct.DuplicateError, ct.CycleError)):
                    load.append(self.named(forest), more)
                return
            nodes = load.append(self.named(forest), more).tolist()
            self.model.apply_reconcile(load.node, forest, nodes)
            self.end_page(load.node, more)
            return
        if any(self.model.find(load.node, name) for name in names):
            with pytest.raises((ct.DuplicateError, ct.CycleError)):
                load.append(self.named(forest), more)
            assert load.status() == ct.Status.OK
            return
        nodes = load.append(self.named(forest), more).tolist()
        for name, node in zip(names, nodes, strict=True):
            self.model.add(node, load.node, None, name, 0, 0, State.LEAF)
        self.end_page(load.node, more)

    def end_page(self, node, more):
        held = self.model.nodes[node]
        if more:
            held.state, held.more, held.paged, held.replaces = State.LOADED, True, True, False
            self.model.touch(node)
        else:
            self.model.end_load(node, State.LOADED)

    @rule(pick=PICK, error=st.integers(1, 9))
    def fail_load(self, pick, error):
        load = self.any_ticket(pick)
        if load is None:
            return
        if not self.is_good(load):
            self.ticket_fails(load, load.fail, error)
            return
        load.fail(error)
        held = self.model.nodes[load.node]
        more, replaces = self.tree.info(load.node).more, held.replaces
        self.model.end_load(load.node, State.FAILED)
        held.error, held.more, held.replaces = error, more, replaces

    @rule(pick=PICK)
    def cancel_load(self, pick):
        load = self.any_ticket(pick)
        if load is None:
            return
        if not self.is_good(load):
            self.ticket_fails(load, load.cancel)
            return
        held = self.model.nodes[load.node]
        load.cancel()
        assert load.status() == ct.Status.CANCELLED
        paged = held.paged
        state, more = (State.LOADED, True) if paged else (held.before, held.before_more)
        if state == State.UNLOADED and held.children:
            state = self.tree.state(load.node)
            assert state == State.LOADED
        error = self.tree.load_error(load.node)
        self.model.end_load(load.node, state)
        held.more, held.error = more, error
        held.replaces = held.before_replaces and not paged

    @rule(pick=PICK)
    def drop(self, pick):
        node = self.any_node(pick)
        if not node:
            return
        if self.model.nodes[node].state == State.LEAF:
            self.fails(ct.LeafError, self.tree.drop, node)
            return
        self.tree.drop(node)
        for child in list(self.model.nodes[node].children):
            self.model.delete(child)
        self.model.end_load(node, State.UNLOADED)

    @rule(pick=PICK)
    def request(self, pick):
        node = self.any_node(pick)
        if not node:
            return
        if self.model.nodes[node].state == State.LEAF:
            self.fails(ct.LeafError, self.tree.request, node)
            return
        self.tree.request(node)
        self.pull_requests(node)

    @rule()
    def pull_requests(self, wanted=TOP):
        pulled = list(self.tree.requests())
        assert len(set(pulled)) == len(pulled)
        asked = (State.UNLOADED, State.FAILED)
        assert all(self.model.nodes[node].state in asked for node in pulled)
        assert wanted == TOP or self.model.nodes[wanted].state not in asked or wanted in pulled

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
        assert tree.load_error(node) == held.error
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


def test_there_are_enough_operations():
    operations = [name for name in vars(Machine) if hasattr(getattr(Machine, name), "hypothesis_stateful_rule")]
    assert len(operations) >= 30


def test_random_programs():
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=50,
            deadline=None,
            database=None,
            print_blob=True,
            report_multiple_bugs=False,
            phases=PHASES,
            suppress_health_check=list(HealthCheck),
        ),
    )
