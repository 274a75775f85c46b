internal import CTreeCore

/// An error that a failed load left behind, for as long as its node is failed with it.
struct LoadError {
  let node: ctree_node
  let error: any Error
}

extension Tree {
  // MARK: Requests

  /// The next node whose children are wanted, in the order in which nodes were opened; `nil` when there is none.
  ///
  /// A node is told once for each time that it is wanted, and only while it is unloaded or failed.
  /// - Complexity: O(1) amortised.
  public func nextLoadRequest() -> TreeNode? {
    TreeNode(handle: ctree_load_next_request(store))
  }

  /// Asks for the children of a node as opening it does; nothing is done where they are here, on their way or asked for.
  /// - Throws: ``TreeError/staleNode``, ``TreeError/leaf``.
  /// - Complexity: O(1).
  public func requestLoad(of node: TreeNode) throws(TreeError) {
    try ensure(edit { ctree_load_request(store, node.handle) })
  }

  // MARK: Loads

  /// Begins a load of a node's children.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - reload: Begin although they are here, or on their way: a load under way is superseded then.
  /// - Returns: What the results are handed in with.
  /// - Throws: ``TreeError/loading``, ``TreeError/loaded``, ``TreeError/leaf``, ``TreeError/staleNode``.
  /// - Complexity: O(1).
  public func beginLoad(of node: TreeNode, reload: Bool = false) throws(TreeError) -> TreeTicket {
    var ticket: UInt64 = 0
    let status = edit { ctree_load_begin(store, node.handle, reload ? UInt32(CTREE_LOAD_RELOAD) : 0, &ticket) }
    if status == CTREE_DUPLICATE { throw .loaded }
    try ensure(status)
    return TreeTicket(node: node, number: ticket)
  }

  /// Whether a load is under way; where it is not, the error says why.
  /// - Throws: ``TreeError/staleNode``, ``TreeError/superseded``, ``TreeError/cancelled``.
  /// - Complexity: O(1).
  public func check(_ ticket: TreeTicket) throws(TreeError) {
    try ensure(ctree_load_check(store, ticket.node.handle, ticket.number))
  }

  /// Ends a load with the whole list of children, which replaces those of before as ``replace(childrenOf:using:movesFromElsewhere:)-(_,[Item],_)``
  /// does. When this fails for what is in the list the load goes on.
  /// - Throws: As ``check(_:)``; ``TreeError/duplicate(item:other:)``, ``TreeError/cycle``, and the load goes on.
  /// - Complexity: O(*s*) for *s* items handed in or removed.
  public func finish(_ ticket: TreeTicket, with items: [Item], movesFromElsewhere: Bool = true) throws(TreeError) {
    try check(ticket)
    var forest = Forest(coding, pool)
    forest.add(items)
    setRevisions(&forest, under: ticket.node.handle)
    let elsewhere = movesFromElsewhere ? CTREE_ELSEWHERE_MOVES : CTREE_ELSEWHERE_FAILS
    try edit(forest) { ctree_load_finish(store, ticket.node.handle, ticket.number, $0, elsewhere.rawValue, nil, &$1) }
  }

  /// Hands in a page of children, behind those of earlier pages; the first page of a reload replaces what was there.
  ///
  /// - Parameters:
  ///   - ticket: What ``beginLoad(of:reload:)`` gave.
  ///   - items: The page.
  ///   - more: Whether another page is to come; the load ends with the page that has none behind it.
  /// - Throws: As ``check(_:)``; ``TreeError/duplicate(item:other:)``, and the load and the pages of before stay as they are.
  /// - Complexity: O(*s*) for *s* items.
  public func append(_ ticket: TreeTicket, page items: [Item], more: Bool) throws(TreeError) {
    try check(ticket)
    var forest = Forest(coding, pool)
    forest.add(items)
    setRevisions(&forest, under: ticket.node.handle)
    try edit(forest) { ctree_load_append(store, ticket.node.handle, ticket.number, $0, more, nil, &$1) }
  }

  /// Ends a load in failure; the node keeps the error and the children that it had.
  /// - Throws: As ``check(_:)``.
  /// - Complexity: O(1).
  public func fail(_ ticket: TreeTicket, with error: any Error) throws(TreeError) {
    try check(ticket)
    lastError += 1
    errors[lastError] = LoadError(node: ticket.node.handle, error: error)
    let status = edit { ctree_load_fail(store, ticket.node.handle, ticket.number, lastError) }
    if status != CTREE_OK { errors[lastError] = nil }
    sweepErrors()
    try ensure(status)
  }

  /// Ends a load as if it had not begun.
  /// - Throws: As ``check(_:)``.
  /// - Complexity: O(1).
  public func cancel(_ ticket: TreeTicket) throws(TreeError) {
    try ensure(edit { ctree_load_cancel(store, ticket.node.handle, ticket.number) })
  }

  /// The error of a node whose last load failed.
  /// - Complexity: O(1).
  public func error(of node: TreeNode) -> (any Error)? {
    errors[ctree_load_error(store, node.handle)]?.error
  }

  /// Forgets what is below a node: it is unloaded again, so that memory follows what is open. A load under way is cancelled.
  /// - Throws: ``TreeError/staleNode``, ``TreeError/leaf``.
  /// - Complexity: O(*s*) for *s* items.
  public func drop(_ node: TreeNode) throws(TreeError) {
    try ensure(edit { ctree_load_drop(store, node.handle) })
  }

  /// The ticket of a load that is under way.
  func loadUnderWay(of node: TreeNode) -> TreeTicket? {
    // Beginning a load that is under way begins nothing, and gives its ticket.
    guard let state = try? info(node), state.load_state == CTREE_STATE_LOADING.rawValue || state.more else {
      return nil
    }
    var number: UInt64 = 0
    let status = ctree_load_begin(store, node.handle, 0, &number)
    let ticket = TreeTicket(node: node, number: number)
    if status == CTREE_OK { try? cancel(ticket) }
    return status == CTREE_LOADING ? ticket : nil
  }

  /// Puts a list in the place of a node's children, whatever the node was, and ends its load. When this fails a load under
  /// way goes on.
  func replaceChildren(of node: TreeNode, with items: [Item]) throws(TreeError) {
    let wasLeaf = try loadState(of: node) == .leaf
    if wasLeaf { try setLeaf(node, false) }
    var number: UInt64 = 0
    let status = edit { ctree_load_begin(store, node.handle, 0, &number) }
    let ticket = TreeTicket(node: node, number: number)
    do throws(TreeError) {
      switch status {
      case CTREE_OK, CTREE_LOADING: try finish(ticket, with: items)
      // It is loaded, and no load is under way that would have to be ended.
      case CTREE_DUPLICATE: try replace(childrenOf: node, using: items, movesFromElsewhere: true)
      default: throw TreeError(status)
      }
    } catch {
      if status == CTREE_OK { try? cancel(ticket) }
      if wasLeaf { try? setLeaf(node, true) }
      throw error
    }
  }

  /// The store does not tell when an error is forgotten, so now and then those are let go that no node has any more.
  private func sweepErrors() {
    guard errors.count > 16, errors.count & (errors.count - 1) == 0 else { return }
    errors = errors.filter { ctree_load_error(store, $0.value.node) == $0.key }
  }
}
