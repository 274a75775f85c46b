internal import CTreeCore

extension TreeController {
  /// How many sections were told last.
  /// - Complexity: O(1).
  public var sectionCount: Int { whatIsShown().sections.count }

  /// How many rows were told last.
  /// - Complexity: O(1).
  public var rowCount: Int { whatIsShown().rowCount }

  /// How many rows of a section were told last.
  /// - Complexity: O(1).
  public func numberOfRows(inSection section: Int) -> Int {
    let sections = whatIsShown().sections
    precondition(sections.indices.contains(section), "The sections are \(sections.indices).")
    return sections[section].rows
  }

  /// The name of a section; `nil` for the unnamed one, and in a tree without sections.
  /// - Complexity: O(1).
  public func sectionName(_ section: Int) -> String? {
    let sections = whatIsShown().sections
    precondition(sections.indices.contains(section), "The sections are \(sections.indices).")
    return tree.sectionName(ofNode: sections[section].node)
  }

  /// The rows of a range, numbered through all sections. Within an update, a row whose node the update removed is left out.
  /// - Complexity: As ``Tree/rows(in:)``; within an update O(changes) for each row.
  public func rows(in range: Range<Int>) -> [TreeRow<ID, Value>] {
    let shown = whatIsShown()
    precondition(
      range.lowerBound >= 0 && range.upperBound <= shown.rowCount, "The rows are \(0..<shown.rowCount).")
    if shown.edits == tree.edits { return tree.rows(in: range) }
    guard let map = rowMap() else { return [] }
    return range.compactMap { row in
      map.rowNow(of: row).flatMap { tree.rows(in: $0..<$0 + 1).first }
    }
  }

  /// The row at an index path; `nil` where there is none, and within an update that removed its node.
  /// - Complexity: O(log *v*); within an update O(changes).
  public func row(at path: TreeIndexPath) -> TreeRow<ID, Value>? {
    guard let row = whatIsShown().row(at: path) else { return nil }
    return rows(in: row..<row + 1).first
  }

  /// The item at an index path.
  /// - Complexity: As ``row(at:)``.
  public func item(at path: TreeIndexPath) -> Item? { row(at: path)?.item }

  /// Where an item was shown last; `nil` where it is hidden or unknown.
  /// - Complexity: O(log *v*); within an update O(changes).
  public func indexPath(of id: ID) -> TreeIndexPath? { tree.find(id).flatMap { indexPath(of: $0) } }

  /// Where a node was shown last; `nil` where it is hidden or gone.
  /// - Complexity: O(log *v*); within an update O(changes).
  public func indexPath(of node: TreeNode) -> TreeIndexPath? {
    let shown = whatIsShown()
    if shown.edits == tree.edits { return tree.indexPath(of: node) }
    guard let row = tree.row(of: node) else { return nil }
    return rowMap()?.rowShown(of: row).flatMap { shown.path(of: $0) }
  }
}

/// What a table was told last: how many rows, and which sections with how many.
struct Shown {
  /// The edits of the tree that are part of it.
  let edits: Int
  let rowCount: Int
  /// Those of a tree with sections.
  private let list: [(node: ctree_node, rows: Int)]?

  init<ID, Value>(_ tree: Tree<ID, Value>) {
    edits = tree.edits
    rowCount = tree.rowCount
    list = tree.options.hasSections ? tree.sections() : nil
  }

  var sections: [(node: ctree_node, rows: Int)] { list ?? [(0, rowCount)] }

  func row(at path: TreeIndexPath) -> Int? {
    guard sections.indices.contains(path.section), path.row >= 0, path.row < sections[path.section].rows
    else { return nil }
    return sections[..<path.section].reduce(path.row) { $0 + $1.rows }
  }

  func path(of row: Int) -> TreeIndexPath? {
    var row = row
    for (number, section) in sections.enumerated() {
      if row < section.rows { return TreeIndexPath(section: number, row: row) }
      row -= section.rows
    }
    return nil
  }
}
