"""What the calls cost from Python: the measures of ../README.md."""

import statistics
import sys
from time import perf_counter_ns

import ctreecore as ct
import numpy

NODES, TOPS, ROUNDS, WINDOW, FINDS, WINDOWS = 1_000_000, 1000, 5, 100, 100_000, 10_000

items = numpy.arange(NODES, dtype=numpy.int64)
ids = (items + 1).astype(numpy.uint64)
parents = numpy.where(items < TOPS, -1, (items - TOPS) // 999).astype(numpy.uint32)


def scattered(count: int, n: int) -> numpy.ndarray:
    return numpy.arange(count, dtype=numpy.int64) * 7919 % n


def measure(name: str, calls: int, act, prepare=lambda: None) -> None:
    rounds = []
    for _ in range(ROUNDS):
        prepare()
        start = perf_counter_ns()
        act()
        rounds.append(perf_counter_ns() - start)
    print(name, f"{statistics.median(rounds) / calls:.1f}")


class Trees:
    tree: ct.Tree
    nodes: numpy.ndarray

    def empty(self) -> None:
        self.tree = ct.Tree(int)

    def build(self) -> None:
        self.nodes = self.tree.build(ct.Forest(ids, parents))


def each(call, arguments) -> None:
    for argument in arguments:
        call(argument)


trees = Trees()
measure("build", 1, trees.build, trees.empty)
tree = trees.tree
view = tree.view(records=False)
tops = trees.nodes[:TOPS].tolist()
each(view.expand, tops)
measure("expand", TOPS, lambda: each(view.expand, tops), lambda: each(view.collapse, tops))
measure("collapse", TOPS, lambda: each(view.collapse, tops), lambda: each(view.expand, tops))
wanted = ids[scattered(FINDS, NODES)]
numbers = wanted.tolist()
measure("find", FINDS, lambda: each(tree.find, numbers))
measure("find-many", 1, lambda: tree.find_many(wanted))
view.expand_all()
firsts = scattered(WINDOWS, len(view) - WINDOW).tolist()
measure("window", WINDOWS, lambda: each(lambda first: view.window(first, WINDOW), firsts))
window = view.window_of(WINDOW)
measure("window-array", WINDOWS, lambda: each(window.rows, firsts))
measure("nodes-array", WINDOWS, lambda: each(window.nodes, firsts))
nodes = trees.nodes[scattered(FINDS, NODES)].tolist()
measure("row-of", FINDS, lambda: each(view.row_of, nodes))
print(len(view), file=sys.stderr)
