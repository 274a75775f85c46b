internal import CTreeCore

extension Tree {
  /// How many items there are, visible or not.
  /// - Complexity: O(1).
  public var count: Int {
    let nodes = Int(ctree_store_count(store))
    return options.hasSections ? nodes - Int(ctree_store_child_count(store, 0)) : nodes
  }

  // MARK: Finding

  /// The node of an identifier; `nil` where there is none, and in trees whose identifiers are unique among siblings only.
  /// - Complexity: O(1) expected.
  @inlinable
  public func find(_ id: ID) -> TreeNode? {
    TreeNode(handle: coding.find(id, in: handle))
  }

  /// The child of a node that has an identifier; with `nil` a top-level item.
  /// - Complexity: O(1) expected; O(sections) for top-level items where there are sections and identifiers are unique among
  ///   siblings only.
  public func find(_ id: ID, under parent: TreeNode?) -> TreeNode? {
    guard parent == nil, options.hasSections else {
      return TreeNode(handle: coding.with(id) { ctree_store_find_child(store, parent.handle, $0) })
    }
    for section in sectionNodes {
      let found = coding.with(id) { ctree_store_find_child(store, section, $0) }
      if let node = TreeNode(handle: found) { return node }
    }
    return nil
  }

  /// The node at the end of a chain of identifiers from the top level down.
  /// - Complexity: O(*d*) expected.
  public func find(path: [ID]) -> TreeNode? {
    var node: TreeNode?
    for id in path {
      guard let next = find(id, under: node) else { return nil }
      node = next
    }
    return node
  }

  /// Whether a node is still there.
  /// - Complexity: O(1).
  public func contains(_ node: TreeNode) -> Bool {
    ctree_store_contains(store, node.handle)
  }

  // MARK: One node

  func info(_ node: TreeNode) throws(TreeError) -> ctree_node_info {
    var info = ctree_node_info()
    info.size = MemoryLayout<ctree_node_info>.size
    try ensure(ctree_store_info(store, node.handle, &info))
    return info
  }

  /// The identifier of a node.
  /// - Throws: ``TreeError/staleNode``.
  /// - Complexity: O(1).
  public func id(of node: TreeNode) throws(TreeError) -> ID {
    coding.id(try info(node).id)
  }

  /// The value of a node.
  /// - Throws: ``TreeError/staleNode``.
  /// - Complexity: O(1).
  public func value(of node: TreeNode) throws(TreeError) -> Value {
    pool.value(try info(node).value)
  }

  /// The item of a node without its children: `.unchanged` stands for those that the tree has, so that the item can be handed
  /// in again without harm.
  /// - Throws: ``TreeError/staleNode``.
  /// - Complexity: O(1).
  public func item(at node: TreeNode) throws(TreeError) -> Item {
    shallowItem(try info(node))
  }

  func shallowItem(_ info: ctree_node_info) -> Item {
    let names = pool.names(info.value)
    let children = Item.Store(shallow: TreeLoadState(info.load_state), isEmpty: info.child_count == 0)
    return Item(coding.id(info.id), pool.value(info.value), children, names.section, names.cell)
  }

  /// What is known of a node's children.
  /// - Throws: ``TreeError/staleNode``.
  /// - Complexity: O(1).
  public func loadState(of node: TreeNode) throws(TreeError) -> TreeLoadState {
    TreeLoadState(try info(node).load_state)
  }

  /// Whether more children of a node are to come.
  /// - Throws: ``TreeError/staleNode``.
  /// - Complexity: O(1).
  public func hasMore(_ node: TreeNode) throws(TreeError) -> Bool {
    try info(node).more
  }

  // MARK: Up and down

  /// The parent of a node; `nil` at the top level.
  /// - Throws: ``TreeError/staleNode``.
  /// - Complexity: O(1).
  public func parent(of node: TreeNode) throws(TreeError) -> TreeNode? {
    let parent = try info(node).parent
    return isSection(parent) ? nil : TreeNode(handle: parent)
  }

  /// The identifiers from the top level down to a node: what ``find(path:)`` takes.
  /// - Throws: ``TreeError/staleNode``.
  /// - Complexity: O(*d*).
  public func identifiers(downTo node: TreeNode) throws(TreeError) -> [ID] {
    var identifiers: [ID] = []
    var next: TreeNode? = node
    while let node = next {
      identifiers.append(try id(of: node))
      next = try parent(of: node)
    }
    return identifiers.reversed()
  }

  /// How many children a node has; with `nil`, how many top-level items there are.
  /// - Complexity: O(1); O(sections) for the top level.
  public func childCount(of node: TreeNode?) -> Int {
    guard node == nil, options.hasSections else { return Int(ctree_store_child_count(store, node.handle)) }
    return sectionNodes.reduce(0) { $0 + Int(ctree_store_child_count(store, $1)) }
  }

  /// The children of a node in order; with `nil` the top-level items.
  /// - Throws: ``TreeError/staleNode``.
  /// - Complexity: O(*k*).
  public func children(of node: TreeNode?) throws(TreeError) -> [TreeNode] {
    guard node == nil, options.hasSections else {
      return try childHandles(of: node.handle).map { TreeNode(living: $0) }
    }
    var children: [TreeNode] = []
    for section in sectionNodes {
      children += try childHandles(of: section).map { TreeNode(living: $0) }
    }
    return children
  }

  /// A node and its siblings in order; those of a top-level item are in its section.
  func siblings(of node: TreeNode) throws(TreeError) -> [TreeNode] {
    try childHandles(of: try info(node).parent).map { TreeNode(living: $0) }
  }

  func childHandles(of handle: ctree_node) throws(TreeError) -> [ctree_node] {
    var count = ctree_store_child_count(store, handle)
    var status = CTREE_OK
    let children = [ctree_node](unsafeUninitializedCapacity: max(1, Int(count))) { buffer, initialized in
      // Also where there are none: the call is what says that a handle is stale.
      status = ctree_store_children(store, handle, 0, &count, buffer.baseAddress)
      initialized = status == CTREE_OK ? Int(count) : 0
    }
    try ensure(status)
    return children
  }

  /// The child at a position counted from 0; `nil` beyond the end.
  /// - Complexity: O(log *k*).
  public func child(of node: TreeNode?, at position: Int) -> TreeNode? {
    guard let position = UInt32(exactly: position) else { return nil }
    guard node == nil, options.hasSections else {
      return TreeNode(handle: ctree_store_child_at(store, node.handle, position))
    }
    var left = position
    for section in sectionNodes {
      let count = ctree_store_child_count(store, section)
      if left < count { return TreeNode(handle: ctree_store_child_at(store, section, left)) }
      left -= count
    }
    return nil
  }

  /// The position of a node among its siblings, counted from 0; of a top-level item within its section.
  /// - Throws: ``TreeError/staleNode``.
  /// - Complexity: O(log *k*).
  public func ordinal(of node: TreeNode) throws(TreeError) -> Int {
    var ordinal: UInt32 = 0
    try ensure(ctree_store_ordinal(store, node.handle, &ordinal))
    return Int(ordinal)
  }

  /// How many ancestors a node has.
  /// - Throws: ``TreeError/staleNode``.
  /// - Complexity: O(*d*).
  public func level(of node: TreeNode) throws(TreeError) -> Int {
    var depth: UInt32 = 0
    try ensure(ctree_store_depth(store, node.handle, &depth))
    return options.hasSections ? Int(depth) - 1 : Int(depth)
  }

  /// Whether a node stands somewhere below another.
  /// - Complexity: O(*d*).
  public func isNode(_ node: TreeNode, below ancestor: TreeNode) -> Bool {
    ctree_store_is_below(store, node.handle, ancestor.handle)
  }

  // MARK: Deep copies

  /// The item of a node with everything below it.
  /// - Throws: ``TreeError/staleNode``.
  /// - Complexity: O(*s*) for *s* items, at any depth.
  public func subtree(of node: TreeNode) throws(TreeError) -> Item {
    _ = try info(node)
    var infos: [ctree_node_info] = []
    var parents: [Int] = []
    var positions: [Int] = []
    var next = node.handle
    var open: [ctree_node] = []
    while next != 0 {
      let info = try info(TreeNode(living: next))
      while let last = open.last, last != info.parent {
        open.removeLast()
        positions.removeLast()
      }
      parents.append(positions.last ?? -1)
      open.append(next)
      positions.append(infos.count)
      infos.append(info)
      next = ctree_store_next(store, next, node.handle, false)
    }
    // From the last to the first, so that every item finds its children made; they come in reverse.
    var children: [[Item]] = Array(repeating: [], count: infos.count)
    for place in infos.indices.reversed() {
      let shallow = shallowItem(infos[place])
      let list = children[place]
      children[place] = []
      let isLoaded = !list.isEmpty || TreeLoadState(infos[place].load_state) == .loaded
      let item = isLoaded ? shallow.copyWithChildren(.loaded(list.reversed())) : shallow
      if parents[place] < 0 { return item }
      children[parents[place]].append(item)
    }
    preconditionFailure("A walk begins with the node that it was asked for.")
  }
}

extension TreeNode {
  /// For a handle that the store has just given.
  @inlinable
  init(living handle: UInt64) {
    self.handle = handle
  }
}

extension TreeNode? {
  /// No node means the top level.
  @inlinable
  var handle: UInt64 { self?.handle ?? 0 }
}
