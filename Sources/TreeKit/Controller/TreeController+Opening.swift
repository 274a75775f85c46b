internal import CTreeCore

extension TreeController {
  /// Opens a node, loading its children first if there are none yet.
  ///
  /// The delegate is asked before anything changes and told afterwards; `changed` arrives once, after the last of them.
  ///
  /// - Returns: Whether it opened: `false` where the delegate forbade it, where `will` made it a leaf, and where it was open
  ///   already; a load that had failed is tried again then.
  /// - Complexity: O(log *k*) and what the change of rows costs.
  @discardableResult
  public func expand(_ id: ID) throws(TreeError) -> Bool { try expand(node(for: id)) }

  /// Closes a node.
  /// - Returns: Whether it closed: `false` where the delegate forbade it, and where it was closed already.
  @discardableResult
  public func collapse(_ id: ID) throws(TreeError) -> Bool { try collapse(node(for: id)) }

  /// Opens what is closed and closes what is open.
  @discardableResult
  public func toggle(_ id: ID) throws(TreeError) -> Bool { try toggle(node(for: id)) }

  /// Opens a node.
  @discardableResult
  public func expand(_ node: TreeNode) throws(TreeError) -> Bool { try change(node, to: .expanded) }

  /// Closes a node.
  @discardableResult
  public func collapse(_ node: TreeNode) throws(TreeError) -> Bool { try change(node, to: .collapsed) }

  /// Opens what is closed and closes what is open.
  @discardableResult
  public func toggle(_ node: TreeNode) throws(TreeError) -> Bool {
    try change(node, to: tree.isExpanded(node) ? .collapsed : .expanded)
  }

  private func change(_ node: TreeNode, to state: TreeNodeState) throws(TreeError) -> Bool {
    let info = try tree.info(node)
    guard TreeLoadState(info.load_state) != .leaf else { throw .leaf }
    guard tree.isExpanded(node) != (state == .expanded) else {
      if state == .expanded { try update { tree throws(TreeError) in try tree.requestLoad(of: node) } }
      return false
    }
    let item = tree.shallowItem(info)
    let delegate = delegate
    guard delegate?.controller(self, shouldChangeNode: item, to: state) ?? true else { return false }
    return try update { tree throws(TreeError) in
      let edits = tree.edits
      if let new = delegate?.controller(self, willChangeNode: item, to: state) {
        try tree.replace(node, with: new)
      }
      // Where `will` did nothing, what was read before is still true.
      let isUntouched = tree.edits == edits
      var reached = state
      if !isUntouched, try tree.loadState(of: node) == .leaf { reached = .collapsed }
      if reached == .expanded { try tree.expand(node) } else if state == .collapsed { try close(node) }
      delegate?.controller(self, didChangeNode: isUntouched ? item : try tree.item(at: node), to: reached)
      return reached == state
    }
  }

  private func close(_ node: TreeNode) throws(TreeError) {
    // What `will` made a leaf is closed.
    guard try tree.loadState(of: node) != .leaf else { return }
    try tree.collapse(node)
    if cancelsLoadsOnCollapse { cancelLoad(of: node) }
  }
}
