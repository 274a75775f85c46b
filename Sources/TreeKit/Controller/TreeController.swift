/// A tree with a delegate, loads, and the changes of its rows.
///
/// A controller belongs to whichever actor made it. What it says of rows is what was delivered last, so that a table never
/// asks about rows that it was not told of; ``tree`` has what is true now.
public final class TreeController<ID: Hashable & Sendable, Value> {
  /// The items of this controller.
  public typealias Item = TreeItem<ID, Value>

  /// Asked and told while nodes open and close.
  @exclusivity(unchecked) public weak var delegate: (any TreeControllerDelegate<ID, Value>)?
  /// Whether closing a node cancels its load. Usually it goes on, and shows when the node is opened again.
  @exclusivity(unchecked) public var cancelsLoadsOnCollapse = false
  /// Whether a tap that opens a node closes its open siblings in the same change, as an accordion does. The delegate is asked
  /// and told of each as if it had been tapped, and may forbid it. It costs O(*k*) for *k* siblings, and concerns nothing else
  /// that opens: not ``expandAll(levels:)``, reveals, or a restored state.
  @exclusivity(unchecked) public var opensOnePerLevel = false
  /// The tree as it is now. Read from it at any time; edit it within ``update(_:completion:)``.
  public let tree: Tree<ID, Value>

  // Of these, and of those above, no access lasts while other code runs, so that nothing need check it at each tap.
  @exclusivity(unchecked) var shown: Shown?
  @exclusivity(unchecked) var updatesOpen = 0
  @exclusivity(unchecked) var isDelivering = false
  @exclusivity(unchecked) var completions: [() -> Void] = []
  /// There only once one was set, so that a tap without them pays one look.
  @exclusivity(unchecked) var targets: Targets?
  @exclusivity(unchecked) var loads = LoadTasks()
  /// Begins a load by itself, where a source was set.
  var startSource: ((TreeController, Item, TreeTicket) -> Task<Void, Never>)?

  /// Makes a controller of an empty tree.
  ///
  /// - Parameters:
  ///   - options: How it is set up.
  ///   - revision: A number that changes whenever a value looks different. Without it every value that is replaced counts as
  ///     changed.
  /// - Complexity: O(1).
  public init(options: TreeOptions = TreeOptions(), revision: ((Value) -> UInt64)? = nil) where ID: TreeIdentifier {
    tree = Tree(
      options, IdentifierCoding(isTagged: options.hasSections), Tree<ID, Value>.rule(revision), records: true)
  }

  /// Makes a controller of an empty tree whose values count as changed where they are not equal.
  /// - Complexity: O(1).
  public init(options: TreeOptions = TreeOptions()) where ID: TreeIdentifier, Value: Equatable {
    tree = Tree(options, IdentifierCoding(isTagged: options.hasSections), { $0 == $1 }, records: true)
  }

  /// Makes a controller for identifiers of any kind; see ``Tree/init(interning:revision:)``.
  /// - Complexity: O(1).
  public init(interning options: TreeOptions, revision: ((Value) -> UInt64)? = nil) {
    tree = Tree(interning: options, Tree<ID, Value>.rule(revision), records: true)
  }

  /// Makes a controller for identifiers of any kind, whose values count as changed where they are not equal.
  /// - Complexity: O(1).
  public init(interning options: TreeOptions) where Value: Equatable {
    tree = Tree(interning: options, { $0 == $1 }, records: true)
  }

  deinit { loads.cancelAll() }

  // MARK: Items

  /// The node of an identifier.
  @inlinable
  func node(for id: ID) throws(TreeError) -> TreeNode {
    guard let node = tree.find(id) else {
      throw tree.options.scope == .siblings ? .ambiguousScope : .unknownIdentifier
    }
    return node
  }

  /// The item of an identifier, without its children; `nil` where it is unknown.
  /// - Complexity: O(1) expected.
  public func item(for id: ID) -> Item? { tree.find(id).flatMap { try? tree.item(at: $0) } }

  /// Replaces all items. Those that are found again by identifier keep what is open in them.
  /// - Throws: As ``Tree/replace(childrenOf:using:movesFromElsewhere:)-(_,[Item],_)``; nothing has changed then.
  /// - Complexity: O(*n*).
  public func setItems(_ items: [Item]) throws(TreeError) {
    try update { tree throws(TreeError) in try tree.replace(childrenOf: nil, using: items) }
  }

  /// Replaces an item, hidden or not, by a new version of it: value, names, and children as far as the new version says
  /// something of them. It ends a load of the item's children when it has some.
  ///
  /// - Throws: ``TreeError/unknownIdentifier``, and nothing changes.
  /// - Complexity: O(*s*) for *s* items handed in or removed.
  public func setNewVersionOfItem(_ item: Item) throws(TreeError) {
    try setNewVersion(of: node(for: item.id), item)
  }

  /// The same for a node, where identifiers are unique among siblings only.
  /// - Throws: ``TreeError/staleNode``, ``TreeError/identifierMismatch``, ``TreeError/duplicate(item:other:)``; nothing has changed then.
  /// - Complexity: O(*s*) for *s* items handed in or removed.
  public func setNewVersion(of node: TreeNode, _ item: Item) throws(TreeError) {
    try update { tree throws(TreeError) in try tree.replace(node, with: item) }
  }
}

@available(*, unavailable)
extension TreeController: Sendable {}
