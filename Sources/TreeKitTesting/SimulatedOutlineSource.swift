public import TreeKit

/// Where a simulated outline gets items and their looks: your data source, asked as an outline view asks it.
public struct SimulatedOutlineSource<ID: Hashable> {
  /// How many children an item has; `nil` stands for the top level.
  public var numberOfChildren: (_ item: TreeOutlineItem?) -> Int
  /// A child of an item: the same object as long as it is shown.
  public var child: (_ position: Int, _ item: TreeOutlineItem?) -> TreeOutlineItem
  /// Whether an item looks as if it could open.
  public var isExpandable: (TreeOutlineItem) -> Bool
  /// Whether an item is to be open, as the outline was told.
  public var isExpanded: (TreeOutlineItem) -> Bool
  /// The cell of an item; `nil` for one that an update has removed, until the outline is told.
  public var cell: (TreeOutlineItem) -> SimulatedCell<ID>?

  /// Whether no two items have the same identifier.
  public var hasUniqueIdentifiers = true
  /// Identifiers and levels of all rows, where they are known elsewhere.
  var rows: (() -> [SimulatedCell<ID>])?

  /// Makes a data source of the questions that it answers.
  /// - Complexity: O(1).
  public init(
    numberOfChildren: @escaping (_ item: TreeOutlineItem?) -> Int,
    child: @escaping (_ position: Int, _ item: TreeOutlineItem?) -> TreeOutlineItem,
    isExpandable: @escaping (TreeOutlineItem) -> Bool,
    isExpanded: @escaping (TreeOutlineItem) -> Bool,
    cell: @escaping (TreeOutlineItem) -> SimulatedCell<ID>?
  ) {
    self.numberOfChildren = numberOfChildren
    self.child = child
    self.isExpandable = isExpandable
    self.isExpanded = isExpanded
    self.cell = cell
  }

  func children(of item: TreeOutlineItem?) -> [TreeOutlineItem] {
    (0..<numberOfChildren(item)).map { child($0, item) }
  }
}
