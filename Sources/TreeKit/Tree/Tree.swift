internal import CTreeCore

/// A tree of items, and one way of looking at it: which nodes are open, and so which rows there are.
///
/// A tree knows nothing of delegates or of waiting: it is the plain form under ``TreeController``. Nodes are named by
/// identifiers, and by ``TreeNode``, which works in every scope and costs no look-up.
///
/// A tree belongs to whichever actor or task made it. Bounds are said with *n* items in the tree, *k* children of the node in
/// question, *d* its depth, *v* rows.
public final class Tree<ID: Hashable & Sendable, Value> {
  /// The items of this tree.
  public typealias Item = TreeItem<ID, Value>

  /// How the tree was set up.
  public let options: TreeOptions
  @usableFromInline let handle: StoreHandle
  @usableFromInline let pool: ValuePool<Value>
  @usableFromInline let coding: IdentifierCoding<ID>
  /// Whether an item looks the same with another value; `nil` where every replaced value counts as changed.
  private let looksSame: ((Value, Value) -> Bool)?
  private var lastRevision: UInt64 = 0
  var errors: [UInt64: LoadError] = [:]
  var lastError: UInt64 = 0
  /// How many calls there were that may have changed something.
  @exclusivity(unchecked) @usableFromInline private(set) var edits = 0

  /// Makes an empty tree.
  ///
  /// - Parameters:
  ///   - options: How it is set up.
  ///   - revision: A number that changes whenever a value looks different. Without it every value that is replaced counts as
  ///     changed.
  /// - Complexity: O(1).
  public convenience init(options: TreeOptions = TreeOptions(), revision: ((Value) -> UInt64)? = nil)
  where ID: TreeIdentifier {
    self.init(options, IdentifierCoding(isTagged: options.hasSections), Self.rule(revision))
  }

  /// Makes an empty tree whose values count as changed where they are not equal.
  /// - Complexity: O(1).
  public convenience init(options: TreeOptions = TreeOptions()) where ID: TreeIdentifier, Value: Equatable {
    self.init(options, IdentifierCoding(isTagged: options.hasSections), { $0 == $1 })
  }

  /// Makes an empty tree for identifiers of any kind. It keeps a table of them, which costs memory and a look-up each.
  ///
  /// - Parameters:
  ///   - options: How it is set up.
  ///   - revision: A number that changes whenever a value looks different. Without it every value that is replaced counts as
  ///     changed.
  /// - Complexity: O(1).
  public convenience init(interning options: TreeOptions, revision: ((Value) -> UInt64)? = nil) {
    self.init(interning: options, Self.rule(revision), records: false)
  }

  /// Makes an empty tree for identifiers of any kind, whose values count as changed where they are not equal.
  /// - Complexity: O(1).
  public convenience init(interning options: TreeOptions) where Value: Equatable {
    self.init(interning: options, { $0 == $1 }, records: false)
  }

  convenience init(interning options: TreeOptions, _ looksSame: ((Value, Value) -> Bool)?, records: Bool) {
    let table = InternTable<ID>()
    let coding = IdentifierCoding(interning: table, isTagged: options.hasSections)
    self.init(options, coding, looksSame, records: records)
    pool.letGo = { table.letGo($0) }
  }

  /// Whether a value looks the same, by a number that says so.
  static func rule(_ revision: ((Value) -> UInt64)?) -> ((Value, Value) -> Bool)? {
    revision.map { revision in { revision($0) == revision($1) } }
  }

  /// - Parameter records: Whether changes of rows are recorded, for a controller.
  init(
    _ options: TreeOptions, _ coding: IdentifierCoding<ID>, _ looksSame: ((Value, Value) -> Bool)?,
    records: Bool = false
  ) {
    self.options = options
    self.looksSame = looksSame
    self.coding = coding
    pool = ValuePool()
    do {
      handle = try StoreHandle(options, idKind: coding.kind, keeper: pool, records: records)
    } catch {
      fatalError("There is no memory for an empty tree.")
    }
  }

  var store: OpaquePointer { handle.store }
  var view: OpaquePointer { handle.view }

  // MARK: What every edit goes through

  /// Runs one call that may edit, and whatever is due after any.
  func edit(_ call: () -> ctree_status) -> ctree_status {
    edited(call())
  }

  /// What is due after a call that may have edited; its status.
  func edited(_ status: ctree_status) -> ctree_status {
    edits += 1
    if !pool.released.isEmpty { pool.drain() }
    return status
  }

  /// Hands a forest to a call; its values go back when the call fails.
  func edit(
    _ forest: Forest<ID, Value>, _ call: (UnsafePointer<ctree_forest>, inout ctree_fault) -> ctree_status
  ) throws(TreeError) {
    var fault = ctree_fault()
    fault.size = MemoryLayout<ctree_fault>.size
    fault.item = UInt64.max
    fault.other_item = UInt64.max
    let status = edit { forest.withForest { call($0, &fault) } }
    guard status != CTREE_OK else { return }
    forest.discard()
    guard status == CTREE_DUPLICATE else { throw TreeError(status) }
    let other: TreeError.Place =
      if fault.other_item != UInt64.max {
        .items(forest.path(to: fault.other_item))
      } else if let node = TreeNode(handle: fault.node) {
        .node(node)
      } else {
        .unknown
      }
    throw .duplicate(item: forest.path(to: fault.item), other: other)
  }

  // MARK: Revisions

  func nextRevision() -> UInt64 {
    lastRevision += 1
    return lastRevision
  }

  /// The revision that a node has once its value and names are these: its own where it looks the same then.
  func revision(of node: ctree_node, with value: Value, _ names: ItemNames) -> UInt64 {
    let word = ctree_store_value(store, node)
    if word != 0, let looksSame, looksSame(pool.value(word), value), pool.names(word) == names {
      return ctree_store_revision(store, node)
    }
    return nextRevision()
  }

  /// Gives every item of a forest a revision that no node had before.
  func setNewRevisions(_ forest: inout Forest<ID, Value>) {
    let first = lastRevision + 1
    lastRevision += UInt64(forest.count)
    forest.revisions = Array(first..<first + UInt64(forest.count))
  }

  /// Gives every item of a forest the revision of the node that will take it, or a new one.
  ///
  /// Cost: O(1) expected for each.
  func setRevisions(_ forest: inout Forest<ID, Value>, under parent: ctree_node) {
    // New nodes begin with revision 0, which takes no memory where all have it.
    if count == 0 { return }
    guard looksSame != nil else { return setNewRevisions(&forest) }
    // Which node an item meets depends on its parent's where identifiers are unique among siblings only.
    var nodes: [ctree_node] = []
    if options.scope == .siblings { nodes.reserveCapacity(forest.count) }
    forest.revisions = Array(repeating: 0, count: forest.count)
    for item in 0..<forest.count {
      let node: ctree_node
      if options.scope == .siblings {
        let up = forest.parent(item)
        let above = up == CTREE_END ? parent : nodes[Int(up)]
        // The top level goes by the same handle as no node at all, which a new parent has.
        let isKnown = up == CTREE_END || above != 0
        node = isKnown ? forest.withID(item) { ctree_store_find_child(store, above, $0) } : 0
        nodes.append(node)
      } else {
        node = forest.withID(item) { ctree_store_find(store, $0) }
      }
      let word = forest.values[item]
      if node != 0, word != 0 {
        forest.revisions[item] = revision(of: node, with: pool.value(word), pool.names(word))
      } else {
        forest.revisions[item] = node == 0 ? nextRevision() : ctree_store_revision(store, node)
      }
    }
  }
}

@available(*, unavailable)
extension Tree: Sendable {}
