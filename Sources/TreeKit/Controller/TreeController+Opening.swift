// What opens and closes is inlinable: made for the identifiers and values of the caller it takes half the time that it takes
// as code for any. It calls no C.

extension TreeController {
  /// Opens a node, loading its children first if there are none yet.
  ///
  /// The delegate is asked before anything changes and told afterwards; `changed` arrives once, after the last of them.
  ///
  /// - Returns: Whether it opened: `false` where the delegate forbade it, where `will` made it a leaf, and where it was open
  ///   already; a load that had failed is tried again then.
  /// - Throws: ``TreeError/unknownIdentifier``, ``TreeError/ambiguousScope``, ``TreeError/leaf``; what replacing the item throws where
  ///   `will` returns one, ``TreeError/identifierMismatch`` first. The node stays as it was then.
  /// - Complexity: O(log *k*) and what the change of rows costs.
  @discardableResult
  @inlinable
  public func expand(_ id: ID) throws(TreeError) -> Bool { try change(node(for: id), id, to: .expanded) }

  /// Closes a node.
  /// - Returns: Whether it closed: `false` where the delegate forbade it, and where it was closed already.
  /// - Throws: As ``expand(_:)-(ID)``.
  /// - Complexity: O(log *k*) and what the change of rows costs.
  @discardableResult
  @inlinable
  public func collapse(_ id: ID) throws(TreeError) -> Bool { try change(node(for: id), id, to: .collapsed) }

  /// Opens what is closed and closes what is open.
  /// - Throws: As ``expand(_:)-(ID)``.
  /// - Complexity: O(log *k*) and what the change of rows costs.
  @discardableResult
  @inlinable
  public func toggle(_ id: ID) throws(TreeError) -> Bool {
    let node = try node(for: id)
    return try change(node, id, to: tree.isExpanded(node) ? .collapsed : .expanded)
  }

  /// Opens a node.
  /// - Throws: As ``expand(_:)-(ID)``, but ``TreeError/staleNode`` where the node is gone.
  /// - Complexity: O(log *k*) and what the change of rows costs.
  @discardableResult
  @inlinable
  public func expand(_ node: TreeNode) throws(TreeError) -> Bool { try change(node, nil, to: .expanded) }

  /// Closes a node.
  /// - Throws: As ``expand(_:)-(ID)``, but ``TreeError/staleNode`` where the node is gone.
  /// - Complexity: O(log *k*) and what the change of rows costs.
  @discardableResult
  @inlinable
  public func collapse(_ node: TreeNode) throws(TreeError) -> Bool { try change(node, nil, to: .collapsed) }

  /// Opens what is closed and closes what is open.
  /// - Throws: As ``expand(_:)-(ID)``, but ``TreeError/staleNode`` where the node is gone.
  /// - Complexity: O(log *k*) and what the change of rows costs.
  @discardableResult
  @inlinable
  public func toggle(_ node: TreeNode) throws(TreeError) -> Bool {
    try change(node, nil, to: tree.isExpanded(node) ? .collapsed : .expanded)
  }

  /// - Parameter id: Where it is known, so that it need not be made again from the store.
  @inlinable
  func change(_ node: TreeNode, _ id: ID?, to state: TreeNodeState) throws(TreeError) -> Bool {
    let look = try tree.handle.look(at: node)
    guard look.state != .leaf else { throw .leaf }
    guard look.isExpanded != (state == .expanded) else {
      if state == .expanded { try retryLoad(of: node) }
      return false
    }
    guard let delegate else {
      beginUpdate()
      defer { endUpdate() }
      try turn(node, to: state)
      return true
    }
    let item = try shallowItem(node, look, id)
    guard delegate.controller(self, shouldChangeNode: item, to: state) else { return false }
    beginUpdate()
    defer { endUpdate() }
    let edits = tree.edits
    if let new = delegate.controller(self, willChangeNode: item, to: state) {
      try tree.replace(node, with: new)
    }
    // Where `will` did nothing, what was read before is still true.
    guard tree.edits != edits else {
      try turn(node, to: state)
      delegate.controller(self, didChangeNode: item, to: state)
      return true
    }
    let isLeaf = try tree.loadState(of: node) == .leaf
    // What `will` made a leaf is closed.
    if !isLeaf { try turn(node, to: state) }
    let reached = isLeaf ? TreeNodeState.collapsed : state
    delegate.controller(self, didChangeNode: try tree.item(at: node), to: reached)
    return reached == state
  }

  @inlinable
  func shallowItem(_ node: TreeNode, _ look: NodeLook, _ id: ID?) throws(TreeError) -> Item {
    // An item with names of its own, or whose identifier is not known, is read as any other.
    guard let id, tree.pool.hasNoNames else { return try tree.item(at: node) }
    let isEmpty = look.state == .failed && !tree.handle.hasChildren(node)
    let children = Item.Store(shallow: look.state, isEmpty: isEmpty)
    return Item(id, tree.pool.value(tree.handle.value(of: node)), children, nil, nil)
  }

  @usableFromInline
  func retryLoad(of node: TreeNode) throws(TreeError) {
    try update { tree throws(TreeError) in try tree.requestLoad(of: node) }
  }

  @usableFromInline
  func turn(_ node: TreeNode, to state: TreeNodeState) throws(TreeError) {
    switch state {
    case .expanded:
      if opensOnePerLevel { try closeSiblings(of: node) }
      try tree.expand(node)
    case .collapsed:
      try tree.collapse(node)
      if cancelsLoadsOnCollapse { cancelLoad(of: node) }
    }
  }
}
