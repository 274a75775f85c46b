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
    let shown = whatIsShown()
    precondition(shown.sections.indices.contains(section), "The sections are \(shown.sections.indices).")
    return shown.sectionName(section)
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
      guard let now = map.rowNow(of: row), let found = tree.rows(in: now..<now + 1).first else { return nil }
      tree.handle.looks?.noteDrawn(found.node.handle)
      return found
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
  /// Kept, since a section that an update removes has its name until that is told.
  private let names: [String?]

  /// - Parameter last: What was shown before, whose names serve again where the sections are the same.
  init<ID, Value>(_ tree: Tree<ID, Value>, after last: Shown?) {
    edits = tree.edits
    rowCount = tree.rowCount
    guard tree.options.hasSections else {
      list = nil
      names = []
      return
    }
    let list = tree.sections()
    self.list = list
    if let last, last.sections.elementsEqual(list, by: { $0.node == $1.node }) {
      names = last.names
    } else {
      names = list.map { tree.sectionName(ofNode: $0.node) }
    }
  }

  /// The name of a section; `nil` for the unnamed one, and without sections.
  func sectionName(_ section: Int) -> String? { list == nil ? nil : names[section] }

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
