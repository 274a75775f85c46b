internal import CTreeCore

/// Items as the flat arrays that the store takes: preorder, with the position of each item's parent.
struct Forest<ID: Hashable & Sendable, Value> {
  private let coding: IdentifierCoding<ID>
  private let pool: ValuePool<Value>
  private(set) var identifiers: IdentifierList<ID>
  private var parents: [UInt32] = []
  private(set) var values: [UInt64] = []
  var revisions: [UInt64] = []
  private var states: [UInt8] = []
  /// With sections top-level items are regrouped: where each stood in the list that was handed in.
  private var ordinals: [UInt32: Int] = [:]
  /// Whether the items were handed in one by one, not nested.
  var isList = false

  init(_ coding: IdentifierCoding<ID>, _ pool: ValuePool<Value>) {
    self.coding = coding
    self.pool = pool
    identifiers = IdentifierList(coding)
  }

  mutating func reserveCapacity(_ count: Int) {
    identifiers.reserveCapacity(count)
    parents.reserveCapacity(count)
    values.reserveCapacity(count)
    revisions.reserveCapacity(count)
    states.reserveCapacity(count)
  }

  var count: Int { parents.count }

  func parent(_ item: Int) -> UInt32 { parents[item] }

  /// Adds items and all that is nested in them.
  mutating func add(_ items: [TreeItem<ID, Value>]) {
    add(items, parent: CTREE_END)
  }

  private mutating func add(_ items: [TreeItem<ID, Value>], parent: UInt32) {
    var open: [(items: [TreeItem<ID, Value>], next: Int, parent: UInt32)] = [(items, 0, parent)]
    while let level = open.last {
      guard level.next < level.items.count else {
        open.removeLast()
        continue
      }
      open[open.count - 1].next += 1
      let item = level.items[level.next]
      let position = addOne(item, parent: level.parent)
      if let list = item.store.list, !list.items.isEmpty { open.append((list.items, 0, position)) }
    }
  }

  /// Adds top-level items under nodes for their sections, in order of first appearance.
  mutating func addInSections(_ items: [TreeItem<ID, Value>]) {
    var order: [String?] = []
    var members: [String?: [Int]] = [:]
    for (ordinal, item) in items.enumerated() {
      if members[item.sectionName] == nil { order.append(item.sectionName) }
      members[item.sectionName, default: []].append(ordinal)
    }
    for name in order {
      let section = UInt32(count)
      identifiers.appendSection(name)
      close(parent: CTREE_END, value: 0, state: CTREE_STATE_LOADED)
      for ordinal in members[name] ?? [] {
        ordinals[UInt32(count)] = ordinal
        add([items[ordinal]], parent: section)
      }
    }
  }

  private mutating func addOne(_ item: TreeItem<ID, Value>, parent: UInt32) -> UInt32 {
    let state =
      switch item.store {
      case .leaf: CTREE_STATE_LEAF
      case .unloaded, .emptyList: CTREE_STATE_UNLOADED
      case .unchanged: CTREE_STATE_KEEP
      case .loaded: CTREE_STATE_LOADED
      }
    return add(item.id, item.value, item.names, parent: parent, state: state)
  }

  /// Adds one item; its position.
  mutating func add(
    _ id: ID, _ value: Value, _ names: ItemNames, parent: UInt32, state: ctree_load_state
  ) -> UInt32 {
    let position = UInt32(count)
    let held = coding.hold(id)
    identifiers.append(id)
    close(parent: parent, value: pool.add(value, names, held), state: state)
    return position
  }

  /// Puts an item below another, which has its children from then on.
  mutating func put(_ item: UInt32, below parent: UInt32) {
    parents[Int(item)] = parent
    states[Int(parent)] = UInt8(CTREE_STATE_LOADED.rawValue)
  }

  /// Says in which section the topmost items stand.
  func setSectionOfTopmost(_ name: String?) {
    guard let name else { return }
    for item in 0..<count where parents[item] == CTREE_END { pool.setSection(of: values[item], to: name) }
  }

  private mutating func close(parent: UInt32, value: UInt64, state: ctree_load_state) {
    parents.append(parent)
    values.append(value)
    revisions.append(0)
    states.append(UInt8(state.rawValue))
  }

  /// Gives the values back, for a call that failed.
  func discard() {
    pool.discard(values)
  }

  func withID<Result>(_ item: Int, _ body: (ctree_id) -> Result) -> Result {
    identifiers.with(item, body)
  }

  func withForest<Result>(_ body: (UnsafePointer<ctree_forest>) -> Result) -> Result {
    identifiers.withForest { forest in
      parents.withUnsafeBufferPointer { parents in
        values.withUnsafeBufferPointer { values in
          revisions.withUnsafeBufferPointer { revisions in
            states.withUnsafeBufferPointer { states in
              forest.parents = parents.baseAddress
              forest.values = values.baseAddress
              forest.revisions = revisions.baseAddress
              forest.states = states.baseAddress
              return body(&forest)
            }
          }
        }
      }
    }
  }

  /// The ordinals from the top of what was handed in down to an item; its position where it was handed in as a list.
  func path(to item: UInt64) -> [Int] {
    guard item < UInt64(count) else { return [] }
    if isList { return [Int(item)] }
    var path: [Int] = []
    var at = UInt32(item)
    while at != CTREE_END {
      let parent = parents[Int(at)]
      if let ordinal = ordinals[at] {
        path.append(ordinal)
        break
      }
      path.append(parents[..<Int(at)].count(where: { $0 == parent }))
      at = parent
    }
    return path.reversed()
  }
}

extension TreeItem {
  var names: ItemNames { ItemNames(section: sectionName, cell: cellIdentifier) }
}
