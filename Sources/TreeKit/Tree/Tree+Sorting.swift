internal import CTreeCore

extension Tree {
  /// Puts the children of a node in order, with everything below them; what is open stays open. As few of them move as can be.
  ///
  /// The sort is stable: those of which neither goes before the other keep their order.
  ///
  /// - Parameters:
  ///   - node: Whose children; `nil` sorts the topmost items, in a tree with sections within each section.
  ///   - goesBefore: Whether the first item goes before the second. The items come without their children.
  /// - Throws: ``TreeError/staleNode``, ``TreeError/noMemory``.
  /// - Complexity: O(*k* log *k*), and O(log *k*) for each run that moves.
  public func sortChildren(of node: TreeNode?, by goesBefore: (Item, Item) -> Bool) throws(TreeError) {
    guard node == nil, options.hasSections else { return try sort(node.handle, goesBefore) }
    for section in sectionNodes { try sort(section, goesBefore) }
  }

  /// Puts the children of every node in order, and the topmost items; see ``sortChildren(of:by:)-(TreeNode?,_)``.
  ///
  /// - Throws: ``TreeError/noMemory``; some nodes may be sorted then, and others not.
  /// - Complexity: O(*n* + the sum over all nodes of *k* log *k*).
  public func sortAll(by goesBefore: (Item, Item) -> Bool) throws(TreeError) {
    // All parents first: a walk goes by the order that sorting changes.
    var parents: [ctree_node] = options.hasSections ? [] : [0]
    var next = ctree_store_next(store, 0, 0, false)
    while next != 0 {
      if ctree_store_child_count(store, next) > 1 { parents.append(next) }
      next = ctree_store_next(store, next, 0, false)
    }
    for parent in parents { try sort(parent, goesBefore) }
  }

  private func sort(_ parent: ctree_node, _ goesBefore: (Item, Item) -> Bool) throws(TreeError) {
    let children = try childHandles(of: parent)
    var items: [Item] = []
    items.reserveCapacity(children.count)
    for child in children { items.append(try item(at: TreeNode(living: child))) }
    let order = items.indices.sorted { goesBefore(items[$0], items[$1]) }
    guard !order.elementsEqual(items.indices) else { return }
    // The same children with all that they have, in another order: a reconcile finds the fewest moves.
    var identifiers = IdentifierList(coding)
    var values: [UInt64] = []
    var revisions: [UInt64] = []
    for place in order {
      let info = try info(TreeNode(living: children[place]))
      identifiers.append(lent: info.id)
      values.append(info.value)
      revisions.append(info.revision)
    }
    let states = Array(repeating: ForestState.keep.rawValue, count: order.count)
    let status = edit {
      identifiers.withForest { forest in
        values.withUnsafeBufferPointer { values in
          revisions.withUnsafeBufferPointer { revisions in
            states.withUnsafeBufferPointer { states in
              forest.values = values.baseAddress
              forest.revisions = revisions.baseAddress
              forest.states = states.baseAddress
              return ctree_store_reconcile(store, parent, &forest, CTREE_ELSEWHERE_FAILS.rawValue, nil, nil, nil)
            }
          }
        }
      }
    }
    try ensure(status)
  }
}
