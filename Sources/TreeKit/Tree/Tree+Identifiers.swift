// What can be done with nodes, done with identifiers, in trees whose identifiers are unique in the tree.
//
// Each of these finds the node first, which is O(1) expected. All that throw throw ``TreeError/unknownIdentifier``, or
// ``TreeError/ambiguousScope`` in a tree whose identifiers are unique among siblings only, and change nothing then.

extension Tree {
  /// The node of an identifier that has to be there.
  func node(for id: ID) throws(TreeError) -> TreeNode {
    guard let node = find(id) else { throw options.scope == .siblings ? .ambiguousScope : .unknownIdentifier }
    return node
  }

  private func nodes(for ids: [ID]) throws(TreeError) -> [TreeNode] {
    var nodes: [TreeNode] = []
    nodes.reserveCapacity(ids.count)
    for id in ids { nodes.append(try node(for: id)) }
    return nodes
  }

  // MARK: Reading

  /// Whether there is an item of that identifier, visible or not.
  /// - Complexity: O(1) expected.
  public func contains(_ id: ID) -> Bool { find(id) != nil }

  /// The item of an identifier, without its children; `nil` where it is unknown.
  /// - Complexity: O(1) expected.
  public func item(for id: ID) -> Item? { find(id).flatMap { try? item(at: $0) } }

  /// The topmost items in order, without their children.
  /// - Complexity: O(*k*) for *k* of them.
  public var rootItems: [Item] {
    ((try? children(of: nil)) ?? []).compactMap { try? item(at: $0) }
  }

  /// The items of all rows in order, without their children.
  /// - Complexity: O(*v* log *k*).
  public var visibleItems: [Item] { rows.map(\.item) }

  /// The identifier of an item's parent; `nil` at the top level.
  /// - Throws: ``TreeError/unknownIdentifier``, ``TreeError/ambiguousScope``.
  /// - Complexity: O(1) expected.
  public func parent(of id: ID) throws(TreeError) -> ID? {
    guard let parent = try parent(of: node(for: id)) else { return nil }
    return try self.id(of: parent)
  }

  /// How many ancestors an item has.
  /// - Throws: ``TreeError/unknownIdentifier``, ``TreeError/ambiguousScope``.
  /// - Complexity: O(*d*).
  public func level(of id: ID) throws(TreeError) -> Int { try level(of: node(for: id)) }

  /// An item with everything below it.
  /// - Throws: ``TreeError/unknownIdentifier``, ``TreeError/ambiguousScope``.
  /// - Complexity: O(*s*) for *s* items, at any depth.
  public func subtree(of id: ID) throws(TreeError) -> Item { try subtree(of: node(for: id)) }

  /// Whether an item is open, be it visible or not; `false` for leaves and unknown identifiers.
  /// - Complexity: O(1) expected.
  public func isExpanded(_ id: ID) -> Bool { find(id).map(isExpanded) ?? false }

  /// Whether an item is a row; `false` for unknown identifiers.
  /// - Complexity: O(*d*).
  public func isVisible(_ id: ID) -> Bool { find(id).map(isVisible) ?? false }

  // MARK: Opening

  /// Opens items.
  /// - Throws: ``TreeError/unknownIdentifier``, ``TreeError/ambiguousScope``, ``TreeError/leaf``; nothing is opened then.
  /// - Complexity: O(1) expected for each.
  public func expand(_ ids: [ID]) throws(TreeError) {
    let nodes = try nodes(for: ids)
    for node in nodes where try loadState(of: node) == .leaf { throw .leaf }
    for node in nodes { try expand(node) }
  }

  /// Closes items; those that cannot open are closed already.
  /// - Throws: ``TreeError/unknownIdentifier``, ``TreeError/ambiguousScope``; nothing is closed then.
  /// - Complexity: O(1) expected for each.
  public func collapse(_ ids: [ID]) throws(TreeError) {
    for node in try nodes(for: ids) where isExpanded(node) { try collapse(node) }
  }

  // MARK: Editing

  /// Puts items behind the last child of another: all of them, or none.
  /// - Throws: ``TreeError/unknownIdentifier``, ``TreeError/ambiguousScope``, ``TreeError/duplicate(item:other:)``.
  /// - Complexity: O(log *k* + *s*) for *s* items, nested ones included.
  public func append(_ items: [Item], to parent: ID) throws(TreeError) {
    try append(items, to: node(for: parent))
  }

  /// Puts items before another, as siblings of it: all of them, or none.
  /// - Throws: ``TreeError/unknownIdentifier``, ``TreeError/ambiguousScope``, ``TreeError/duplicate(item:other:)``;
  ///   ``TreeError/outOfRange`` for an item that names another section.
  /// - Complexity: O(log *k* + *s*) for *s* items, nested ones included.
  public func insert(_ items: [Item], before id: ID) throws(TreeError) {
    try insert(items, before: node(for: id))
  }

  /// Puts items behind another, as siblings of it: all of them, or none.
  /// - Throws: As ``insert(_:before:)-(_,ID)``.
  /// - Complexity: O(log *k* + *s*) for *s* items, nested ones included.
  public func insert(_ items: [Item], after id: ID) throws(TreeError) {
    try insert(items, after: node(for: id))
  }

  /// Replaces the children of an item; what is found again by identifier stays the same node.
  /// - Throws: ``TreeError/unknownIdentifier``, ``TreeError/ambiguousScope``, ``TreeError/duplicate(item:other:)``.
  /// - Complexity: O(*s*) for *s* items handed in or removed.
  public func replace(childrenOf id: ID, using items: [Item]) throws(TreeError) {
    try replace(childrenOf: node(for: id), using: items)
  }

  /// Removes items with everything below them; one that stands below another of them goes with that.
  /// - Throws: ``TreeError/unknownIdentifier``, ``TreeError/ambiguousScope``; nothing is removed then.
  /// - Complexity: O(log *k*) for each, and O(*s*) for *s* items in all.
  public func delete(_ ids: [ID]) throws(TreeError) {
    try delete(nodes(for: ids))
  }

  /// Moves an item with everything below it; what is open in it stays open.
  ///
  /// - Parameters:
  ///   - id: The item.
  ///   - parent: The new parent.
  ///   - position: Where it comes to stand, counted when it has left its old place; `nil` is behind the last.
  /// - Throws: ``TreeError/unknownIdentifier``, ``TreeError/ambiguousScope``, ``TreeError/cycle``, ``TreeError/outOfRange``.
  /// - Complexity: O(log *k* + *d*).
  public func move(_ id: ID, under parent: ID, at position: Int? = nil) throws(TreeError) {
    try move(node(for: id), under: node(for: parent), at: position)
  }

  /// Moves an item with everything below it to stand before another, as a sibling of it.
  /// - Throws: ``TreeError/unknownIdentifier``, ``TreeError/ambiguousScope``, ``TreeError/cycle``; ``TreeError/outOfRange``
  ///   where it would come into a section that it does not name.
  /// - Complexity: O(log *k* + *d*).
  public func move(_ id: ID, before sibling: ID) throws(TreeError) {
    try move(node(for: id), before: node(for: sibling))
  }

  /// Moves an item with everything below it to stand behind another, as a sibling of it.
  /// - Throws: As ``move(_:before:)-(ID,_)``.
  /// - Complexity: O(log *k* + *d*).
  public func move(_ id: ID, after sibling: ID) throws(TreeError) {
    try move(node(for: id), after: node(for: sibling))
  }

  /// Puts the children of an item in order, with everything below them; what is open stays open. The sort is stable.
  /// - Throws: ``TreeError/unknownIdentifier``, ``TreeError/ambiguousScope``, ``TreeError/noMemory``.
  /// - Complexity: O(*k* log *k*), and O(log *k*) for each run that moves.
  public func sortChildren(of id: ID, by goesBefore: (Item, Item) -> Bool) throws(TreeError) {
    try sortChildren(of: node(for: id), by: goesBefore)
  }

  /// Gives an item another value.
  /// - Throws: ``TreeError/unknownIdentifier``, ``TreeError/ambiguousScope``.
  /// - Complexity: O(1) expected.
  public func setValue(of id: ID, to value: Value) throws(TreeError) {
    try setValue(of: node(for: id), to: value)
  }
}
