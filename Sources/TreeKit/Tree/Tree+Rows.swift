internal import CTreeCore

extension Tree {
  /// How many rows there are.
  /// - Complexity: O(1).
  public var rowCount: Int { Int(ctree_view_row_count(view)) }

  /// The rows of a range, as a table shows them.
  /// - Parameter range: Within `0..<rowCount`.
  /// - Complexity: O(log *v* + *w* + *d*) for *w* rows that follow their elder siblings, and O(log *k*) for each other one.
  @inlinable
  public func rows(in range: Range<Int>) -> [TreeRow<ID, Value>] {
    precondition(range.lowerBound >= 0 && range.upperBound <= rowCount, "The rows are \(0..<rowCount).")
    guard !range.isEmpty else { return [] }
    return withUnsafeTemporaryAllocation(of: RowRecord.self, capacity: range.count) { records in
      let count = handle.window(range, into: records)
      // Read once, since each access to a property of a class is checked.
      let values = pool.values
      let hasNoNames = pool.hasNoNames
      let shortcut = coding.shortcut
      return [TreeRow<ID, Value>](unsafeUninitializedCapacity: count) { rows, initialized in
        for place in 0..<count {
          let record = records[place]
          guard let value = values[Int(record.value)] else {
            preconditionFailure("A row has a value that was released.")
          }
          rows.initializeElement(
            at: place,
            to: TreeRow(
              record, shortcut.id(record.bytes, record.word) ?? coding.id(record.bytes, record.word), value,
              hasNoNames ? nil : pool.sectionName(record.value),
              hasNoNames ? nil : pool.cellIdentifier(record.value)))
          initialized = place + 1
        }
      }
    }
  }

  /// All rows.
  /// - Complexity: O(*v* log *k*).
  public var rows: [TreeRow<ID, Value>] { rows(in: 0..<rowCount) }

  /// The node of a row; `nil` beyond the end.
  /// - Complexity: O(log *v*).
  public func node(atRow row: Int) -> TreeNode? {
    TreeNode(handle: ctree_view_node_at(view, UInt32(exactly: row) ?? CTREE_NO_ROW))
  }

  /// The row of a node; `nil` where it is hidden or gone.
  /// - Complexity: O(log *v*).
  public func row(of node: TreeNode) -> Int? {
    let row = ctree_view_row_of(view, node.handle)
    return row == CTREE_NO_ROW ? nil : Int(row)
  }

  /// The node at an index path; `nil` where there is none.
  /// - Complexity: O(log *v*).
  public func node(at path: TreeIndexPath) -> TreeNode? {
    guard let section = UInt32(exactly: path.section), let row = UInt32(exactly: path.row) else { return nil }
    let found = ctree_view_row_at_index_path(view, ctree_index_path(section: section, row: row))
    return found == CTREE_NO_ROW ? nil : TreeNode(handle: ctree_view_node_at(view, found))
  }

  /// Where the row of a node is; `nil` where it is hidden or gone.
  /// - Complexity: O(log *v*), and the logarithm of the number of sections.
  public func indexPath(of node: TreeNode) -> TreeIndexPath? {
    var path = ctree_index_path()
    let row = ctree_view_row_of(view, node.handle)
    guard row != CTREE_NO_ROW, ctree_view_index_path(view, row, &path) == CTREE_OK else { return nil }
    return TreeIndexPath(section: Int(path.section), row: Int(path.row))
  }

  /// How many sections there are: 1 in a tree without sections.
  /// - Complexity: O(1).
  public var sectionCount: Int { Int(ctree_view_section_count(view)) }

  /// How many rows a section has.
  /// - Complexity: O(log *v*).
  public func numberOfRows(inSection section: Int) -> Int {
    precondition(section >= 0 && section < sectionCount, "The sections are \(0..<sectionCount).")
    return Int(ctree_view_section_rows(view, UInt32(section)))
  }

  /// The node behind each section, and how many rows it has.
  func sections() -> [(node: ctree_node, rows: Int)] {
    guard options.hasSections else { return [(0, rowCount)] }
    return (0..<ctree_view_section_count(view)).map {
      (ctree_view_section_node(view, $0), Int(ctree_view_section_rows(view, $0)))
    }
  }

  /// The name of a section; `nil` for the unnamed one, and in a tree without sections.
  /// - Complexity: O(log sections).
  public func sectionName(_ section: Int) -> String? {
    sectionName(ofNode: ctree_view_section_node(view, UInt32(clamping: section)))
  }
}
