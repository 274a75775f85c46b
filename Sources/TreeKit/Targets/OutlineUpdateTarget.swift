/// A view that shows the tree itself, and takes its changes one after the other as those of the children of an item, as
/// `NSOutlineView` does. Positions count the children of the parent as they are at that moment.
///
/// Nothing is told of what is below an item that is closed. An item has its children in the view from the time that it is
/// told as open, and keeps nothing of them when it is told as closed. A data source answers, when each call is made, as it is
/// after that call.
public protocol OutlineUpdateTarget: AnyObject {
  /// Whether the view can take an update now; one that cannot is loaded anew instead.
  /// - Complexity: O(1) is expected.
  var acceptsUpdates: Bool { get }

  /// Lays out what is shown, as ``BatchUpdateTarget/prepareForUpdate()`` does.
  /// - Complexity: What the view makes of it.
  func prepareForUpdate()

  /// Loads everything anew, with every item closed; those that are open are told next.
  /// - Complexity: What the view makes of it.
  func reloadData()

  /// Runs an update before it returns. Items come, go and move inside of it only, and open and close outside.
  /// - Complexity: What the view makes of it.
  func performUpdate(_ update: @escaping () -> Void)

  /// Puts items in, so that the first is the child at the lower bound. They are closed.
  /// - Complexity: What the view makes of it.
  func insertItems(_ positions: Range<Int>, under parent: TreeOutlineItem?)

  /// Takes items away, with all that is shown below them.
  /// - Complexity: What the view makes of it.
  func removeItems(_ positions: Range<Int>, under parent: TreeOutlineItem?)

  /// Takes an item out and puts it in elsewhere, with all that is shown below it.
  ///
  /// - Parameters:
  ///   - position: Where it is among the children of `parent`.
  ///   - parent: Whose child it is.
  ///   - target: Where it is to be among the children of `newParent`, counted when it has been taken out.
  ///   - newParent: Whose child it is to be.
  /// - Complexity: What the view makes of it.
  func moveItem(
    _ position: Int, under parent: TreeOutlineItem?, to target: Int, under newParent: TreeOutlineItem?)

  /// Draws an item anew, without its children. It comes in an update of its own, after all else.
  /// - Complexity: What the view makes of it.
  func reloadItem(_ item: TreeOutlineItem)

  /// Opens an item. It has its children from then on; they are closed, and those that are open are told next.
  /// - Complexity: What the view makes of it.
  func expandItem(_ item: TreeOutlineItem)

  /// Closes an item, and all below it.
  /// - Complexity: What the view makes of it.
  func collapseItem(_ item: TreeOutlineItem)
}

extension OutlineUpdateTarget {
  /// Always.
  /// - Complexity: O(1).
  public var acceptsUpdates: Bool { true }
}

/// Stands for a node in an outline, which wants an object for each of its items, the same one as long as it is shown.
public final class TreeOutlineItem {
  /// The node.
  public let node: TreeNode

  init(_ node: TreeNode) { self.node = node }
}

extension TreeOutlineItem: Hashable {
  /// Whether it is the same object.
  /// - Complexity: O(1).
  public static func == (a: TreeOutlineItem, b: TreeOutlineItem) -> Bool { a === b }

  /// Hashes the object.
  /// - Complexity: O(1).
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
