"""Steps of stores: reading, edits, loading."""

from __future__ import annotations

from vector_words import STATES, WORDS, Words, limit, place, stopper, yes

import ctreecore as ct


class StoreSteps(Words):
    """do_x is the step x."""

    # ---- The store ----

    def do_store(self, words, given):
        kind = int if words[0] == "u64" else bytes
        self.siblings = words[1] == "siblings"
        self.tree = ct.Tree(
            kind,
            siblings=self.siblings,
            limit=limit(words),
            released=lambda nodes, values: self.values.extend(values),
        )

    def do_close(self, words, given):
        self.tree.close()

    def do_kinds(self, words, given):
        self.say("u64" if self.tree.numbered else "bytes", "siblings" if self.tree.siblings else "store")

    def do_count(self, words, given):
        self.say(len(self.tree))

    def do_memory(self, words, given):
        assert self.tree.memory().total > 0

    def do_validate(self, words, given):
        self.tree.validate()

    def do_find(self, words, given):
        self.say(self.name(self.tree.find(self.id_of(words[0]))))

    def do_find_child(self, words, given):
        self.say(self.name(self.tree.find_child(self.node(words[0]), self.id_of(words[1]))))

    def do_find_many(self, words, given):
        parent = self.node(words[0])
        self.list(self.tree.find_many([self.id_of(word) for word in words[1:]], parent if self.siblings else None))

    do_find_many_u64 = do_find_many

    def do_name(self, words, given):
        self.named[words[0]] = self.node(words[1])

    def do_contains(self, words, given):
        self.say(yes(self.node(words[0]) in self.tree))

    def do_node(self, words, given):
        i = self.tree.info(self.node(words[0]))
        self.say(
            "parent",
            self.name(i.parent),
            "value",
            i.value,
            "revision",
            i.revision,
            "state",
            i.state.name.lower(),
            "children",
            i.child_count,
            "more",
            yes(i.more),
        )

    def do_parent(self, words, given):
        self.say(self.name(self.tree.parent(self.node(words[0]))))

    def do_id(self, words, given):
        self.say(self.id_word(self.tree.id(self.node(words[0]))))

    def do_value(self, words, given):
        self.say(self.tree.value(self.node(words[0])))

    def do_revision(self, words, given):
        self.say(self.tree.revision(self.node(words[0])))

    def do_state(self, words, given):
        self.say(self.tree.state(self.node(words[0])).name.lower())

    def do_child_count(self, words, given):
        self.say(self.tree.child_count(self.node(words[0])))

    def do_child_at(self, words, given):
        self.say(self.name(self.tree.child_at(self.node(words[0]), int(words[1]))))

    def do_children(self, words, given):
        self.list(self.tree.children(self.node(words[0]), int(words[1]), int(words[2])))

    def do_ordinal(self, words, given):
        self.say(self.tree.ordinal(self.node(words[0])))

    def do_depth(self, words, given):
        self.say(self.tree.depth(self.node(words[0])))

    def do_below(self, words, given):
        self.say(yes(self.tree.is_below(self.node(words[0]), self.node(words[1]))))

    def do_path(self, words, given):
        path = self.tree.path(self.node(words[0]))
        self.say(len(path), *path)

    def do_at_path(self, words, given):
        self.say(self.name(self.tree.node_at_path([int(word) for word in words])))

    def do_next(self, words, given):
        self.say(self.name(self.tree.next(self.node(words[0]), self.node(words[1]), words[2] == "yes")))

    def do_walk(self, words, given):
        self.list(list(self.tree.walk(self.node(words[0]))))

    def do_subtree_count(self, words, given):
        self.say(self.tree.subtree_count(self.node(words[0])))

    def do_version(self, words, given):
        assert ct.__version__ == ".".join(map(str, ct.version()))

    def do_status_name(self, words, given):
        self.say(ct.status_name(int(words[0])))

    # ---- Edits ----

    def do_insert(self, words, given):
        self.bulk = False
        try:
            rest = words[3:] + ["0", "0", "leaf"][len(words) - 3 :]
            self.tree.insert(
                self.node(words[0]),
                self.id_of(words[2]),
                int(rest[0]),
                int(rest[1]),
                STATES[rest[2]],
                place(words[1]),
            )
        except ct.CTreeError as error:
            self.say(self.failure(error))
        finally:
            self.bulk = True

    def do_remove(self, words, given):
        self.tree.remove(self.node(words[0]))

    def do_remove_children(self, words, given):
        self.tree.remove_children(self.node(words[0]), int(words[1]), int(words[2]))

    def do_move(self, words, given):
        self.tree.move(self.node(words[0]), self.node(words[1]), place(words[2]))

    def do_set(self, words, given):
        self.tree.set(self.node(words[0]), int(words[1]), int(words[2]))

    def do_set_leaf(self, words, given):
        self.tree.set_leaf(self.node(words[0]), words[1] == "yes")

    def do_build(self, words, given):
        self.tree.build(self.forest(given), self.node(words[0]), place(words[1]), stopper(words))

    def do_graft(self, words, given):
        with ct.Tree(self.tree.ids, siblings=self.siblings) as other:
            other.build(self.forest(given))
            try:
                self.tree.graft(other, self.node(words[0]), place(words[1]), stopper(words))
            except ct.CTreeError:
                assert len(other) == len(given)
                raise
            assert len(other) == 0

    def do_reconcile(self, words, given):
        self.tree.reconcile(self.forest(given), self.node(words[0]), ct.Elsewhere[words[1].upper()], stopper(words))

    def do_begin(self, words, given):
        self.tree.begin()

    def do_end(self, words, given):
        self.tree.end()

    def do_listen(self, words, given):
        def hear(when: str, e: ct.Edit) -> None:
            if e.kind == ct.EditKind.CHANGE:
                bits = [word for word, bit in (("value", 1), ("revision", 2), ("load-state", 4)) if e.changed & bit]
                words = [self.name(e.node), *bits]
            else:
                words = [self.name(e.parent), str(e.first), str(e.count)]
            if e.kind == ct.EditKind.MOVE:
                words += [self.name(e.to_parent), str(e.to_first)]
            self.heard.append(" ".join([when, e.kind.name.lower(), *words]))

        def after(e: ct.Edit) -> None:
            hear("after", e)
            try:
                self.tree.begin()
                self.heard.append("not busy")
            except ct.BusyError:
                pass

        self.listener = self.tree.listen(lambda e: hear("before", e), after, lambda: self.heard.append("settled"))

    def do_unlisten(self, words, given):
        self.listener.close()

    def do_heard(self, words, given):
        self.out, self.heard = self.heard, []

    def do_released(self, words, given):
        self.say(len(self.values), *sorted(self.values))
        self.values.clear()

    # ---- Loading ----

    def do_request(self, words, given):
        self.tree.request(self.node(words[0]))

    def do_next_request(self, words, given):
        self.say(self.name(self.tree.next_request()))

    def do_requests(self, words, given):
        self.list(list(self.tree.requests()))

    def do_load(self, words, given):
        try:
            self.named[words[1]] = self.tree.load(self.node(words[0]), "reload" in words[2:])
        except ct.LoadingError as error:
            self.named[words[1]] = error.load
            raise

    def load(self, words: list[str]) -> ct.Load:
        """The ticket, of the node that the step names."""
        return ct.Load(self.tree, self.node(words[0]), self.named[words[1]].ticket)

    def do_check(self, words, given):
        self.say(WORDS[self.load(words).status()])

    def do_finish(self, words, given):
        self.load(words).finish(self.forest(given), ct.Elsewhere[words[2].upper()])

    def do_append(self, words, given):
        self.load(words).append(self.forest(given), words[2] == "more")

    def do_fail(self, words, given):
        self.load(words).fail(int(words[2]))

    def do_cancel(self, words, given):
        self.load(words).cancel()

    def do_error(self, words, given):
        self.say(self.tree.load_error(self.node(words[0])))

    def do_drop(self, words, given):
        self.tree.drop(self.node(words[0]))
