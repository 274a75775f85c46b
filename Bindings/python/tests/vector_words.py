"""The format of Tests/vectors: lines, words, and how nodes are named."""

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


class Words:
    """What one scenario has made so far."""

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
