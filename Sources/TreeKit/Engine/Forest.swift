internal import CTreeCore

/// Items as the flat arrays that the store takes: preorder, with the position of each item's parent.
@usableFromInline
struct Forest<ID: Hashable & Sendable, Value> {
  private let coding: IdentifierCoding<ID>
  @usableFromInline let pool: ValuePool<Value>
  @usableFromInline var identifiers: IdentifierList<ID>
  @usableFromInline var parents: [UInt32] = []
  @usableFromInline var values: [UInt64] = []
  /// Those of all items, or none where all are new nodes: their revision is 0.
  var revisions: [UInt64] = []
  @usableFromInline var states: [UInt8] = []
  /// With sections top-level items are regrouped: where each stood in the list that was handed in.
  private var ordinals: [UInt32: Int] = [:]
  /// Whether the items were handed in one by one, not nested.
  var isList = false

  @usableFromInline
  init(_ coding: IdentifierCoding<ID>, _ pool: ValuePool<Value>) {
    self.coding = coding
    self.pool = pool
    identifiers = IdentifierList(coding)
  }

  mutating func reserveCapacity(_ count: Int) {
    identifiers.reserveCapacity(count)
    parents.reserveCapacity(count)
    values.reserveCapacity(count)
    states.reserveCapacity(count)
    pool.reserve(count)
  }

  @inlinable
  var count: Int { parents.count }

  func parent(_ item: Int) -> UInt32 { parents[item] }

  /// Adds items and all that is nested in them.
  @inlinable
  mutating func add(_ items: [TreeItem<ID, Value>]) {
    add(items, parent: noParent)
  }

  @inlinable
  mutating func add(_ items: [TreeItem<ID, Value>], parent: UInt32) {
    // What is left of the lists above the one that is gone through: depth costs memory, not stack.
    var above: [(rest: ArraySlice<TreeItem<ID, Value>>, parent: UInt32)] = []
    var rest = items[...]
    var parent = parent
    while true {
      var place = rest.startIndex
      var below: [TreeItem<ID, Value>]?
      var position = parent
      while place < rest.endIndex, below == nil {
        position = addOne(rest[place], parent: parent)
        if case .loaded(let list) = rest[place].store, !list.items.isEmpty { below = list.items }
        place += 1
      }
      rest = rest[place...]
      if let below {
        if !rest.isEmpty { above.append((rest, parent)) }
        rest = below[...]
        parent = position
      } else {
        guard let last = above.popLast() else { return }
        rest = last.rest
        parent = last.parent
      }
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
      close(parent: noParent, value: 0, state: .loaded)
      for ordinal in members[name] ?? [] {
        ordinals[UInt32(count)] = ordinal
        add([items[ordinal]], parent: section)
      }
    }
  }

  @inlinable
  mutating func addOne(_ item: TreeItem<ID, Value>, parent: UInt32) -> UInt32 {
    let state: ForestState =
      switch item.store {
      case .leaf: .leaf
      case .unloaded, .emptyList: .unloaded
      case .unchanged: .keep
      case .loaded: .loaded
      }
    return add(item.id, item.value, item.names, parent: parent, state: state)
  }

  /// Adds one item; its position.
  @inlinable
  mutating func add(
    _ id: ID, _ value: Value, _ names: ItemNames, parent: UInt32, state: ForestState
  ) -> UInt32 {
    guard identifiers.shortcut != .none, names.isEmpty else {
      return addAny(id, value, names, parent: parent, state: state)
    }
    let position = UInt32(count)
    identifiers.append(id)
    close(parent: parent, value: pool.add(value), state: state)
    return position
  }

  @usableFromInline
  mutating func addAny(
    _ id: ID, _ value: Value, _ names: ItemNames, parent: UInt32, state: ForestState
  ) -> UInt32 {
    let position = UInt32(count)
    let held = coding.hold(id)
    identifiers.append(id)
    close(parent: parent, value: pool.add(value, names, held), state: state)
    return position
  }

  /// Puts an item below another, which has its children from then on.
  @inlinable
  mutating func put(_ item: UInt32, below parent: UInt32) {
    parents[Int(item)] = parent
    states[Int(parent)] = ForestState.loaded.rawValue
  }

  /// Says in which section the topmost items stand.
  func setSectionOfTopmost(_ name: String?) {
    guard let name else { return }
    for item in 0..<count where parents[item] == noParent { pool.setSection(of: values[item], to: name) }
  }

  @inlinable
  mutating func close(parent: UInt32, value: UInt64, state: ForestState) {
    parents.append(parent)
    values.append(value)
    states.append(state.rawValue)
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
              forest.revisions = revisions.isEmpty ? nil : revisions.baseAddress
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
    while at != noParent {
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

/// The parent of topmost items.
@usableFromInline var noParent: UInt32 { UInt32.max }

/// What a forest says of the children of an item, in the numbers of the core.
@usableFromInline
enum ForestState: UInt8 {
  case leaf = 0
  case unloaded = 1
  case loaded = 3
  case keep = 5
}

extension TreeItem {
  @inlinable
  var names: ItemNames { ItemNames(section: sectionName, cell: cellIdentifier) }
}
