// Selecting changes no rows, and nothing is delivered of it: whoever selects a row draws it.

extension TreeController {
  /// Selects an item, hidden or not.
  /// - Throws: ``TreeError/unknownIdentifier``, ``TreeError/noMemory``, ``TreeError/busy``.
  /// - Complexity: O(1).
  public func select(_ id: ID) throws(TreeError) { try tree.select(node(for: id)) }

  /// Deselects an item.
  /// - Throws: ``TreeError/unknownIdentifier``, ``TreeError/busy``.
  /// - Complexity: O(1).
  public func deselect(_ id: ID) throws(TreeError) { try tree.deselect(node(for: id)) }

  /// Whether an item is selected; `false` where it is unknown.
  /// - Complexity: O(1).
  public func isSelected(_ id: ID) -> Bool { tree.find(id).map(tree.isSelected) ?? false }

  /// Selects rows, in the numbers that were delivered last.
  /// - Parameter rows: Within `0..<rowCount`.
  /// - Throws: ``TreeError/noMemory``, ``TreeError/busy``; the selection is as it was then.
  /// - Complexity: O(log *v* + *w*) for *w* rows; within an update O(*w* × changes).
  public func selectRows(in rows: Range<Int>) throws(TreeError) { try setSelected(rows, true) }

  /// Deselects rows, in the numbers that were delivered last.
  /// - Parameter rows: Within `0..<rowCount`.
  /// - Throws: ``TreeError/busy``; the selection is as it was then.
  /// - Complexity: O(log *v* + *w*) for *w* rows; within an update O(*w* × changes).
  public func deselectRows(in rows: Range<Int>) throws(TreeError) { try setSelected(rows, false) }

  /// Selects all rows; what is hidden stays as it is.
  /// - Throws: ``TreeError/noMemory``, ``TreeError/busy``; the selection is as it was then.
  /// - Complexity: O(*v*).
  public func selectAll() throws(TreeError) { try tree.selectAll() }

  /// Deselects everything, hidden or not.
  /// - Throws: ``TreeError/busy``.
  /// - Complexity: O(*n* / 64).
  public func deselectAll() throws(TreeError) { try tree.deselectAll() }

  /// How many items are selected, hidden ones included.
  /// - Complexity: O(1).
  public var selectedCount: Int { tree.selectedCount }

  /// The selected items without their children: first those that are rows, in their order, then the hidden ones.
  /// - Complexity: O(*n* / 64 + *c* log *c*) for *c* selected items.
  public var selectedItems: [Item] { tree.selectedNodes.compactMap { try? tree.item(at: $0) } }

  private func setSelected(_ rows: Range<Int>, _ isSelected: Bool) throws(TreeError) {
    guard isTold else {
      // A row that is gone meanwhile is no row to select.
      for row in self.rows(in: rows) { try tree.setSelected(row.node, isSelected) }
      return
    }
    try tree.setSelected(rows: rows, isSelected)
  }
}
