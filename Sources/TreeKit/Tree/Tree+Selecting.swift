internal import CTreeCore

// Selection belongs to nodes: one that is moved or hidden stays selected, one that is removed is deselected.

extension Tree {
  /// Selects a node, visible or not.
  /// - Throws: ``TreeError/staleNode``, ``TreeError/noMemory``, ``TreeError/busy``.
  /// - Complexity: O(1).
  public func select(_ node: TreeNode) throws(TreeError) { try setSelected(node, true) }

  /// Deselects a node.
  /// - Throws: ``TreeError/staleNode``, ``TreeError/busy``.
  /// - Complexity: O(1).
  public func deselect(_ node: TreeNode) throws(TreeError) { try setSelected(node, false) }

  /// Selects rows.
  /// - Parameter rows: Within `0..<rowCount`.
  /// - Throws: ``TreeError/noMemory``, ``TreeError/busy``; the selection is as it was then.
  /// - Complexity: O(log *v* + *w*) for *w* rows.
  public func selectRows(in rows: Range<Int>) throws(TreeError) { try setSelected(rows: rows, true) }

  /// Deselects rows.
  /// - Parameter rows: Within `0..<rowCount`.
  /// - Throws: ``TreeError/busy``; the selection is as it was then.
  /// - Complexity: O(log *v* + *w*) for *w* rows.
  public func deselectRows(in rows: Range<Int>) throws(TreeError) { try setSelected(rows: rows, false) }

  /// Selects all rows; what is hidden stays as it is.
  /// - Throws: ``TreeError/noMemory``, ``TreeError/busy``; the selection is as it was then.
  /// - Complexity: O(*v*).
  public func selectAll() throws(TreeError) { try setSelected(rows: 0..<rowCount, true) }

  /// Deselects everything, hidden or not.
  /// - Throws: ``TreeError/busy``.
  /// - Complexity: O(*n* / 64).
  public func deselectAll() throws(TreeError) { try ensure(ctree_view_deselect_all(view)) }

  /// Whether a node is selected; `false` where it is gone.
  /// - Complexity: O(1).
  public func isSelected(_ node: TreeNode) -> Bool { ctree_view_is_selected(view, node.handle) }

  /// How many nodes are selected, hidden ones included.
  /// - Complexity: O(1).
  public var selectedCount: Int { Int(ctree_view_selected_count(view)) }

  /// The selected nodes: first those that are rows, in their order, then the hidden ones.
  /// - Complexity: O(*n* / 64 + *c* log *c*) for *c* selected nodes.
  public var selectedNodes: [TreeNode] {
    var count = ctree_view_selected_count(view)
    guard count > 0 else { return [] }
    let nodes = [ctree_node](unsafeUninitializedCapacity: Int(count)) { buffer, initialized in
      let status = ctree_view_selected(view, &count, buffer.baseAddress)
      precondition(status == CTREE_OK, "There is no memory to list what is selected.")
      initialized = Int(count)
    }
    return nodes.map { TreeNode(living: $0) }
  }

  func setSelected(_ node: TreeNode, _ isSelected: Bool) throws(TreeError) {
    try ensure(ctree_view_select(view, node.handle, isSelected))
  }

  func setSelected(rows: Range<Int>, _ isSelected: Bool) throws(TreeError) {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= rowCount, "The rows are \(0..<rowCount).")
    try ensure(ctree_view_select_rows(view, UInt32(rows.lowerBound), UInt32(rows.count), isSelected))
  }
}
