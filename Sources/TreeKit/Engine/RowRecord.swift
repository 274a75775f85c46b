internal import CTreeCore

/// What the core says of a row, for code that is made for the caller's identifiers and values and calls no C.
@usableFromInline
struct RowRecord {
  @usableFromInline let node: UInt64
  @usableFromInline let value: UInt64
  /// The identifier, lent until the next edit: bytes and their number, or no bytes and a number.
  @usableFromInline let bytes: UnsafeRawPointer?
  @usableFromInline let word: UInt64
  @usableFromInline let level: UInt32
  @usableFromInline let position: UInt32
  @usableFromInline let siblingCount: UInt32
  @usableFromInline let loadState: TreeLoadState
  @usableFromInline let isEmpty: Bool
  @usableFromInline let isExpandable: Bool
  @usableFromInline let isExpanded: Bool
  @usableFromInline let hasMore: Bool
}

extension StoreHandle {
  /// Tells of the rows of a range, which has to be within those that there are; how many it told of.
  @usableFromInline
  func window(_ range: Range<Int>, into records: UnsafeMutableBufferPointer<RowRecord>) -> Int {
    withUnsafeTemporaryAllocation(of: ctree_row.self, capacity: range.count) { rows in
      var count = UInt32(range.count)
      let status = ctree_view_window(view, UInt32(range.lowerBound), &count, rows.baseAddress)
      precondition(status == CTREE_OK, "The range was looked at.")
      var told = 0
      var info = ctree_node_info()
      info.size = MemoryLayout<ctree_node_info>.size
      for row in rows[..<Int(count)] {
        guard ctree_store_info(store, row.node, &info) == CTREE_OK else { continue }
        records.initializeElement(
          at: told,
          to: RowRecord(
            node: row.node, value: info.value, bytes: info.id.bytes, word: info.id.word, level: row.depth,
            position: row.position, siblingCount: row.sibling_count, loadState: TreeLoadState(row.load_state),
            isEmpty: info.child_count == 0, isExpandable: row.expandable, isExpanded: row.expanded,
            hasMore: row.more))
        told += 1
      }
      return told
    }
  }
}
