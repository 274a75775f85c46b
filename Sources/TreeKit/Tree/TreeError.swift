/// Why a call on a tree failed. Nothing was changed by the call then.
///
/// Beside what its comment names, any edit may throw ``noMemory`` and ``limit``.
public enum TreeError: Error, Hashable, Sendable {
  /// The tree has no item of that identifier.
  case unknownIdentifier
  /// The node is gone: it was removed, or it is another tree's.
  case staleNode
  /// A position or row is beyond the end.
  case outOfRange
  /// An identifier stands twice.
  ///
  /// - `item`: where the item at fault stands among those handed in: the ordinals from the top level down. It is empty where
  ///   a single node was at fault. Of items that were added one by one to a ``TreeBuilder`` it is their number in that order.
  /// - `other`: the other place.
  case duplicate(item: [Int], other: Place)
  /// An item of a flat list names a parent that is not in the list; the item's position in the list.
  case missingParent(item: Int)
  /// The node is a leaf: it cannot open.
  case leaf
  /// A node would come to stand below itself.
  case cycle
  /// The delegate returned an item with another identifier than the one that it was asked about.
  case identifierMismatch
  /// The identifiers are unique among siblings only, so that one alone does not name a node.
  case ambiguousScope
  /// A load of the node is under way already.
  case loading
  /// The children are there already, and no reload was asked for.
  case loaded
  /// A newer load of the node has begun, or this one has ended.
  case superseded
  /// The load was cancelled.
  case cancelled
  /// A call from within a call that does not allow it.
  case busy
  /// There is no more memory.
  case noMemory
  /// A limit of the tree was reached.
  case limit

  /// Where an identifier stands already.
  public enum Place: Hashable, Sendable {
    /// Among the items handed in, as a path of ordinals.
    case items([Int])
    /// In the tree.
    case node(TreeNode)
    /// It could not be told.
    case unknown
  }
}
