"""One load of one node's children."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._arrays import new_array
from ._ctreecore import ffi, lib
from .errors import Status
from .forest import Forest
from .types import Elsewhere, Node

if TYPE_CHECKING:
    from .tree import Tree


class Load:
    """A load under way, by its ticket.

    The calls that hand in a result raise StaleError where the node is gone, SupersededError where a newer load has
    begun or this one has ended, and CancelledError where it was cancelled: that is ordinary for a late result.
    """

    __slots__ = ("tree", "node", "ticket")

    def __init__(self, tree: Tree, node: Node, ticket: int) -> None:
        self.tree = tree
        self.node = node
        self.ticket = ticket

    def status(self) -> Status:
        """OK while the load is under way; else why it is not."""
        return Status(self.tree._read(lib.ctree_load_check, self.node, self.ticket))

    def finish(self, children: Forest, elsewhere: Elsewhere = Elsewhere.MOVES) -> Any:
        """Ends the load with the whole list of children; returns the node of each item."""
        forest, count = children._lent(self.tree.ids)
        nodes, pointer = new_array("uint64_t", count)
        self.tree._run_forest(lib.ctree_load_finish, self.node, self.ticket, forest, int(elsewhere), pointer)
        return nodes

    def append(self, page: Forest, more: bool = True) -> Any:
        """Hands in a page; without `more` the load ends. Returns the node of each item."""
        forest, count = page._lent(self.tree.ids)
        nodes, pointer = new_array("uint64_t", count)
        self.tree._run_forest(lib.ctree_load_append, self.node, self.ticket, forest, more, pointer)
        return nodes

    def fail(self, error: int) -> None:
        """Ends the load in failure; the node keeps the error and the children that it had."""
        self.tree._run(lib.ctree_load_fail, self.node, self.ticket, error)

    def cancel(self) -> None:
        """Ends the load as if it had not begun."""
        self.tree._run(lib.ctree_load_cancel, self.node, self.ticket)


def begin(tree: Tree, node: Node, reload: bool) -> tuple[Status, Load]:
    """The load that began, or with Status.LOADING the one under way."""
    ticket = ffi.new("ctree_ticket *")
    status = tree._read(lib.ctree_load_begin, node, lib.CTREE_LOAD_RELOAD if reload else 0, ticket)
    tree._domain.raise_failed()
    return Status(status), Load(tree, node, ticket[0])
