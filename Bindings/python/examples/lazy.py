"""lazy.py [FOLDER]: a folder as a tree whose folders are read when they are opened, and the changes that a table takes.

Identifiers are names, unique among siblings, so that the tree keeps names and not paths.
"""

import os
import pathlib
import sys

import ctreecore as ct
from ctreecore import Item, State


def path_of(tree: ct.Tree, node: int) -> pathlib.Path:
    names = []
    while node:
        names.append(tree.id(node))
        node = tree.parent(node)
    return pathlib.Path(*reversed(names))


def listed(load: ct.Load) -> list[Item]:
    with os.scandir(path_of(load.tree, load.node)) as entries:
        folders = {entry.name: entry.is_dir(follow_symlinks=False) for entry in entries}
    return [Item(name, state=State.UNLOADED if folders[name] else State.LEAF) for name in sorted(folders)]


def show(view: ct.View) -> None:
    """What a table would do: take the batch, then draw what is in sight."""
    batch = view.commit()
    view.accept()
    inserted = sum(run.count for run in batch.inserts)
    deleted = sum(run.count for run in batch.deletes)
    print(f"{inserted} rows came, {deleted} went")
    for row in view.window(0, 20):
        mark = ("v " if row.expanded else "> ") if row.expandable else "  "
        print("  " * row.depth + mark + view.tree.id(row.node))


def main(folder: str) -> None:
    with ct.Tree(siblings=True) as tree, tree.view() as view:
        top = tree.insert(ct.NONE, folder, state=State.UNLOADED)
        view.accept()
        view.expand(top)
        tree.serve(listed)
        show(view)
        closed = [row.node for row in view.window(0, 20) if row.expandable and not row.expanded]
        for node in closed[:1]:
            view.expand(node)
            tree.serve(listed)
            show(view)
        view.collapse(top)
        show(view)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else ".")
