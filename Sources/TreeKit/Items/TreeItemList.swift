/// The children of an item. It is a class for the sake of its `deinit`: nested arrays would be released by recursion,
/// and a million levels of it would overflow the stack.
@usableFromInline
final class TreeItemList<ID: Hashable & Sendable, Value> {
  // Written only by a deinit that holds the last reference: to readers it is a constant.
  @usableFromInline private(set) var items: [TreeItem<ID, Value>]

  init(_ items: [TreeItem<ID, Value>]) {
    self.items = items
  }

  deinit {
    var doomed: [[TreeItem<ID, Value>]] = []
    Self.take(&items, into: &doomed)
    while var level = doomed.popLast() {
      Self.take(&level, into: &doomed)
    }
  }

  /// Lets items go one by one, after taking the lists that nothing else holds out of them.
  private static func take(_ items: inout [TreeItem<ID, Value>], into doomed: inout [[TreeItem<ID, Value>]]) {
    while !items.isEmpty {
      // The item itself must be gone before its list can be seen to have no other holder.
      var list = items.popLast()?.store.list
      if list != nil, isKnownUniquelyReferenced(&list), let list {
        doomed.append(list.items)
        list.items = []
      }
    }
  }
}

extension TreeItemList: @unchecked Sendable where Value: Sendable {}
