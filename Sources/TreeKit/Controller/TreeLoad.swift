/// One load of one node's children, to be ended now or later.
///
/// Its calls do not throw for coming late, since a late result is ordinary: they say what became of it.
public final class TreeLoad<ID: Hashable & Sendable, Value> {
  /// The item whose children are wanted, as it was when the load began.
  public let item: TreeItem<ID, Value>
  /// The node of the item.
  /// - Complexity: O(1).
  public var node: TreeNode { ticket.node }
  let ticket: TreeTicket
  private weak var controller: TreeController<ID, Value>?

  init(_ item: TreeItem<ID, Value>, _ ticket: TreeTicket, _ controller: TreeController<ID, Value>) {
    self.item = item
    self.ticket = ticket
    self.controller = controller
  }

  /// Ends the load with the whole list of children; an empty list is loaded and empty.
  ///
  /// An identifier that stands elsewhere in the tree moves here, since the folder that it left may be refreshed later.
  /// - Complexity: O(*s*) for *s* items handed in or removed.
  @discardableResult
  public func finish(_ children: [TreeItem<ID, Value>]) -> TreeLoadOutcome {
    apply { tree throws(TreeError) in try tree.finish(ticket, with: children) }
  }

  /// Hands in a page of children, behind those of earlier pages. The load ends with the page that has no more behind it.
  /// - Complexity: O(*s*) for *s* items.
  @discardableResult
  public func append(page: [TreeItem<ID, Value>], more: Bool) -> TreeLoadOutcome {
    apply { tree throws(TreeError) in try tree.append(ticket, page: page, more: more) }
  }

  /// Ends the load in failure. The node keeps the error; opening it again tries anew.
  /// - Complexity: O(1).
  @discardableResult
  public func fail(_ error: any Error) -> TreeLoadOutcome {
    apply { tree throws(TreeError) in try tree.fail(ticket, with: error) }
  }

  /// Ends the load as if it had not begun.
  /// - Complexity: O(1).
  @discardableResult
  public func cancel() -> TreeLoadOutcome {
    apply { tree throws(TreeError) in try tree.cancel(ticket) }
  }

  private func apply(_ edit: (Tree<ID, Value>) throws(TreeError) -> Void) -> TreeLoadOutcome {
    controller?.apply(ticket, edit) ?? .gone
  }
}

@available(*, unavailable)
extension TreeLoad: Sendable {}

/// What became of the result of a load.
public enum TreeLoadOutcome: Hashable, Sendable {
  /// It is in the tree, and its node is a row.
  case applied
  /// It is in the tree, below a node that is closed or hidden, and shows when that is opened.
  case hidden
  /// Refused: the node is gone, or the whole tree is.
  case gone
  /// Refused: a newer load of the node has begun, or this one has ended.
  case superseded
  /// Refused: the load was cancelled.
  case cancelled
  /// Refused for what was handed in, an identifier that stands twice for example; the load goes on.
  case refused(TreeError)
}
