// Both stop at the first level: the standard ones would follow the children down, by recursion.

extension TreeItem: CustomStringConvertible {
  /// The identifier, the value, and how many children there are.
  /// - Complexity: O(1), and what describing the value costs.
  public var description: String {
    switch store {
    case .leaf: "\(id): \(value)"
    case .unloaded, .emptyList: "\(id): \(value) [unloaded]"
    case .unchanged: "\(id): \(value) [unchanged]"
    case .loaded(let list): "\(id): \(value) [\(list.items.count) children]"
    }
  }
}

extension TreeItem: CustomReflectable {
  /// The item without its children.
  /// - Complexity: O(1).
  public var customMirror: Mirror {
    Mirror(self, children: ["id": id, "value": value], displayStyle: .struct)
  }
}
