"""Random edits of a tree, and loads."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import rule
from machine_base import ITEMS, NAME, PICK, SMALL, STATE, Base
from model import TOP

import ctreecore as ct
from ctreecore import Elsewhere, State


class Edits(Base):
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
