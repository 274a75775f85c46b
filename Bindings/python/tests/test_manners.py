"""What Python expects beyond what all languages do: closing, threads, finalizers, exceptions in callbacks, arrays."""

import array
import gc
import pathlib
import subprocess
import sys
import threading

import numpy
import pytest

import ctreecore as ct
from ctreecore import Forest, Item, State


@pytest.fixture
def tree():
    tree = ct.Tree()
    tree.build(Forest.of([Item("a", [Item("b", [Item("c")])]), Item("d", state=State.UNLOADED)]))
    return tree


def test_readme_sample(capsys):
    tree = ct.Tree()
    tree.build(Forest.of([Item("docs", [Item("a.txt")]), Item("src", state=State.UNLOADED)]))
    view = tree.view()
    view.accept()
    view.expand(tree.find("docs"))
    view.expand(tree.find("src"))
    assert tree.serve(lambda load: ["main.c", "util.c"]) == 1
    assert view.commit().inserts == [(1, 1), (3, 2)]
    assert [tree.id(row.node) for row in view.window(0, 20)] == ["docs", "a.txt", "src", "main.c", "util.c"]


def test_use_after_close(tree):
    view, rows = tree.view(), tree.view().flatten()
    load = tree.load(tree.find("d"))
    tree.close()
    tree.close()
    assert tree.closed and not view.closed
    for call in (
        lambda: tree.find("a"),
        lambda: len(tree),
        load.cancel,
        load.status,
        lambda: view.expand(1),
        tree.view,
    ):
        with pytest.raises(ct.ClosedError):
            call()
    assert len(rows) == 2
    rows.close()
    view.close()
    for call in (lambda: len(rows), rows.nodes, lambda: len(view), view.commit):
        with pytest.raises(ct.ClosedError):
            call()


def test_views_keep_what_they_need():
    view = ct.Tree().view()
    gc.collect()
    assert len(view) == 0 and view.tree.insert(0, "x") and len(view) == 1


def test_exception_in_listener_is_raised_by_the_edit(tree):
    def refuse(edit):
        raise KeyError("refused")

    listener = tree.listen(after=refuse)
    with pytest.raises(KeyError, match="refused"):
        tree.insert(0, "x")
    listener.close()
    assert tree.find("x") in tree, "an exception takes nothing back"
    tree.insert(0, "y")


def test_exception_in_progress_stops_the_call(tree):
    def stop(done, total):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        tree.build(Forest(["x"]), progress=stop)
    assert tree.find("x") == 0


def test_edit_within_a_callback_is_busy(tree):
    heard = []

    def edit(_):
        with pytest.raises(ct.BusyError):
            tree.insert(0, "z")
        heard.append(tree.id(tree.find("x")))

    tree.listen(after=edit)
    tree.insert(0, "x")
    assert heard == ["x"]


def test_a_loader_that_raises_cancels(tree):
    view = tree.view()
    view.expand(tree.find("d"))
    with pytest.raises(OSError):
        tree.serve(lambda load: (_ for _ in ()).throw(OSError()))
    assert tree.state(tree.find("d")) == State.UNLOADED


def test_a_loader_may_keep_the_load(tree):
    kept = []
    view = tree.view()
    view.expand(tree.find("d"))
    assert tree.serve(kept.append) == 1
    assert tree.state(tree.find("d")) == State.LOADING
    kept[0].append(Forest(["e"]), more=True)
    kept[0].append(Forest(["f"]), more=False)
    assert [tree.id(int(node)) for node in view] == ["a", "d", "e", "f"]
    with pytest.raises(ct.SupersededError):
        kept[0].finish(Forest([]))


def test_finalizers_on_other_threads():
    tree, kept = ct.Tree(int), []
    tree.insert(0, 1)
    for _ in range(200):
        kept.append(tree.view())
    stop = threading.Event()
    failed = []

    def read():
        try:
            while not stop.is_set():
                node = tree.insert(0, 2)
                tree.remove(node)
        except BaseException as error:  # noqa: BLE001
            failed.append(error)

    def let_go():
        while kept:
            kept.pop()

    threads = [threading.Thread(target=read), threading.Thread(target=let_go), threading.Thread(target=let_go)]
    for thread in threads:
        thread.start()
    for thread in threads[1:]:
        thread.join()
    stop.set()
    threads[0].join()
    assert not failed
    tree.insert(0, 3)
    assert not tree._domain.pending
    tree.validate()


def test_a_finalizer_does_not_wait_for_a_call(tree):
    view = tree.view()
    ready, done = threading.Event(), threading.Event()

    def hold(edit):
        ready.set()
        assert done.wait(10), "the finalizer waited for the edit"

    tree.listen(after=hold)
    worker = threading.Thread(target=tree.insert, args=(0, "x"))
    worker.start()
    ready.wait(10)
    del view
    gc.collect()
    done.set()
    worker.join()
    assert len(tree._domain.pending) == 1
    tree.begin()
    tree.end()
    assert not tree._domain.pending


def test_values_are_told_when_the_tree_is_let_go():
    told = []
    tree = ct.Tree(int, released=lambda nodes, values: told.extend(values))
    tree.build(Forest(range(1, 5), values=[7, 8, 9, 10]))
    del tree
    gc.collect()
    assert sorted(told) == [7, 8, 9, 10]


@pytest.mark.parametrize(
    "ids, parents",
    [
        (numpy.arange(1, 5, dtype=numpy.uint64), numpy.array([-1, 0, 0, 2], dtype=numpy.int32)),
        (numpy.arange(1, 5, dtype=numpy.int64), numpy.array([-1, 0, 0, 2], dtype=numpy.int64)),
        (numpy.arange(1, 9, dtype=numpy.uint64)[::2] // 2 + 1, [None, 0, 0, 2]),
        (array.array("Q", [1, 2, 3, 4]), array.array("I", [0xFFFFFFFF, 0, 0, 2])),
        (range(1, 5), (-1, 0, 0, 2)),
        ((i for i in (1, 2, 3, 4)), iter([-1, 0, 0, 2])),
    ],
)
def test_forests_from_anything(ids, parents):
    tree = ct.Tree(int)
    nodes = tree.build(Forest(ids, parents))
    assert [tree.id(int(node)) for node in tree.walk()] == [1, 2, 3, 4]
    assert tree.find_many([4, 1, 77]).tolist() == [int(nodes[3]), int(nodes[0]), 0]


def test_packed_identifiers():
    tree = ct.Tree(bytes)
    tree.build(Forest(ct.PackedIds(b"onetwothree", numpy.array([0, 3, 6, 11], dtype=numpy.uint64))))
    assert [tree.id(node) for node in tree.walk()] == [b"one", b"two", b"three"]
    with pytest.raises(ValueError):
        tree.build(Forest(ct.PackedIds(b"one", [0, 4])))


def test_wrong_lengths_are_refused():
    with pytest.raises(ValueError):
        ct.Tree(int).build(Forest([1, 2], [-1]))


def test_a_window_is_written_in_place(tree):
    view = tree.view(depth=None)
    window = view.window_of(3)
    rows = window.rows(0)
    assert rows["depth"].tolist() == [0, 1, 2]
    assert window.rows(1) is rows and rows["depth"].tolist() == [1, 2, 0]
    assert window.rows(3)["depth"].tolist() == [0] and len(window.rows(4)) == 0
    nodes, depths = window.nodes(2)
    assert (nodes.tolist(), depths.tolist()) == (view.nodes(2, 9).tolist(), [2, 0])
    with pytest.raises(ct.OutOfRangeError):
        window.rows(5)
    view.close()
    with pytest.raises(ct.ClosedError):
        window.nodes(0)


def test_a_view_is_a_sequence(tree):
    view = tree.view(depth=None)
    names = [tree.id(node) for node in view]
    assert names == ["a", "b", "c", "d"] and len(view) == 4
    assert tree.id(view[-1]) == "d" and tree.id(int(view[1:3][1])) == "c"
    assert [tree.id(node) for node in view[::2]] == ["a", "c"]
    assert tree.find("c") in view and 12345 not in view
    with pytest.raises(IndexError):
        view[4]


def test_deep_and_wide():
    tree = ct.Tree(int)
    count = 200_000
    tree.build(Forest(range(count), numpy.arange(-1, count - 1, dtype=numpy.int32)))
    view = tree.view(depth=None)
    assert len(view) == count and view.window(count - 1, 1)[0].depth == count - 1
    item = Item(0)
    for name in range(1, 5000):
        item = Item(name, [item])
    assert len(ct.Tree(int).build(Forest.of([item]))) == 5000


def test_strings_that_are_no_utf8():
    tree = ct.Tree()
    node = tree.insert(0, b"\xff\xfe".decode("utf-8", "surrogateescape"))
    assert tree.id(node).encode("utf-8", "surrogateescape") == b"\xff\xfe"
    assert tree.find("caf\u00e9") == 0


def test_without_numpy():
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "import ctreecore as ct\n"
        "tree = ct.Tree(int)\n"
        "nodes = tree.build(ct.Forest([1, 2, 3], [None, 0, 0]))\n"
        "view = tree.view(depth=None)\n"
        "assert view.nodes(0, 9) == nodes and list(view) == list(nodes)\n"
        "assert list(tree.find_many([3, 9])) == [nodes[2], 0]\n"
        "assert len(view.flatten().nodes()) == 3\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_example(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c").touch()
    (tmp_path / "a").touch()
    example = pathlib.Path(__file__).parents[1] / "examples/lazy.py"
    run = subprocess.run([sys.executable, example, tmp_path], check=True, capture_output=True, text=True)
    top = str(tmp_path)
    assert run.stdout.split("\n") == [
        "2 rows came, 0 went", f"v {top}", "    a", "  > b",
        "1 rows came, 0 went", f"v {top}", "    a", "  v b", "      c",
        "0 rows came, 3 went", f"> {top}", "",
    ]  # fmt: skip
