/// An item of a tree: an identifier, a value, and what is known of its children.
///
/// Items are values and never change; a tree is changed by handing it new ones. What a subclass would add goes into
/// `Value`. Items may be nested to any depth: they are made, compared, hashed and released without recursion.
public struct TreeItem<ID: Hashable & Sendable, Value> {
  /// What names the item; unique in its tree, or among its siblings where the tree's scope says so.
  public let id: ID
  /// What the item stands for. An object is held as it is, and let go when its node goes.
  public let value: Value
  /// The section of a top-level item, in trees with sections; it says nothing of other items.
  public let sectionName: String?
  /// What kind of cell shows the item; the tree only keeps it.
  public let cellIdentifier: String?
  @usableFromInline let store: Store

  /// What is known of an item's children.
  public enum Children {
    /// There are none and there never will be: the item cannot open.
    case leaf
    /// There may be some, which are loaded when the item is opened.
    case unloaded
    /// These, possibly none.
    case loaded([TreeItem])
    /// Those that the tree has; an item that is new to the tree is unloaded.
    case unchanged
  }

  /// Children as they are kept: an empty list keeps that it was one, since what it means depends on where it is used.
  @usableFromInline
  enum Store {
    case leaf, unloaded, unchanged, emptyList
    case loaded(TreeItemList<ID, Value>)
  }

  /// Makes an item.
  /// - Complexity: O(1).
  public init(
    _ id: ID, value: Value, children: Children = .leaf, sectionName: String? = nil, cellIdentifier: String? = nil
  ) {
    self.init(id, value, Store(children), sectionName, cellIdentifier)
  }

  /// Makes an item from a list of its children.
  ///
  /// - Parameters:
  ///   - id: What names it.
  ///   - value: What it stands for.
  ///   - children: `nil` makes a leaf. An empty list makes an item that is unloaded when it first comes into a tree, and
  ///     one that is loaded and empty when it is handed in as a new version of an item.
  ///   - sectionName: Its section, where it is a top-level item of a tree with sections.
  ///   - cellIdentifier: What kind of cell shows it.
  /// - Complexity: O(1).
  public init(
    _ id: ID, value: Value, children: [TreeItem]?, sectionName: String? = nil, cellIdentifier: String? = nil
  ) {
    self.init(id, value, Store(children), sectionName, cellIdentifier)
  }

  @inlinable
  init(_ id: ID, _ value: Value, _ store: Store, _ sectionName: String?, _ cellIdentifier: String?) {
    self.id = id
    self.value = value
    self.store = store
    self.sectionName = sectionName
    self.cellIdentifier = cellIdentifier
  }

  /// What is known of the children. An empty list that was given as a list reads as `.loaded([])`.
  /// - Complexity: O(1).
  public var children: Children {
    switch store {
    case .leaf: .leaf
    case .unloaded: .unloaded
    case .unchanged: .unchanged
    case .emptyList: .loaded([])
    case .loaded(let list): .loaded(list.items)
    }
  }

  /// The same item with other children; the item itself stays as it is.
  /// - Complexity: O(1).
  public func copyWithChildren(_ children: Children) -> TreeItem {
    TreeItem(id, value, Store(children), sectionName, cellIdentifier)
  }

  /// The same item with a list of children: `nil` makes it a leaf; for an empty list see `init`.
  /// - Complexity: O(1).
  public func copyWithChildren(_ children: [TreeItem]?) -> TreeItem {
    TreeItem(id, value, Store(children), sectionName, cellIdentifier)
  }

  /// The same item with another value.
  /// - Complexity: O(1).
  public func copyWithValue(_ value: Value) -> TreeItem {
    TreeItem(id, value, store, sectionName, cellIdentifier)
  }
}

extension TreeItem where Value == Void {
  /// Makes an item that is no more than its identifier.
  /// - Complexity: O(1).
  public init(_ id: ID, children: Children = .leaf, sectionName: String? = nil) {
    self.init(id, (), Store(children), sectionName, nil)
  }
}

extension TreeItem.Store {
  init(_ children: TreeItem<ID, Value>.Children) {
    switch children {
    case .leaf: self = .leaf
    case .unloaded: self = .unloaded
    case .unchanged: self = .unchanged
    case .loaded(let items): self = .loaded(TreeItemList(items))
    }
  }

  /// That of an item which is read without its children: `unchanged` stands for those that the tree has.
  @inlinable
  init(shallow state: TreeLoadState, isEmpty: Bool) {
    switch state {
    case .leaf: self = .leaf
    case .unloaded: self = .unloaded
    case .failed where isEmpty: self = .unloaded
    case .loading, .loaded, .failed: self = .unchanged
    }
  }

  init(_ children: [TreeItem<ID, Value>]?) {
    guard let children else {
      self = .leaf
      return
    }
    self = children.isEmpty ? .emptyList : .loaded(TreeItemList(children))
  }

  var list: TreeItemList<ID, Value>? {
    if case .loaded(let list) = self { list } else { nil }
  }
}

extension TreeItem: Sendable where Value: Sendable {}
extension TreeItem.Children: Sendable where Value: Sendable {}
extension TreeItem.Store: Sendable where Value: Sendable {}
// Here, since only the file of an enumeration can have its comparison made.
extension TreeItem.Children: Equatable where Value: Equatable {}
extension TreeItem.Children: Hashable where Value: Hashable {}
