// Opening and closing of more than one node. The delegate is not asked about each of them, since there may be a million; it is
// told of the change of rows, once.

extension TreeController {
  /// Opens everything that is there, unloaded nodes too, whose loads are asked for. It acts once: what comes later is closed.
  ///
  /// - Parameter levels: How many levels to open, from the topmost rows on.
  /// - Throws: ``TreeError/noMemory``, ``TreeError/busy``; nothing has changed then.
  /// - Complexity: O(items of those levels), and one change of rows.
  public func expandAll(levels: Int = .max) throws(TreeError) {
    try update { tree throws(TreeError) in try tree.expandAll(levels: levels) }
  }

  /// Opens a node and everything that is there below it.
  ///
  /// - Parameters:
  ///   - id: The topmost node to open.
  ///   - levels: How many levels to open: 1 opens the node only.
  /// - Throws: ``TreeError/unknownIdentifier``, ``TreeError/noMemory``, ``TreeError/busy``; nothing has changed then.
  /// - Complexity: O(items of those levels), and one change of rows.
  public func expandAll(under id: ID, levels: Int = .max) throws(TreeError) {
    try expandAll(under: node(for: id), levels: levels)
  }

  /// Opens a node and everything that is there below it.
  /// - Throws: ``TreeError/staleNode``, ``TreeError/noMemory``, ``TreeError/busy``; nothing has changed then.
  /// - Complexity: O(items of those levels), and one change of rows.
  public func expandAll(under node: TreeNode, levels: Int = .max) throws(TreeError) {
    try update { tree throws(TreeError) in try tree.expandAll(under: node, levels: levels) }
  }

  /// Closes everything.
  /// - Throws: ``TreeError/noMemory``, ``TreeError/busy``; nothing has changed then.
  /// - Complexity: O(*n*), and one change of rows.
  public func collapseAll() throws(TreeError) {
    try update { tree throws(TreeError) in try tree.collapseAll() }
  }

  /// Closes a node and everything below it.
  /// - Throws: ``TreeError/unknownIdentifier``, ``TreeError/noMemory``, ``TreeError/busy``; nothing has changed then.
  /// - Complexity: O(*s*) for *s* items, and one change of rows.
  public func collapseAll(under id: ID) throws(TreeError) { try collapseAll(under: node(for: id)) }

  /// Closes a node and everything below it.
  /// - Throws: ``TreeError/staleNode``, ``TreeError/noMemory``, ``TreeError/busy``; nothing has changed then.
  /// - Complexity: O(*s*) for *s* items, and one change of rows.
  public func collapseAll(under node: TreeNode) throws(TreeError) {
    try update { tree throws(TreeError) in try tree.collapseAll(under: node) }
  }

  // MARK: Revealing

  /// Opens every ancestor of a node, so that it is a row.
  /// - Throws: ``TreeError/unknownIdentifier``, ``TreeError/noMemory``, ``TreeError/busy``; nothing has changed then.
  /// - Complexity: O(*d* log *v*), and one change of rows.
  public func reveal(_ id: ID) throws(TreeError) { try reveal(node(for: id)) }

  /// Opens every ancestor of a node, so that it is a row.
  /// - Throws: ``TreeError/staleNode``, ``TreeError/noMemory``, ``TreeError/busy``; nothing has changed then.
  /// - Complexity: O(*d* log *v*), and one change of rows.
  public func reveal(_ node: TreeNode) throws(TreeError) {
    try update { tree throws(TreeError) in try tree.reveal(node) }
  }

  /// Opens every ancestor of an item that may yet have to be loaded: those that are there at once, the others as they arrive.
  /// See ``Tree/reveal(path:inSection:)``.
  ///
  /// - Parameters:
  ///   - path: The identifiers from the top level down to the item.
  ///   - section: The name of the section that the topmost one is in, in a tree with sections.
  /// - Returns: Whether the item is a row, or will be one once loads are in.
  /// - Throws: ``TreeError/unknownIdentifier`` where an ancestor is a leaf, or all its children are there and this is none of
  ///   them (a topmost item is always waited for), ``TreeError/noMemory``,
  ///   ``TreeError/busy``; nothing has changed then.
  /// - Complexity: O(*d* log *v*), and one change of rows now and with each load.
  @discardableResult
  public func reveal(path: [ID], inSection section: String? = nil) throws(TreeError) -> TreeReveal {
    try update { tree throws(TreeError) in try tree.reveal(path: path, inSection: section) }
  }

  // MARK: Accordion

  /// Closes the open siblings of a node that is about to open, as taps would.
  @usableFromInline
  func closeSiblings(of node: TreeNode) throws(TreeError) {
    for sibling in try tree.siblings(of: node) where sibling != node && tree.isExpanded(sibling) {
      _ = try change(sibling, nil, to: .collapsed)
    }
  }
}
