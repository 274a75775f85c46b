internal import CTreeCore

extension Tree {
  /// How many rows there are.
  /// - Complexity: O(1); O(*v*) the first time after an edit.
  public var rowCount: Int { rowsNow().count }

  /// The rows of a range, as a table shows them.
  /// - Parameter range: Within `0..<rowCount`.
  /// - Complexity: O(*w* log *k*) for *w* rows; O(*v*) the first time after an edit.
  public func rows(in range: Range<Int>) -> [TreeRow<ID, Value>] {
    rows(in: range, of: rowsNow())
  }

  /// All rows.
  /// - Complexity: O(*v* log *k*).
  public var rows: [TreeRow<ID, Value>] { rows(in: 0..<rowCount) }

  /// The node of a row; `nil` beyond the end.
  /// - Complexity: O(1); O(*v*) the first time after an edit.
  public func node(atRow row: Int) -> TreeNode? { rowsNow().node(atRow: row) }

  /// The row of a node; `nil` where it is hidden or gone.
  /// - Complexity: O(1); O(*v*) the first time after an edit.
  public func row(of node: TreeNode) -> Int? { rowsNow().row(of: node) }

  /// The node at an index path; `nil` where there is none.
  /// - Complexity: O(1); O(*v*) the first time after an edit.
  public func node(at path: TreeIndexPath) -> TreeNode? { rowsNow().node(at: path) }

  /// Where the row of a node is; `nil` where it is hidden or gone.
  /// - Complexity: O(log sections); O(*v*) the first time after an edit.
  public func indexPath(of node: TreeNode) -> TreeIndexPath? { rowsNow().indexPath(of: node) }

  /// How many sections there are: 1 in a tree without sections.
  /// - Complexity: O(1); O(*v*) the first time after an edit.
  public var sectionCount: Int { rowsNow().sectionCount }

  /// How many rows a section has.
  /// - Complexity: O(1); O(*v*) the first time after an edit.
  public func numberOfRows(inSection section: Int) -> Int { rowsNow().numberOfRows(inSection: section) }

  /// The name of a section; `nil` for the unnamed one, and in a tree without sections.
  /// - Complexity: O(1); O(*v*) the first time after an edit.
  public func sectionName(_ section: Int) -> String? { sectionName(section, of: rowsNow()) }

  func sectionName(_ section: Int, of handle: RowsHandle) -> String? {
    sectionName(ofNode: ctree_rows_section_node(handle.rows, UInt32(clamping: section)))
  }

  func rows(in range: Range<Int>, of handle: RowsHandle) -> [TreeRow<ID, Value>] {
    precondition(range.lowerBound >= 0 && range.upperBound <= handle.count, "The rows are \(0..<handle.count).")
    guard !range.isEmpty else { return [] }
    var count = UInt32(range.count)
    var status = CTREE_OK
    let window = [ctree_row](unsafeUninitializedCapacity: range.count) { buffer, initialized in
      status = ctree_rows_window(handle.rows, view, UInt32(range.lowerBound), &count, buffer.baseAddress)
      initialized = status == CTREE_OK ? Int(count) : 0
    }
    precondition(status == CTREE_OK, "The rows are those of this tree.")
    return window.compactMap { row in
      let node = TreeNode(living: row.node)
      // A row of an earlier moment may have lost its node since.
      guard let info = try? info(node) else { return nil }
      return TreeRow(
        node: node, item: shallowItem(info), depth: Int(row.depth), position: Int(row.position),
        siblingCount: Int(row.sibling_count), loadState: TreeLoadState(row.load_state),
        isExpandable: row.expandable, isExpanded: row.expanded, hasMore: row.more)
    }
  }
}

extension RowsHandle {
  func node(atRow row: Int) -> TreeNode? {
    TreeNode(handle: ctree_rows_node(rows, UInt32(exactly: row) ?? CTREE_NO_ROW))
  }

  func row(of node: TreeNode) -> Int? {
    let row = ctree_rows_row(rows, node.handle)
    return row == CTREE_NO_ROW ? nil : Int(row)
  }

  func row(at path: TreeIndexPath) -> Int? {
    guard let section = UInt32(exactly: path.section), let row = UInt32(exactly: path.row) else { return nil }
    let found = ctree_rows_at_index_path(rows, ctree_index_path(section: section, row: row))
    return found == CTREE_NO_ROW ? nil : Int(found)
  }

  func node(at path: TreeIndexPath) -> TreeNode? {
    row(at: path).flatMap { node(atRow: $0) }
  }

  func indexPath(of node: TreeNode) -> TreeIndexPath? {
    guard let row = row(of: node) else { return nil }
    var path = ctree_index_path()
    guard ctree_rows_index_path(rows, UInt32(row), &path) == CTREE_OK else { return nil }
    return TreeIndexPath(section: Int(path.section), row: Int(path.row))
  }

  var sectionCount: Int { Int(ctree_rows_section_count(rows)) }

  func numberOfRows(inSection section: Int) -> Int {
    precondition(section >= 0 && section < sectionCount, "The sections are \(0..<sectionCount).")
    return Int(ctree_rows_section_start(rows, UInt32(section) + 1) - ctree_rows_section_start(rows, UInt32(section)))
  }
}
