extension TreeController {
  /// Loads the children of a node anew. What is there stays until the new list is in, and what is found again keeps what is
  /// open in it. A load under way is superseded.
  /// - Throws: ``TreeError/unknownIdentifier``, ``TreeError/ambiguousScope``, ``TreeError/leaf``; nothing has changed then.
  /// - Complexity: O(1).
  public func reload(_ id: ID) throws(TreeError) { try reload(node(for: id)) }

  /// Loads the children of a node anew.
  /// - Throws: ``TreeError/staleNode``, ``TreeError/leaf``; nothing has changed then.
  /// - Complexity: O(1).
  public func reload(_ node: TreeNode) throws(TreeError) {
    try update { tree throws(TreeError) in
      start(try tree.beginLoad(of: node, reload: true), try tree.item(at: node))
    }
  }

  /// Loads the next page of a node that has more to come, and whose last load ended before all were there.
  /// - Throws: ``TreeError/loaded`` where all children are here, ``TreeError/loading``, ``TreeError/staleNode``,
  ///   ``TreeError/leaf``.
  /// - Complexity: O(1).
  public func loadMore(_ node: TreeNode) throws(TreeError) {
    try update { tree throws(TreeError) in start(try tree.beginLoad(of: node), try tree.item(at: node)) }
  }

  /// Cancels the load of a node, if there is one under way.
  /// - Complexity: O(1).
  public func cancelLoad(of node: TreeNode) {
    update { tree in
      if let ticket = tree.loadUnderWay(of: node) { try? tree.cancel(ticket) }
    }
  }

  /// Begins the loads that opening has asked for.
  func startLoads() {
    while let node = tree.nextLoadRequest() { startLoad(of: node) }
  }

  // A function of its own, so that a tap that loads nothing does not pay for what this works with.
  @inline(never)
  private func startLoad(of node: TreeNode) {
    guard let ticket = try? tree.beginLoad(of: node), let item = try? tree.item(at: node) else { return }
    start(ticket, item)
  }

  private func start(_ ticket: TreeTicket, _ item: Item) {
    if let startSource {
      loads.add(startSource(self, item, ticket), for: ticket)
    } else {
      delegate?.controller(self, load: TreeLoad(item, ticket, self))
    }
  }

  /// Applies what a load came to, and says what became of it.
  func apply(_ ticket: TreeTicket, _ edit: (Tree<ID, Value>) throws(TreeError) -> Void) -> TreeLoadOutcome {
    do throws(TreeError) {
      try tree.check(ticket)
      try update(edit)
      return tree.isVisible(ticket.node) && tree.isExpanded(ticket.node) ? .applied : .hidden
    } catch {
      switch error {
      case .staleNode: return .gone
      case .superseded: return .superseded
      case .cancelled: return .cancelled
      default: return .refused(error)
      }
    }
  }
}

extension TreeController where Value: Sendable {
  /// Loads children by a function from now on, instead of asking the delegate.
  ///
  /// The function runs wherever it likes; its results are applied on the actor that calls this, which has to be the one that
  /// the controller belongs to. A `CancellationError` leaves the node as it was before, any other error is a failed load. Loads
  /// that are superseded, cancelled or whose node is gone have their tasks cancelled, and so do all of them when the controller goes;
  /// what a function that ignores this returns is refused.
  /// - Complexity: O(1).
  public func setSource(
    isolation: isolated (any Actor)? = #isolation,
    _ source: @escaping @Sendable (TreeItem<ID, Value>) async throws -> [TreeItem<ID, Value>]
  ) {
    setSource(on: isolation) { item, _ in { try await source(item) } }
  }

  /// Loads children by a function that is also told the identifiers from the top level down to the item: what names an item
  /// where identifiers are unique among siblings only.
  /// - Complexity: O(1), and O(*d*) for each load.
  public func setSource(
    isolation: isolated (any Actor)? = #isolation,
    _ source: @escaping @Sendable (TreeItem<ID, Value>, _ path: [ID]) async throws -> [TreeItem<ID, Value>]
  ) {
    setSource(on: isolation) { item, path in
      let path = path()
      return { try await source(item, path) }
    }
  }

  private func setSource(
    on actor: (any Actor)?,
    _ prepare: @escaping (Item, _ path: () -> [ID]) -> @Sendable () async throws -> [Item]
  ) {
    guard let actor else {
      preconditionFailure("A source needs an actor to apply its results on: call setSource from one.")
    }
    let home = Home(actor)
    startSource = { controller, item, ticket in
      guard let actor = home.actor else { preconditionFailure("A controller has outlived its actor.") }
      actor.preconditionIsolated("A controller is used on the actor that its source was set on.")
      let receiver = LoadReceiver(controller)
      let source = prepare(item) { (try? controller.tree.identifiers(downTo: ticket.node)) ?? [] }
      return Task {
        let result: Result<[Item], any Error>
        do { result = .success(try await source()) } catch { result = .failure(error) }
        if let actor = home.actor { await receiver.receive(result, ticket, isolation: actor) }
      }
    }
  }
}

/// Where a controller lives. An actor may own its controller, which must not keep it in turn; the main actor goes by its name,
/// since it is there for good, and a weak reference to it would be taken for a leak.
private struct Home: Sendable {
  private let isMain: Bool
  private weak let other: (any Actor)?

  init(_ actor: any Actor) {
    isMain = actor === MainActor.shared
    other = isMain ? nil : actor
  }

  var actor: (any Actor)? { isMain ? MainActor.shared : other }
}

/// Takes the result of a source to its controller. It may go anywhere, but looks at the controller only on its actor.
private final class LoadReceiver<ID: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  private weak let controller: TreeController<ID, Value>?

  init(_ controller: TreeController<ID, Value>) {
    self.controller = controller
  }

  func receive(
    _ result: Result<[TreeItem<ID, Value>], any Error>, _ ticket: TreeTicket, isolation: isolated any Actor
  ) {
    guard let controller else { return }
    controller.loads.remove(ticket)
    _ = controller.apply(ticket) { tree throws(TreeError) in
      switch result {
      case .success(let items):
        do throws(TreeError) {
          try tree.finish(ticket, with: items)
        } catch {
          // Nobody is there to hand in a better list, so the load has failed.
          try tree.fail(ticket, with: error)
        }
      case .failure(is CancellationError): try tree.cancel(ticket)
      case .failure(let error): try tree.fail(ticket, with: error)
      }
    }
  }
}

/// The tasks of loads under way.
struct LoadTasks {
  private var tasks: [TreeTicket: Task<Void, Never>] = [:]

  mutating func add(_ task: Task<Void, Never>, for ticket: TreeTicket) { tasks[ticket] = task }

  mutating func remove(_ ticket: TreeTicket) { tasks[ticket] = nil }

  /// Cancels the tasks whose results nobody wants any more.
  mutating func sweep<ID, Value>(_ tree: Tree<ID, Value>) {
    if tasks.isEmpty { return }
    for (ticket, task) in tasks where (try? tree.check(ticket)) == nil {
      task.cancel()
      tasks[ticket] = nil
    }
  }

  func cancelAll() {
    for task in tasks.values { task.cancel() }
  }
}
