"""The tree: nodes, identifiers, order of children, load states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ._arrays import new_array
from ._ctreecore import ffi, lib
from ._domain import Context, Domain, progress_of
from ._reading import Reading
from .errors import DuplicateError, Fault, LoadingError, Status, error_of
from .forest import Forest, Item
from .load import Load, begin
from .types import NONE, Changed, Edit, EditKind, Elsewhere, Id, Node, State

if TYPE_CHECKING:
    from .view import View

Progress = Callable[[int, int], bool]


@ffi.def_extern()  # type: ignore[untyped-decorator]
def ctreecore_py_release(context: Any, nodes: Any, values: Any, count: int) -> None:
    ffi.from_handle(context)(nodes, values, count)


@ffi.def_extern()  # type: ignore[untyped-decorator]
def ctreecore_py_before(context: Any, store: Any, edit: Any) -> None:
    ffi.from_handle(context)("before", edit)


@ffi.def_extern()  # type: ignore[untyped-decorator]
def ctreecore_py_after(context: Any, store: Any, edit: Any) -> None:
    ffi.from_handle(context)("after", edit)


@ffi.def_extern()  # type: ignore[untyped-decorator]
def ctreecore_py_settled(context: Any, store: Any) -> None:
    ffi.from_handle(context)("settled", None)


def _edit(edit: Any) -> Edit:
    return Edit(
        EditKind(edit.kind),
        Changed(edit.changed),
        edit.node,
        edit.parent,
        edit.to_parent,
        edit.first,
        edit.count,
        edit.to_first,
    )


class Listener:
    """Hears the edits of a tree until it is closed."""

    __slots__ = ("_tree", "_token", "_context")

    def __init__(self, tree: Tree, token: int, context: Context) -> None:
        self._tree = tree
        self._token = token
        self._context = context

    def close(self) -> None:
        """Hears nothing more."""
        if self._token:
            self._tree._run(lib.ctree_store_remove_listener, self._token)
            self._token = 0
            self._tree._contexts.discard(self._context)


class Transaction:
    """Between its beginning and its end, listeners are not told that things have settled. Nothing is taken back."""

    __slots__ = ("_tree",)

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def __enter__(self) -> None:
        self._tree.begin()

    def __exit__(self, *error: object) -> None:
        self._tree.end()


class Tree(Reading):
    """A forest of nodes.

    `ids` is the type of identifiers: int (64 bits), str (kept as UTF-8) or bytes. With `siblings` an identifier need
    be unique only among the children of one node, else in the whole tree. `released` is told the values that the tree
    let go, as lists of nodes and values. A tree may be used from several threads, one call at a time.
    """

    __slots__ = ("_contexts",)

    def __init__(
        self,
        ids: type = str,
        *,
        siblings: bool = False,
        limit: int = 0,
        secret: bytes | None = None,
        released: Callable[[list[int], list[int]], None] | None = None,
    ) -> None:
        if ids not in (int, str, bytes):
            raise TypeError("identifiers are int, str or bytes")
        domain = Domain()
        self._contexts: set[Context] = set()
        options = ffi.new("ctree_store_options *")
        options.size = ffi.sizeof("ctree_store_options")
        options.id_kind = lib.CTREE_ID_U64 if ids is int else lib.CTREE_ID_BYTES
        options.id_scope = lib.CTREE_SCOPE_SIBLINGS if siblings else lib.CTREE_SCOPE_STORE
        options.node_limit = limit
        key = ffi.from_buffer(secret) if secret is not None else None
        if key is not None:
            options.secret, options.secret_size = key, len(key)
        if released is not None:
            tell = released
            context = Context(domain, lambda n, v, count: tell(ffi.unpack(n, count), ffi.unpack(v, count)))
            self._contexts.add(context)
            options.release, options.release_context = lib.ctreecore_py_release, context.handle
            # The last values are told when the tree is gone already.
            domain.kept = context
        out = ffi.new("ctree_store **")
        status = lib.ctree_store_create(options, out)
        if status:
            raise error_of(status)
        super().__init__(domain, out[0], lib.ctree_store_destroy, ids)

    def __enter__(self) -> Tree:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # ---- Edits ----

    def insert(
        self,
        parent: Node,
        id: Id,
        value: int = 0,
        revision: int = 0,
        state: State = State.LEAF,
        at: int | None = None,
    ) -> Node:
        """Inserts a node below `parent` (0: at the top level) before position `at` (None: last), and returns it.

        DuplicateError.fault.node is the node that has the identifier already.
        """
        out = ffi.new("ctree_node *")
        init = ffi.new("ctree_node_init *", (value, revision, int(state)))
        try:
            self._run(lib.ctree_store_insert, parent, _place(at), self._id_of(id), init, out)
        except DuplicateError:
            raise DuplicateError(None, Fault(None, None, out[0])) from None
        node: int = out[0]
        return node

    def remove(self, node: Node) -> None:
        """Removes a node and its subtree."""
        self._run(lib.ctree_store_remove, node)

    def remove_children(self, parent: Node, first: int, count: int) -> None:
        """Removes a run of children with their subtrees."""
        self._run(lib.ctree_store_remove_children, parent, first, count)

    def move(self, node: Node, parent: Node, at: int | None = None) -> None:
        """Moves a node with its subtree; `at` counts when it has left its old place."""
        self._run(lib.ctree_store_move, node, parent, _place(at))

    def set(self, node: Node, value: int, revision: int) -> None:
        """Gives a node another value and revision."""
        self._run(lib.ctree_store_set_value, node, value, revision)

    def set_leaf(self, node: Node, leaf: bool = True) -> None:
        """Makes a node a leaf, removing what is below it, or makes a leaf unloaded."""
        self._run(lib.ctree_store_set_leaf, node, leaf)

    # ---- Many nodes ----

    def build(
        self, forest: Forest, parent: Node = NONE, at: int | None = None, progress: Progress | None = None
    ) -> Any:
        """Builds a whole forest below a node, all or nothing; returns the node of each item as an array."""
        struct, count = forest._lent(self.ids)
        nodes, pointer = new_array("uint64_t", count)
        asked, _kept = progress_of(self._domain, progress)
        self._run_forest(lib.ctree_store_build, parent, _place(at), struct, asked, pointer)
        return nodes

    def graft(
        self, other: Tree, parent: Node = NONE, at: int | None = None, progress: Progress | None = None
    ) -> None:
        """Takes all nodes out of another tree and puts them below a node of this one."""
        asked, _kept = progress_of(self._domain, progress)
        with other._domain.lock:
            self._run_forest(lib.ctree_store_graft, parent, _place(at), other._open(), asked)

    def reconcile(
        self,
        forest: Forest,
        parent: Node = NONE,
        elsewhere: Elsewhere = Elsewhere.FAILS,
        progress: Progress | None = None,
    ) -> Any:
        """Replaces the children of a node, matching by identifier; returns the node of each item as an array."""
        struct, count = forest._lent(self.ids)
        nodes, pointer = new_array("uint64_t", count)
        asked, _kept = progress_of(self._domain, progress)
        self._run_forest(lib.ctree_store_reconcile, parent, struct, int(elsewhere), asked, pointer)
        return nodes

    # ---- Transactions and listeners ----

    def begin(self) -> None:
        """Begins a transaction; they nest."""
        self._run(lib.ctree_store_begin)

    def end(self) -> None:
        """Ends the transaction begun last."""
        self._run(lib.ctree_store_end)

    def transaction(self) -> Transaction:
        """A transaction as a context manager."""
        return Transaction(self)

    def listen(
        self,
        before: Callable[[Edit], None] | None = None,
        after: Callable[[Edit], None] | None = None,
        settled: Callable[[], None] | None = None,
    ) -> Listener:
        """Adds a listener. In `before` and `after` the tree is read-only; in `settled` it may be edited."""

        def hear(when: str, edit: Any) -> None:
            if when == "settled":
                if settled is not None:
                    settled()
                return
            act = before if when == "before" else after
            if act is not None:
                act(_edit(edit))

        context = Context(self._domain, hear)
        listener = ffi.new(
            "ctree_listener *",
            (context.handle, lib.ctreecore_py_before, lib.ctreecore_py_after, lib.ctreecore_py_settled),
        )
        token = ffi.new("uint64_t *")
        self._run(lib.ctree_store_add_listener, listener, token)
        self._contexts.add(context)
        return Listener(self, token[0], context)

    # ---- Loading ----

    def request(self, node: Node) -> None:
        """Asks for a node's children, as a view does for what it opens."""
        self._run(lib.ctree_load_request, node)

    def next_request(self) -> Node:
        """The oldest request that still stands, or 0."""
        node: int = self._read(lib.ctree_load_next_request)
        return node

    def requests(self) -> Iterator[Node]:
        """Takes requests until none is left."""
        while node := self.next_request():
            yield node

    def load(self, node: Node, reload: bool = False) -> Load:
        """Begins a load. LoadingError.load is the load under way, where there is one and no reload was asked for."""
        status, load = begin(self, node, reload)
        if status == Status.LOADING:
            error = LoadingError()
            error.load = load  # type: ignore[attr-defined]
            raise error
        if status:
            raise error_of(status)
        return load

    def serve(self, loader: Callable[[Load], Forest | Iterable[Any] | None]) -> int:
        """Begins a load for each request and calls the loader with it; returns how many.

        What the loader returns is the list of children, a Forest or an iterable of Item; with None the loader keeps
        the load, and hands the result in when it has it. Where it raises, the load is cancelled.
        """
        served = 0
        for node in self.requests():
            load = self.load(node)
            served += 1
            try:
                children = loader(load)
            except BaseException:
                if load.status() == Status.OK:
                    load.cancel()
                raise
            if isinstance(children, Forest):
                load.finish(children)
            elif children is not None:
                items = [child if isinstance(child, Item) else Item(child) for child in children]
                load.finish(Forest.of(items))
        return served

    def load_error(self, node: Node) -> int:
        """The error of a failed node; 0 for any other."""
        error: int = self._read(lib.ctree_load_error, node)
        return error

    def drop(self, node: Node) -> None:
        """Forgets a node's children: it is unloaded again."""
        self._run(lib.ctree_load_drop, node)

    # ---- Views ----

    def view(
        self,
        depth: int | None = 0,
        *,
        sections: bool = False,
        forgets: bool = False,
        empty_can_open: bool = False,
        records: bool = True,
    ) -> View:
        """A view: one way of looking at this tree. `depth` levels are open by default; None means all."""
        from .view import View

        return View(self, depth, sections=sections, forgets=forgets, empty_can_open=empty_can_open, records=records)


def _place(at: int | None) -> int:
    end: int = lib.CTREE_END
    return end if at is None else at
