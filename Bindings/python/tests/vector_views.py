"""Steps of views, and of what stands by itself: rows and the diff."""

from __future__ import annotations

from typing import Any

from vector_words import Words, levels, limit, stopper, unquoted, yes

import ctreecore as ct


class ViewSteps(Words):
    """do_x is the step x."""

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
