// Comparing and hashing keep a stack of their own, so that depth costs memory instead of overflowing the thread's.

extension TreeItem: Equatable where Value: Equatable {
  /// Whether two items agree in identifier, value, properties and children, to the last level.
  ///
  /// An empty list of children that was given as a list equals another such, and neither `.loaded([])` nor `.unloaded`.
  /// - Complexity: O(*n*) for *n* nested items; O(1) for children that are the same array.
  public static func == (a: TreeItem, b: TreeItem) -> Bool {
    guard isSameButForChildren(a, b) else { return false }
    var pending: [(TreeItemList<ID, Value>, TreeItemList<ID, Value>)] = []
    guard matchChildren(a, b, &pending) else { return false }
    while let (left, right) = pending.popLast() {
      guard left.items.count == right.items.count else { return false }
      for (a, b) in zip(left.items, right.items) {
        guard isSameButForChildren(a, b), matchChildren(a, b, &pending) else { return false }
      }
    }
    return true
  }

  private static func isSameButForChildren(_ a: TreeItem, _ b: TreeItem) -> Bool {
    a.id == b.id && a.value == b.value && a.sectionName == b.sectionName && a.cellIdentifier == b.cellIdentifier
  }

  /// Compares what kind of children there are, and leaves lists that have to be compared in `pending`.
  private static func matchChildren(
    _ a: TreeItem, _ b: TreeItem, _ pending: inout [(TreeItemList<ID, Value>, TreeItemList<ID, Value>)]
  ) -> Bool {
    if case .loaded(let left) = a.store, case .loaded(let right) = b.store {
      if left !== right { pending.append((left, right)) }
      return true
    }
    return a.store.rank == b.store.rank
  }
}

extension TreeItem: Hashable where Value: Hashable {
  /// Hashes the item and everything nested in it.
  /// - Complexity: O(*n*) for *n* nested items.
  public func hash(into hasher: inout Hasher) {
    var pending: [TreeItemList<ID, Value>] = []
    hashOne(into: &hasher, &pending)
    while let list = pending.popLast() {
      hasher.combine(list.items.count)
      for item in list.items { item.hashOne(into: &hasher, &pending) }
    }
  }

  private func hashOne(into hasher: inout Hasher, _ pending: inout [TreeItemList<ID, Value>]) {
    hasher.combine(id)
    hasher.combine(value)
    hasher.combine(sectionName)
    hasher.combine(cellIdentifier)
    hasher.combine(store.rank)
    if let list = store.list { pending.append(list) }
  }
}

extension TreeItem.Store {
  fileprivate var rank: Int {
    switch self {
    case .leaf: 0
    case .unloaded: 1
    case .unchanged: 2
    case .emptyList: 3
    case .loaded: 4
    }
  }
}
