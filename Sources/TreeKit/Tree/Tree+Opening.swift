internal import CTreeCore

extension Tree {
  /// Opens a node. Where its children are not there yet their load is requested; see ``nextLoadRequest()``.
  /// - Throws: ``TreeError/staleNode``, ``TreeError/leaf``, ``TreeError/noMemory``; nothing has changed then.
  /// - Complexity: O(1).
  public func expand(_ node: TreeNode) throws(TreeError) {
    try ensure(edited(ctree_view_expand(view, node.handle)))
  }

  /// Closes a node; what is open below it is remembered, unless the options say otherwise.
  /// - Throws: ``TreeError/staleNode``, ``TreeError/leaf``, ``TreeError/noMemory``; nothing has changed then.
  /// - Complexity: O(1).
  public func collapse(_ node: TreeNode) throws(TreeError) {
    try ensure(edited(ctree_view_collapse(view, node.handle)))
  }

  /// Opens what is closed and closes what is open.
  /// - Throws: ``TreeError/staleNode``, ``TreeError/leaf``, ``TreeError/noMemory``; nothing has changed then.
  /// - Complexity: O(1).
  public func toggle(_ node: TreeNode) throws(TreeError) {
    try ensure(edited(ctree_view_toggle(view, node.handle)))
  }

  /// Whether a node is open, be it visible or not; `false` for leaves and stale nodes.
  /// - Complexity: O(1).
  public func isExpanded(_ node: TreeNode) -> Bool {
    ctree_view_is_expanded(view, node.handle)
  }

  /// Whether every ancestor of a node is open, so that it is a row.
  /// - Complexity: O(*d*).
  public func isVisible(_ node: TreeNode) -> Bool {
    ctree_view_is_visible(view, node.handle)
  }

  /// Whether a node looks as if it could open.
  /// - Complexity: O(1).
  public func isExpandable(_ node: TreeNode) -> Bool {
    ctree_view_is_expandable(view, node.handle)
  }

  /// Opens everything below a node that is present, the node included; with `nil` the whole tree.
  ///
  /// - Parameters:
  ///   - node: Where to begin.
  ///   - levels: How many levels to open: 1 opens the node only, or the topmost rows.
  /// - Throws: ``TreeError/staleNode``, ``TreeError/noMemory``; nothing has changed then.
  /// - Complexity: O(items of those levels).
  public func expandAll(under node: TreeNode? = nil, levels: Int = .max) throws(TreeError) {
    var levels = UInt32(clamping: levels)
    // The core counts from the top of the store, where sections are.
    if node == nil, options.hasSections, levels != CTREE_ALL_LEVELS { levels += 1 }
    try ensure(edit { ctree_view_expand_all(view, node.handle, levels, nil) })
  }

  /// Closes a node and everything below it; with `nil` the whole tree.
  /// - Throws: ``TreeError/staleNode``, ``TreeError/noMemory``; nothing has changed then.
  /// - Complexity: O(*s*) for *s* items.
  public func collapseAll(under node: TreeNode? = nil) throws(TreeError) {
    try ensure(edit { ctree_view_collapse_all(view, node.handle) })
  }

  /// Opens every ancestor of a node, so that it is a row.
  /// - Throws: ``TreeError/staleNode``, ``TreeError/noMemory``; nothing has changed then.
  /// - Complexity: O(*d*).
  public func reveal(_ node: TreeNode) throws(TreeError) {
    try ensure(edit { ctree_view_reveal(view, node.handle) })
  }
}
