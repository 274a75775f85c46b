/// What a controller asks and tells while nodes open and close.
///
/// Every method has a default, so that a delegate writes only what it cares for. A type that belongs to the main actor
/// conforms in isolation: `extension ViewController: @MainActor TreeControllerDelegate`.
///
/// Within `will` and `did` the controller may be edited; the edits are part of the same update.
public protocol TreeControllerDelegate<ID, Value>: AnyObject {
  /// What names the items.
  associatedtype ID: Hashable, Sendable
  /// What the items stand for.
  associatedtype Value

  /// Whether a node may open or close. `false` stops it, and nothing changes.
  ///
  /// - Parameters:
  ///   - controller: Who asks.
  ///   - item: The item of the node, without its children.
  ///   - state: The state that is to come.
  func controller(
    _ controller: TreeController<ID, Value>, shouldChangeNode item: TreeItem<ID, Value>, to state: TreeNodeState
  ) -> Bool

  /// Says that a node is about to open or close, and may replace its item: the place to load children at once when it opens,
  /// or to give them up when it closes.
  ///
  /// - Returns: `nil`, or a new version of the item; its children replace those of before. A list, also an empty one, is
  ///   loaded; `.leaf` makes the node a leaf, which does not open; `.unloaded` and `.unchanged` replace only value and names.
  func controller(
    _ controller: TreeController<ID, Value>, willChangeNode item: TreeItem<ID, Value>, to state: TreeNodeState
  ) -> TreeItem<ID, Value>?

  /// Says that a node has opened or closed. What it became is told: `.collapsed` where `will` made it a leaf.
  func controller(
    _ controller: TreeController<ID, Value>, didChangeNode item: TreeItem<ID, Value>, to state: TreeNodeState)

  /// Asks for the children of a node that was opened and has none yet. The load may be ended now or later, or left alone by
  /// a delegate that hands in a new version of the item instead.
  func controller(_ controller: TreeController<ID, Value>, load: TreeLoad<ID, Value>)

  /// Tells all change of the rows since the last time, once for each update. The controller answers in new coordinates.
  func controller(_ controller: TreeController<ID, Value>, changed changes: TreeChanges)
}

/// Whether a node is open.
public enum TreeNodeState: Hashable, Sendable {
  /// Closed, or a leaf.
  case collapsed
  /// Open.
  case expanded
}

// Inlinable, so that what a delegate leaves out costs a tap nothing.
extension TreeControllerDelegate {
  /// Lets every node open and close.
  @inlinable
  public func controller(
    _ controller: TreeController<ID, Value>, shouldChangeNode item: TreeItem<ID, Value>, to state: TreeNodeState
  ) -> Bool { true }

  /// Replaces nothing.
  @inlinable
  public func controller(
    _ controller: TreeController<ID, Value>, willChangeNode item: TreeItem<ID, Value>, to state: TreeNodeState
  ) -> TreeItem<ID, Value>? { nil }

  /// Does nothing.
  @inlinable
  public func controller(
    _ controller: TreeController<ID, Value>, didChangeNode item: TreeItem<ID, Value>, to state: TreeNodeState
  ) {}

  /// Leaves the load alone: the node is loading until a new version of its item is handed in.
  @inlinable
  public func controller(_ controller: TreeController<ID, Value>, load: TreeLoad<ID, Value>) {}

  /// Does nothing.
  @inlinable
  public func controller(_ controller: TreeController<ID, Value>, changed changes: TreeChanges) {}
}
