// The edits of the tree by identifier, each as an update of its own: the delegate is told of what changed before the call
// returns. Several edits go into one ``TreeController/update(_:completion:)``.

extension TreeController {
  /// Puts items behind the last child of another: all of them, or none. See ``Tree/append(_:to:)-([Item],ID)``.
  /// - Throws: As the tree.
  /// - Complexity: As that of the tree, and what the change of rows costs.
  public func append(_ items: [Item], to parent: ID) throws(TreeError) {
    try update { tree throws(TreeError) in try tree.append(items, to: parent) }
  }

  /// Puts items behind the last one of the top level: all of them, or none.
  /// - Throws: As the tree.
  /// - Complexity: As that of the tree, and what the change of rows costs.
  public func append(_ items: [Item]) throws(TreeError) {
    try update { tree throws(TreeError) in try tree.append(items) }
  }

  /// Puts what a builder collected behind the last one of the top level: all of it, or none. See ``TreeBuilder``.
  /// - Throws: As the tree.
  /// - Complexity: As that of the tree, and what the change of rows costs.
  public func append(_ builder: TreeBuilder<ID, Value>) throws(TreeError) {
    try update { tree throws(TreeError) in try tree.append(builder) }
  }

  /// Puts items before another, as siblings of it: all of them, or none.
  /// - Throws: As the tree.
  /// - Complexity: As that of the tree, and what the change of rows costs.
  public func insert(_ items: [Item], before id: ID) throws(TreeError) {
    try update { tree throws(TreeError) in try tree.insert(items, before: id) }
  }

  /// Puts items behind another, as siblings of it: all of them, or none.
  /// - Throws: As the tree.
  /// - Complexity: As that of the tree, and what the change of rows costs.
  public func insert(_ items: [Item], after id: ID) throws(TreeError) {
    try update { tree throws(TreeError) in try tree.insert(items, after: id) }
  }

  /// Replaces the children of an item; what is found again by identifier stays the same node.
  /// - Throws: As the tree.
  /// - Complexity: As that of the tree, and what the change of rows costs.
  public func replace(childrenOf id: ID, using items: [Item]) throws(TreeError) {
    try update { tree throws(TreeError) in try tree.replace(childrenOf: id, using: items) }
  }

  /// Removes items with everything below them, or none of them.
  /// - Throws: As the tree.
  /// - Complexity: As that of the tree, and what the change of rows costs.
  public func delete(_ ids: [ID]) throws(TreeError) {
    try update { tree throws(TreeError) in try tree.delete(ids) }
  }

  /// Moves an item with everything below it; what is open in it stays open.
  /// - Throws: As the tree.
  /// - Complexity: As that of the tree, and what the change of rows costs.
  public func move(_ id: ID, under parent: ID, at position: Int? = nil) throws(TreeError) {
    try update { tree throws(TreeError) in try tree.move(id, under: parent, at: position) }
  }

  /// Gives an item another value.
  /// - Throws: As the tree.
  /// - Complexity: O(1) expected, and what the change of rows costs.
  public func setValue(of id: ID, to value: Value) throws(TreeError) {
    try update { tree throws(TreeError) in try tree.setValue(of: id, to: value) }
  }

  /// Puts the children of an item in order; what is open stays open.
  /// - Throws: As the tree.
  /// - Complexity: As that of the tree, and what the change of rows costs.
  public func sortChildren(of id: ID, by goesBefore: (Item, Item) -> Bool) throws(TreeError) {
    try update { tree throws(TreeError) in try tree.sortChildren(of: id, by: goesBefore) }
  }
}
