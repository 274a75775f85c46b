"""Runs the scenarios of Tests/vectors; their README is the format."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import ctreecore as ct

WORDS = {status: status.name.lower().replace("_", "-") for status in ct.Status}
STATES = {state.name.lower(): state for state in ct.State}


class Unknown(Exception):
    """A NODE word that names nothing."""


def scenarios(text: str) -> Iterator[tuple[str, list[tuple[int, list[str], list[list[str]], list[str]]]]]:
    """The name and the steps of each: line number, words, input lines, expected lines."""
    name, steps = "", []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("scenario "):
            if name:
                yield name, steps
            name, steps = line[9:], []
        elif line.startswith("+ "):
            steps[-1][2].append(line[2:].split(" "))
        elif line.startswith("= "):
            steps[-1][3].append(line[2:])
        elif line and not line.startswith("#"):
            steps.append((number, line.split(" "), [], []))
    yield name, steps


def unquoted(word: str) -> bytes:
    assert len(word) >= 2 and word[0] == word[-1] == '"', word
    return re.sub(rb"\\x(..)", lambda m: bytes([int(m[1], 16)]), word[1:-1].encode())


def quoted(data: bytes) -> str:
    plain = lambda b: 0x20 < b < 0x7F and b not in b'"\\/'  # noqa: E731
    return '"' + "".join(chr(b) if plain(b) else f"\\x{b:02x}" for b in data) + '"'


def yes(flag: bool) -> str:
    return "yes" if flag else "no"


def place(word: str) -> int | None:
    return None if word == "end" else int(word)


def levels(word: str) -> int | None:
    return None if word == "all" else int(word)


def stopper(words: list[str]) -> Callable[[int, int], bool] | None:
    return (lambda done, total: False) if words and words[-1] == "stop" else None


def limit(words: list[str]) -> int:
    return int(words[words.index("limit") + 1]) if "limit" in words else 0


class Runner:
    """One scenario."""

    def __init__(self) -> None:
        self.tree: ct.Tree | None = None
        self.named: dict[str, Any] = {}
        self.values: list[int] = []
        self.heard: list[str] = []
        self.told: dict[str, list[str]] = {}
        self.out: list[str] = []

    def run(self, words: list[str], given: list[list[str]]) -> list[str]:
        """The lines that a step prints."""
        self.out = []
        act = getattr(self, "do_" + words[0].replace("-", "_"), None)
        assert act is not None, f"no such verb: {words[0]}"
        try:
            act(words[1:], given)
        except Unknown:
            self.out = ["unknown"]
        except ct.CTreeError as error:
            self.out = [self.failure(error)]
        return self.out

    def failure(self, error: ct.CTreeError) -> str:
        word = WORDS[error.status]
        if hasattr(error, "twice"):
            twice = error.twice
            word += f" {'new' if twice.in_new else 'old'} {'section' if twice.in_sections else 'row'}"
            return f"{word} {twice.first} {twice.second}"
        if error.fault is None:
            return word
        if self.bulk is False:
            return f"{word} {self.name(error.fault.node)}"
        items = ["-" if i is None else str(i) for i in error.fault[:2]]
        return f"{word} item {items[0]} other {items[1]} node {self.name(error.fault.node)}"

    bulk = True

    # ---- Words ----

    def say(self, *parts: Any) -> None:
        self.out.append(" ".join(map(str, parts)))

    def id_of(self, word: str) -> Any:
        return int(word) if self.tree.ids is int else unquoted(word)

    def id_word(self, id: Any) -> str:
        return str(id) if isinstance(id, int) else quoted(id)

    def node(self, word: str) -> int:
        if word == "-":
            return ct.NONE
        if word[0] == "$":
            return self.named[word]
        if not self.siblings:
            found = self.tree.find(self.id_of(word))
        else:
            found = ct.NONE
            for part in word.split("/"):
                found = self.tree.find_child(found, self.id_of(part))
                if not found:
                    break
        if not found:
            raise Unknown
        return found

    def name(self, node: int) -> str:
        node = int(node)
        if node == ct.NONE:
            return "-"
        if node not in self.tree:
            return "gone"
        parts = []
        while node:
            parts.append(self.id_word(self.tree.id(node)))
            node = self.tree.parent(node) if self.siblings else ct.NONE
        return "/".join(reversed(parts))

    def list(self, nodes: Any) -> None:
        self.say(len(nodes), *map(self.name, nodes))

    def rows(self, nodes: Any, depths: Any) -> None:
        for node, depth in zip(nodes, depths, strict=True):
            self.say(depth, self.name(node))

    def window(self, rows: list[ct.Row]) -> None:
        for r in rows:
            flags = [
                word if flag else "-"
                for word, flag in (("expandable", r.expandable), ("expanded", r.expanded), ("more", r.more))
            ]
            self.say(r.depth, self.name(r.node), r.position, r.sibling_count, ct.State(r.state).name.lower(), *flags)

    def forest(self, given: list[list[str]]) -> ct.Forest:
        parents = [None if line[0] == "-" else int(line[0]) for line in given]
        filled = [line + ["0", "0", "auto"][len(line) - 2 :] for line in given]
        states = [
            STATES[line[4]] if line[4] != "auto" else STATES["loaded" if i in parents else "leaf"]
            for i, line in enumerate(filled)
        ]
        if all(line[4] == "auto" for line in filled):
            states = None
        ids = [self.id_of(line[1]) for line in given]
        return ct.Forest(ids, parents, [int(line[2]) for line in filled], [int(line[3]) for line in filled], states)

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

    # ---- Views ----

    def do_view(self, words, given):
        flags = {word.replace("-", "_"): True for word in words[2:]}
        flags.setdefault("records", False)
        self.named[words[0]] = self.tree.view(levels(words[1]), **flags)

    def do_close_view(self, words, given):
        self.named[words[0]].close()

    def do_view_store(self, words, given):
        self.say(yes(self.named[words[0]].tree is self.tree))

    def do_expand(self, words, given):
        self.named[words[0]].expand(self.node(words[1]))

    def do_collapse(self, words, given):
        self.named[words[0]].collapse(self.node(words[1]))

    def do_toggle(self, words, given):
        self.named[words[0]].toggle(self.node(words[1]))

    def do_reveal(self, words, given):
        self.named[words[0]].reveal(self.node(words[1]))

    def do_expand_all(self, words, given):
        self.named[words[0]].expand_all(self.node(words[1]), levels(words[2]), stopper(words))

    def do_collapse_all(self, words, given):
        self.named[words[0]].collapse_all(self.node(words[1]))

    def do_expanded(self, words, given):
        self.say(yes(self.named[words[0]].is_expanded(self.node(words[1]))))

    def do_visible(self, words, given):
        self.say(yes(self.named[words[0]].is_visible(self.node(words[1]))))

    def do_expandable(self, words, given):
        self.say(yes(self.named[words[0]].is_expandable(self.node(words[1]))))

    def do_rows(self, words, given):
        view = self.named[words[0]]
        self.rows(*view.nodes_and_depths(0, len(view)))

    def do_nodes_from(self, words, given):
        self.rows(*self.named[words[0]].nodes_and_depths(int(words[1]), int(words[2])))

    def do_window(self, words, given):
        view, first, count = self.named[words[0]], int(words[1]), int(words[2])
        rows = view.window(first, count)
        assert [tuple(row) for row in rows] == [tuple(row) for row in view.window_array(first, count).tolist()]
        self.window(rows)

    def do_row_count(self, words, given):
        self.say(len(self.named[words[0]]))

    def do_node_at(self, words, given):
        self.say(self.name(self.named[words[0]].node_at(int(words[1]))))

    def do_row_of(self, words, given):
        row = self.named[words[0]].row_of(self.node(words[1]))
        self.say("-" if row is None else row)

    def do_nodes_at(self, words, given):
        self.list(self.named[words[0]].nodes_at([int(word) for word in words[1:]]))

    def do_rows_of(self, words, given):
        rows = self.named[words[0]].rows_of([self.node(word) for word in words[1:]])
        self.say(len(rows), *("-" if row == 0xFFFFFFFF else row for row in rows))

    def do_ancestors(self, words, given):
        self.list(self.named[words[0]].ancestors(self.node(words[1])))

    def do_section_count(self, words, given):
        self.say(self.named[words[0]].section_count)

    def do_section(self, words, given):
        view, section = self.named[words[0]], int(words[1])
        self.say(self.name(view.section_node(section)), view.section_rows(section))

    def do_index_path(self, words, given):
        self.say(*self.named[words[0]].index_path(int(words[1])))

    def do_row_at(self, words, given):
        row = self.named[words[0]].row_at(int(words[1]), int(words[2]))
        self.say("-" if row is None else row)

    def do_view_memory(self, words, given):
        assert self.named[words[0]].memory() > 0

    def do_trim(self, words, given):
        self.named[words[0]].trim()

    def do_compact(self, words, given):
        self.named[words[0]].compact()

    def do_validate_view(self, words, given):
        self.named[words[0]].validate()

    def do_select(self, words, given):
        self.named[words[0]].select(self.node(words[1]), words[2] == "yes")

    def do_select_rows(self, words, given):
        self.named[words[0]].select_rows(int(words[1]), int(words[2]), words[3] == "yes")

    def do_deselect_all(self, words, given):
        self.named[words[0]].deselect_all()

    def do_selected(self, words, given):
        self.say(yes(self.named[words[0]].is_selected(self.node(words[1]))))

    def do_selected_count(self, words, given):
        self.say(self.named[words[0]].selected_count)

    def do_selection(self, words, given):
        view = self.named[words[0]]
        nodes = [int(node) for node in view.selected()]
        hidden = sorted(self.name(node) for node in nodes if node not in view)
        self.say(len(nodes), *(self.name(node) for node in nodes[: len(nodes) - len(hidden)]), *hidden)

    def do_watch(self, words, given):
        told = self.told.setdefault(words[0], [])
        self.named[words[0]].watch(lambda splice: told.append(" ".join(map(str, splice))))

    def do_unwatch(self, words, given):
        self.named[words[0]].watch(None)

    def do_splices(self, words, given):
        self.out = list(self.told.get(words[0], []))
        self.told.get(words[0], []).clear()

    # ---- Saved states ----

    def path(self, word: str) -> tuple[Any, ...]:
        return tuple(map(self.id_of, word.split("/")))

    def do_save(self, words, given):
        what = ct.What(0)
        for word in words[1:]:
            what |= ct.What[word.upper()]
        for path, held in self.named[words[0]].save(what):
            bits = [
                bit.name.lower() for bit in (ct.What.EXPANDED, ct.What.COLLAPSED, ct.What.SELECTED) if bit in held
            ]
            self.say("/".join(map(self.id_word, path)), *bits)
        self.out.sort()

    def do_restore(self, words, given):
        entries = []
        for path, *bits in given:
            entries.append(ct.Saved(self.path(path), ct.What(sum(ct.What[bit.upper()] for bit in bits))))
        self.named[words[0]].restore(entries)

    def do_waiting(self, words, given):
        self.say(self.named[words[0]].waiting_count)

    def do_forget_waiting(self, words, given):
        self.named[words[0]].forget_waiting()

    def do_reveal_path(self, words, given):
        there, node = self.named[words[0]].reveal_path(self.path(words[1]))
        self.say("ok" if there else "loading", self.name(node))

    # ---- Changes ----

    def batch(self, b: Any) -> None:
        if b.reload:
            self.say("reload")
            return
        if isinstance(b, ct.SectionBatch):
            self.say("sections", b.old_section_count, b.new_section_count, "rows", b.old_count, b.new_count)
            for kind in ("delete", "insert", "move", "change"):
                for part in getattr(b, f"section_{kind}s"):
                    self.say(f"section-{kind}", *part)
        else:
            self.say("rows", b.old_count, b.new_count)
        for kind in ("delete", "insert", "move", "change"):
            for part in getattr(b, kind + "s"):
                self.say(kind, *part)

    def do_commit(self, words, given):
        self.batch(self.named[words[0]].commit(limit(words)))

    def do_commit_sections(self, words, given):
        self.batch(self.named[words[0]].commit_sections(limit(words)))

    def do_accept(self, words, given):
        self.named[words[0]].accept()

    # ---- Plain rows ----

    def do_flatten(self, words, given):
        self.named[words[1]] = self.named[words[0]].flatten("lookup" in words[2:], stopper(words))

    def do_rows_list(self, words, given):
        rows = self.named[words[0]]
        assert len(rows) == len(rows.nodes())
        self.rows(rows.nodes(), rows.depths())

    def do_rows_section_count(self, words, given):
        self.say(self.named[words[0]].section_count)

    def do_rows_section(self, words, given):
        rows, section = self.named[words[0]], int(words[1])
        self.say(self.name(rows.section_node(section)), rows.section_start(section))

    def do_rows_index_path(self, words, given):
        self.say(*self.named[words[0]].index_path(int(words[1])))

    do_rows_at = do_row_at

    def do_rows_node(self, words, given):
        self.say(self.name(self.named[words[0]].node_at(int(words[1]))))

    do_rows_row = do_row_of

    def do_rows_window(self, words, given):
        self.window(self.named[words[0]].window(self.named[words[1]], int(words[2]), int(words[3])))

    def do_rows_free(self, words, given):
        self.named[words[0]].close()

    # ---- Diff ----

    def do_diff(self, words, given):
        keys = {"u64": "numbers", "ids": "bytes", "nodes": "nodes"}[words[0]]
        lists = {"old": ct.RowList([], [], [], [], []), "new": ct.RowList([], [], [], [], [])}
        key_of = {"u64": int, "ids": unquoted, "nodes": self.node}[words[0]]
        for where, key, *revision in given:
            rows = lists[where[:3]]
            keys_, revisions = (
                (rows.sections, rows.section_revisions) if where.endswith("-section") else (rows.rows, rows.revisions)
            )
            keys_.append(key_of(key))
            revisions.extend(map(int, revision))
            if where.endswith("-section"):
                rows.section_rows.append(0)
            elif rows.sections:
                rows.section_rows[-1] += 1
        for rows in lists.values():
            rows.revisions = rows.revisions or None
            rows.section_revisions = rows.section_revisions or None
        old = None if "from-nothing" in words else lists["old"]
        told = ct.diff(old, lists["new"], words[1], keys=keys, limit=limit(words), progress=stopper(words))
        if isinstance(told, (ct.Batch, ct.SectionBatch)):
            self.batch(told)
            return
        self.say(*(["reload"] if told.reload else ["rows", told.old_count, told.new_count]))
        for splice in getattr(told, "splices", ()):
            self.say("splice", *splice)
        for step in getattr(told, "steps", ()):
            numbers = {"delete": (step.from_, step.count), "move": step[1:], "insert": (step.to, step.count)}
            self.say("step-" + step.kind, *numbers[step.kind])
