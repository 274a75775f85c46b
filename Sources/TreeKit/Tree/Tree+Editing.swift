internal import CTreeCore

extension Tree {
  // MARK: Inserting

  /// Inserts an item with everything nested in it.
  ///
  /// A parent that was a leaf or unloaded is loaded from then on.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - parent: `nil` inserts at the top level, in trees with sections in the section that the item names.
  ///   - position: Before which sibling; `nil` is behind the last. At the top level it counts within the section.
  /// - Throws: ``TreeError/duplicate(item:other:)``, ``TreeError/staleNode``, ``TreeError/outOfRange``; nothing has changed then.
  /// - Complexity: O(log *k* + *s*) for *s* nested items.
  @discardableResult
  public func insert(_ item: Item, under parent: TreeNode? = nil, at position: Int? = nil) throws(TreeError)
    -> TreeNode
  {
    let at = try storePosition(position)
    var forest = Forest(coding, pool)
    forest.add([item])
    var made: [ctree_node] = Array(repeating: 0, count: forest.count)
    let target: ctree_node
    do throws(TreeError) {
      target = parent == nil && options.hasSections ? try makeSection(named: item.sectionName) : parent.handle
    } catch {
      forest.discard()
      throw error
    }
    do throws(TreeError) {
      try edit(forest) { ctree_store_build(store, target, at, $0, nil, &made, &$1) }
    } catch {
      removeSectionIfEmpty(target)
      throw error
    }
    return TreeNode(living: made[0])
  }

  /// Inserts items one behind the other: all of them, or none.
  /// - Throws: ``TreeError/duplicate(item:other:)``, ``TreeError/staleNode``, ``TreeError/outOfRange``; nothing has changed then.
  /// - Complexity: O(log *k* + *s*) for *s* items, nested ones included.
  @inlinable
  public func insert(contentsOf items: [Item], under parent: TreeNode? = nil, at position: Int? = nil)
    throws(TreeError)
  {
    if parent == nil, options.hasSections { return try insertInSections(items, at: position) }
    try build(items, below: parent.handle, at: storePosition(position))
  }

  @usableFromInline
  func insertInSections(_ items: [Item], at position: Int?) throws(TreeError) {
    var made: [TreeNode] = []
    var next: [String?: Int] = [:]
    for (ordinal, item) in items.enumerated() {
      do throws(TreeError) {
        let at = position.map { $0 + next[item.sectionName, default: 0] }
        made.append(try insert(item, under: nil, at: at))
        next[item.sectionName, default: 0] += 1
      } catch {
        for node in made.reversed() { try? delete(node) }
        throw error.under(ordinal)
      }
    }
  }

  /// Puts items behind the last child of a node: all of them, or none.
  ///
  /// - Parameters:
  ///   - items: The items, with everything nested in them.
  ///   - parent: `nil` is the top level, in trees with sections in the section that each item names.
  /// - Throws: ``TreeError/duplicate(item:other:)``, ``TreeError/staleNode``.
  /// - Complexity: O(log *k* + *s*) for *s* items, nested ones included.
  @inlinable
  public func append(_ items: [Item], to parent: TreeNode? = nil) throws(TreeError) {
    try insert(contentsOf: items, under: parent)
  }

  /// Puts items before a node, as siblings of it: all of them, or none.
  ///
  /// - Throws: ``TreeError/duplicate(item:other:)``, ``TreeError/staleNode``; ``TreeError/outOfRange`` for an item that names
  ///   another section than the one that the node stands in.
  /// - Complexity: O(log *k* + *s*) for *s* items, nested ones included.
  public func insert(_ items: [Item], before node: TreeNode) throws(TreeError) {
    try insert(items, beside: node, 0)
  }

  /// Puts items behind a node, as siblings of it: all of them, or none.
  ///
  /// - Throws: As ``insert(_:before:)-(_,TreeNode)``.
  /// - Complexity: O(log *k* + *s*) for *s* items, nested ones included.
  public func insert(_ items: [Item], after node: TreeNode) throws(TreeError) {
    try insert(items, beside: node, 1)
  }

  private func insert(_ items: [Item], beside node: TreeNode, _ offset: UInt32) throws(TreeError) {
    let parent = try info(node).parent
    if isSection(parent) {
      let section = sectionName(ofNode: parent)
      guard items.allSatisfy({ $0.sectionName == section }) else { throw .outOfRange }
    }
    try build(items, below: parent, at: storePosition(ordinal(of: node)) + offset)
  }

  /// Builds items below a node of the store, which may be a section's.
  @inlinable
  func build(_ items: [Item], below parent: UInt64, at position: UInt32) throws(TreeError) {
    var forest = Forest(coding, pool)
    forest.add(items)
    try build(forest, below: parent, at: position)
  }

  @usableFromInline
  func build(
    _ forest: Forest<ID, Value>, below parent: UInt64, at position: UInt32
  ) throws(TreeError) {
    try edit(forest) { ctree_store_build(store, parent, position, $0, nil, nil, &$1) }
  }

  @usableFromInline
  func storePosition(_ position: Int?) throws(TreeError) -> UInt32 {
    guard let position else { return CTREE_END }
    guard let at = UInt32(exactly: position), at != CTREE_END else { throw .outOfRange }
    return at
  }

  // MARK: Removing and moving

  /// Removes a node with everything below it.
  /// - Throws: ``TreeError/staleNode``.
  /// - Complexity: O(log *k* + *s*) for *s* items.
  public func delete(_ node: TreeNode) throws(TreeError) {
    let parent = try info(node).parent
    try ensure(edit { ctree_store_remove(store, node.handle) })
    removeSectionIfEmpty(parent)
  }

  /// Removes nodes with everything below them; one that stands below another of them goes with that.
  /// - Throws: ``TreeError/staleNode`` where one of them is gone already; nothing is removed then.
  /// - Complexity: O(log *k*) for each, and O(*s*) for *s* items in all.
  public func delete(_ nodes: [TreeNode]) throws(TreeError) {
    guard nodes.allSatisfy(contains) else { throw .staleNode }
    for node in nodes where contains(node) { try delete(node) }
  }

  /// Removes everything.
  /// - Complexity: O(*n*).
  public func deleteAll() {
    _ = edit { ctree_store_remove_children(store, 0, 0, ctree_store_child_count(store, 0)) }
  }

  /// Moves a node with everything below it; what is open in it stays open.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - parent: `nil` moves to the top level; with sections to the section that the item names.
  ///   - position: Where it comes to stand, counted when it has left its old place; `nil` is behind the last.
  /// - Throws: ``TreeError/staleNode``, ``TreeError/cycle``, ``TreeError/outOfRange``; ``TreeError/duplicate(item:other:)`` among siblings that must differ. Nothing has
  ///   changed then.
  /// - Complexity: O(log *k* + *d*).
  public func move(_ node: TreeNode, under parent: TreeNode?, at position: Int? = nil) throws(TreeError) {
    let at = try storePosition(position)
    let info = try info(node)
    let target =
      parent == nil && options.hasSections
      ? try makeSection(named: pool.names(info.value).section) : parent.handle
    let status = edit { ctree_store_move(store, node.handle, target, at) }
    removeSectionIfEmpty(status == CTREE_OK ? info.parent : target)
    try ensure(status)
  }

  /// Moves a node with everything below it to stand before another, as a sibling of it.
  ///
  /// - Throws: ``TreeError/staleNode``, ``TreeError/cycle`` where the other stands below it; ``TreeError/outOfRange`` where it
  ///   would come into a section that its item does not name.
  /// - Complexity: O(log *k* + *d*).
  public func move(_ node: TreeNode, before sibling: TreeNode) throws(TreeError) {
    try move(node, beside: sibling, 0)
  }

  /// Moves a node with everything below it to stand behind another, as a sibling of it.
  ///
  /// - Throws: As ``move(_:before:)-(TreeNode,_)``.
  /// - Complexity: O(log *k* + *d*).
  public func move(_ node: TreeNode, after sibling: TreeNode) throws(TreeError) {
    try move(node, beside: sibling, 1)
  }

  private func move(_ node: TreeNode, beside sibling: TreeNode, _ offset: Int) throws(TreeError) {
    let old = try info(node)
    let parent = try info(sibling).parent
    guard node != sibling else { return }
    if isSection(parent), pool.names(old.value).section != sectionName(ofNode: parent) { throw .outOfRange }
    var position = try ordinal(of: sibling) + offset
    // Positions are counted when the node has left its place.
    if old.parent == parent, try ordinal(of: node) < position { position -= 1 }
    let at = try storePosition(position)
    let status = edit { ctree_store_move(store, node.handle, parent, at) }
    if status == CTREE_OK { removeSectionIfEmpty(old.parent) }
    try ensure(status)
  }

  // MARK: Replacing

  /// Gives a node another value.
  /// - Throws: ``TreeError/staleNode``.
  /// - Complexity: O(1).
  public func setValue(of node: TreeNode, to value: Value) throws(TreeError) {
    let info = try info(node)
    try setValue(of: node, to: value, pool.names(info.value))
  }

  private func setValue(of node: TreeNode, to value: Value, _ names: ItemNames) throws(TreeError) {
    let revision = revision(of: node.handle, with: value, names)
    let word = pool.add(value, names, coding.hold(try id(of: node)))
    let status = edit { ctree_store_set_value(store, node.handle, word, revision) }
    if status != CTREE_OK { pool.discard([word]) }
    try ensure(status)
  }

  /// Makes a node a leaf, removing what is below it, or makes a leaf unloaded. A load under way ends.
  /// - Throws: ``TreeError/staleNode``.
  /// - Complexity: O(*s*) for *s* items below it.
  public func setLeaf(_ node: TreeNode, _ isLeaf: Bool) throws(TreeError) {
    try ensure(edit { ctree_store_set_leaf(store, node.handle, isLeaf) })
  }

  /// Replaces the children of a node, or with `nil` everything.
  ///
  /// Items are matched by identifier: one that is found again stays the same node, with what is open in it; its own children
  /// are replaced where its new item is `.loaded`. Equal values report no change.
  ///
  /// - Parameters:
  ///   - node: Whose children are replaced.
  ///   - items: The new ones.
  ///   - movesFromElsewhere: What to do with an identifier that stands elsewhere in the tree: move the node here, or fail with ``TreeError/duplicate(item:other:)``.
  /// - Throws: ``TreeError/duplicate(item:other:)``, ``TreeError/staleNode``, ``TreeError/cycle`` where an item is an ancestor of the node; nothing has
  ///   changed then.
  /// - Complexity: O(*s*) for *s* items handed in or removed.
  public func replace(
    childrenOf node: TreeNode?, using items: [Item], movesFromElsewhere: Bool = false
  ) throws(TreeError) {
    var forest = Forest(coding, pool)
    if node == nil, options.hasSections { forest.addInSections(items) } else { forest.add(items) }
    try replace(childrenOf: node, using: &forest, movesFromElsewhere)
  }

  func replace(
    childrenOf node: TreeNode?, using forest: inout Forest<ID, Value>, _ movesFromElsewhere: Bool
  ) throws(TreeError) {
    setRevisions(&forest, under: node.handle)
    let elsewhere = movesFromElsewhere ? CTREE_ELSEWHERE_MOVES : CTREE_ELSEWHERE_FAILS
    try edit(forest) { ctree_store_reconcile(store, node.handle, $0, elsewhere.rawValue, nil, nil, &$1) }
  }

  /// Replaces a node's item by a new version of it: value, names, and children as far as the new item says something of them.
  ///
  /// `.leaf` makes the node a leaf; a list replaces the children, also an empty one; `.unloaded` and `.unchanged` leave them
  /// as they are. A list or `.leaf` ends a load under way. A top-level item that names another section moves there.
  ///
  /// - Throws: ``TreeError/staleNode``, ``TreeError/identifierMismatch``, ``TreeError/duplicate(item:other:)``.
  /// - Complexity: O(*s*) for *s* items handed in or removed.
  public func replace(_ node: TreeNode, with item: Item) throws(TreeError) {
    let info = try info(node)
    let isSame = coding.with(item.id) { new in
      coding.isNumber ? new.word == info.id.word : sameBytes(new, info.id)
    }
    guard isSame else { throw .identifierMismatch }
    let oldSection = pool.names(info.value).section
    switch item.store {
    case .leaf: try setLeaf(node, true)
    case .unloaded, .unchanged: break
    case .emptyList: try replaceChildren(of: node, with: [])
    case .loaded(let list): try replaceChildren(of: node, with: list.items)
    }
    try setValue(of: node, to: item.value, item.names)
    if isSection(info.parent), oldSection != item.sectionName { try move(node, under: nil) }
  }

  private func sameBytes(_ a: ctree_id, _ b: ctree_id) -> Bool {
    a.word == b.word
      && UnsafeRawBufferPointer(start: a.bytes, count: Int(a.word))
        .elementsEqual(UnsafeRawBufferPointer(start: b.bytes, count: Int(b.word)))
  }
}

extension TreeError {
  /// The same error for an item that stands at an ordinal of a longer list.
  fileprivate func under(_ ordinal: Int) -> TreeError {
    guard case .duplicate(let item, let other) = self else { return self }
    return .duplicate(item: [ordinal] + item.dropFirst(), other: other)
  }
}
