/// Names a node of a tree for as long as the node lives, also while it is hidden, moved or replaced by a new version of
/// its item. Once the node is removed the name is stale for ever.
public struct TreeNode: Hashable, Sendable {
  @usableFromInline let handle: UInt64

  /// `nil` for the handle that names no node.
  @inlinable
  init?(handle: UInt64) {
    guard handle != 0 else { return nil }
    self.handle = handle
  }
}

/// What is known of a node's children.
public enum TreeLoadState: Hashable, Sendable {
  /// There are none and there never will be.
  case leaf
  /// There may be some.
  case unloaded
  /// They are being loaded; those of before stay until the new ones are in.
  case loading
  /// They are here, possibly none.
  case loaded
  /// The last load failed; those of before are still here.
  case failed
}

/// Where a row is: its section, and its number within that section. Without sections the section is 0.
public struct TreeIndexPath: Hashable, Comparable, Sendable {
  /// The number of the section, counted from 0.
  public var section: Int
  /// The number of the row within the section, counted from 0.
  public var row: Int

  /// Makes an index path.
  /// - Complexity: O(1).
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  /// Orders by section, then by row.
  /// - Complexity: O(1).
  public static func < (a: TreeIndexPath, b: TreeIndexPath) -> Bool {
    (a.section, a.row) < (b.section, b.row)
  }
}

extension TreeIndexPath: CustomStringConvertible {
  /// As in `(0, 3)`.
  /// - Complexity: O(1).
  public var description: String { "(\(section), \(row))" }
}

/// Names one load of one node's children; see ``Tree/beginLoad(of:reload:)``.
public struct TreeTicket: Hashable, Sendable {
  /// The node whose children are loaded.
  public let node: TreeNode
  let number: UInt64
}

/// A row as a table shows it.
public struct TreeRow<ID: Hashable & Sendable, Value> {
  /// The node.
  public let node: TreeNode
  // What the item is made of, and not the item: an array of rows goes much sooner where it holds no type that would have to be
  // found for the identifiers and values of each row.
  @usableFromInline let id: ID
  @usableFromInline let value: Value
  @usableFromInline let sectionName: String?
  @usableFromInline let cellIdentifier: String?
  @usableFromInline let isEmpty: Bool
  /// The level, counted from 0.
  public let level: Int
  /// The position among the siblings, counted from 0.
  public let position: Int
  /// How many siblings there are, this one included.
  public let siblingCount: Int
  /// What is known of the children.
  public let loadState: TreeLoadState
  /// Whether the row looks as if it could open.
  public let isExpandable: Bool
  /// Whether it is open.
  public let isExpanded: Bool
  /// Whether more children are to come.
  public let hasMore: Bool

  /// Its item, without children: `.unchanged` stands for those that the tree has.
  /// - Complexity: O(1).
  @inlinable
  public var item: TreeItem<ID, Value> {
    TreeItem(id, value, TreeItem.Store(shallow: loadState, isEmpty: isEmpty), sectionName, cellIdentifier)
  }
}

extension TreeRow {
  @inlinable
  init(_ record: RowRecord, _ id: ID, _ value: Value, _ sectionName: String?, _ cellIdentifier: String?) {
    node = TreeNode(living: record.node)
    self.id = id
    self.value = value
    self.sectionName = sectionName
    self.cellIdentifier = cellIdentifier
    isEmpty = record.isEmpty
    level = Int(record.level)
    position = Int(record.position)
    siblingCount = Int(record.siblingCount)
    loadState = record.loadState
    isExpandable = record.isExpandable
    isExpanded = record.isExpanded
    hasMore = record.hasMore
  }
}

extension TreeRow: Sendable where Value: Sendable {}
extension TreeRow: Equatable where Value: Equatable {}
