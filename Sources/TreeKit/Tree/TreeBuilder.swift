/// Collects items one by one, so that a tree of any size is built without nested items: from rows of a table that name their
/// parents, from the lines of an outline, from the app's own objects.
///
/// ```swift
/// let builder = TreeBuilder(for: tree)
/// for try await row in database.rows {
///   try builder.add(row.key, value: row, parent: row.parentKey)
/// }
/// try tree.append(builder)
/// ```
///
/// What was added is handed to its tree as a whole by ``Tree/append(_:to:sectionName:)``, ``Tree/insert(_:under:at:sectionName:)`` or
/// ``Tree/replace(childrenOf:using:movesFromElsewhere:)-(_,TreeBuilder<ID,Value>,_)``: all of it, or, where that fails, none. The builder is empty afterwards.
///
/// A builder belongs to where its tree belongs.
public final class TreeBuilder<ID: Hashable & Sendable, Value> {
  @usableFromInline let tree: Tree<ID, Value>
  // No access to these lasts while other code runs.
  @exclusivity(unchecked) @usableFromInline var forest: Forest<ID, Value>
  /// The last item of each level, where items come by level.
  @exclusivity(unchecked) @usableFromInline var path: [UInt32] = []
  /// Parents that were named: of which item, and by which identifier.
  @exclusivity(unchecked) @usableFromInline var children: [UInt32] = []
  @exclusivity(unchecked) @usableFromInline var parents: IdentifierList<ID>
  /// The numbers that the tree gave to the names of parents.
  @exclusivity(unchecked) private var held: [UInt64] = []

  /// Makes an empty builder for a tree.
  /// - Complexity: O(1).
  public init(for tree: Tree<ID, Value>) {
    self.tree = tree
    forest = Forest(tree.coding, tree.pool)
    forest.isList = true
    parents = IdentifierList(tree.coding)
  }

  deinit {
    forest.discard()
    letGo()
  }

  /// How many items were added.
  /// - Complexity: O(1).
  public var count: Int { forest.count }

  /// Makes room for so many items in all, which saves time where their number is known.
  /// - Complexity: O(count).
  public func reserveCapacity(_ count: Int) {
    forest.reserveCapacity(count)
  }

  // MARK: Adding

  /// Adds an item by its level, as the lines of an outline come: it stands below the last item that was added one level up,
  /// behind those that stand there.
  ///
  /// - Parameters:
  ///   - id: What names it.
  ///   - value: What it stands for.
  ///   - level: 0 is topmost.
  ///   - isLeaf: What it is when it gets no children: a leaf, or unloaded.
  ///   - cellIdentifier: What kind of cell shows it.
  /// - Throws: ``TreeError/outOfRange`` where no item stands one level up, ``TreeError/limit`` after 2^32 - 2 items; the builder is as before then.
  /// - Complexity: O(1) amortised.
  @inlinable
  public func add(
    _ id: ID, value: Value, level: Int, isLeaf: Bool = true, cellIdentifier: String? = nil
  ) throws(TreeError) {
    guard level >= 0, level <= path.count else { throw .outOfRange }
    let item = try addOne(id, value, isLeaf, cellIdentifier)
    if level > 0 { forest.put(item, below: path[level - 1]) }
    if level < path.count {
      path[level] = item
      if level + 1 < path.count { path.removeSubrange((level + 1)...) }
    } else {
      path.append(item)
    }
  }

  /// Adds an item by its parent's identifier. Items may come in any order, children before their parents.
  ///
  /// Siblings keep the order in which they are added. That each parent is there is known, and told, when the tree takes the
  /// items: ``TreeError/missingParent(item:)``, ``TreeError/cycle``.
  ///
  /// - Parameters:
  ///   - id: What names it.
  ///   - value: What it stands for.
  ///   - parent: An item of this builder; `nil` is topmost.
  ///   - isLeaf: What it is when it gets no children: a leaf, or unloaded.
  ///   - cellIdentifier: What kind of cell shows it.
  /// - Throws: ``TreeError/ambiguousScope`` where identifiers are unique among siblings only, and so do not name a parent;
  ///   ``TreeError/limit`` after 2^32 - 2 items. The builder is as before then.
  /// - Complexity: O(1) amortised.
  @inlinable
  public func add(
    _ id: ID, value: Value, parent: ID?, isLeaf: Bool = true, cellIdentifier: String? = nil
  ) throws(TreeError) {
    guard parent == nil || tree.options.scope == .tree else { throw .ambiguousScope }
    let item = try addOne(id, value, isLeaf, cellIdentifier)
    path.removeAll(keepingCapacity: true)
    guard let parent else { return }
    children.append(item)
    if parents.shortcut == .none { hold(parent) }
    parents.append(parent)
  }

  @usableFromInline
  func hold(_ parent: ID) {
    let number = tree.coding.hold(parent)
    if number != 0 { held.append(number) }
  }

  @inlinable
  func addOne(
    _ id: ID, _ value: Value, _ isLeaf: Bool, _ cellIdentifier: String?
  ) throws(TreeError) -> UInt32 {
    guard forest.count < Int(noParent) - 1 else { throw .limit }
    let names = ItemNames(section: nil, cell: cellIdentifier)
    return forest.add(id, value, names, parent: noParent, state: isLeaf ? .leaf : .unloaded)
  }

  // MARK: Handing over

  /// The items with their parents found. The builder is empty afterwards, also when this fails.
  func take(inSection sectionName: String?, of tree: Tree<ID, Value>) throws(TreeError) -> Forest<ID, Value> {
    precondition(tree === self.tree, "A builder is for the tree that it was made for.")
    defer { clear() }
    guard !children.isEmpty else { return nameSection(sectionName) }
    let positions = try forest.identifiers.positions(of: parents)
    for (item, parent) in zip(children, positions) {
      guard let parent else { throw .missingParent(item: Int(item)) }
      forest.put(item, below: UInt32(parent))
    }
    return nameSection(sectionName)
  }

  /// Gives the items away, with the name of their section where they stand in one.
  private func nameSection(_ name: String?) -> Forest<ID, Value> {
    forest.setSectionOfTopmost(name)
    defer { forest = emptyForest() }
    return forest
  }

  private func clear() {
    // What was given away has left an empty forest behind.
    forest.discard()
    forest = emptyForest()
    parents = IdentifierList(tree.coding)
    children = []
    path = []
    letGo()
  }

  private func emptyForest() -> Forest<ID, Value> {
    var forest = Forest(tree.coding, tree.pool)
    forest.isList = true
    return forest
  }

  private func letGo() {
    for number in held { tree.pool.letGo?(number) }
    held = []
  }
}

@available(*, unavailable)
extension TreeBuilder: Sendable {}
