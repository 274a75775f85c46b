internal import CTreeCore

/// Items as the flat arrays that the store takes: preorder, with the position of each item's parent.
struct Forest<ID: Hashable & Sendable, Value> {
  private let coding: IdentifierCoding<ID>
  private let pool: ValuePool<Value>
  private var numbers: [UInt64] = []
  private var bytes: [UInt8] = []
  private var offsets: [UInt64] = [0]
  private var parents: [UInt32] = []
  private(set) var values: [UInt64] = []
  var revisions: [UInt64] = []
  private var states: [UInt8] = []
  /// With sections top-level items are regrouped: where each stood in the list that was handed in.
  private var ordinals: [UInt32: Int] = [:]

  init(_ coding: IdentifierCoding<ID>, _ pool: ValuePool<Value>) {
    self.coding = coding
    self.pool = pool
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
      coding.appendSection(name, to: &bytes)
      offsets.append(UInt64(bytes.count))
      close(parent: CTREE_END, value: 0, state: CTREE_STATE_LOADED)
      for ordinal in members[name] ?? [] {
        ordinals[UInt32(count)] = ordinal
        add([items[ordinal]], parent: section)
      }
    }
  }

  private mutating func addOne(_ item: TreeItem<ID, Value>, parent: UInt32) -> UInt32 {
    let position = UInt32(count)
    let held = coding.hold(item.id)
    if coding.isNumber {
      numbers.append(coding.number(item.id))
    } else {
      coding.append(item.id, to: &bytes)
      offsets.append(UInt64(bytes.count))
    }
    let state =
      switch item.store {
      case .leaf: CTREE_STATE_LEAF
      case .unloaded, .emptyList: CTREE_STATE_UNLOADED
      case .unchanged: CTREE_STATE_KEEP
      case .loaded: CTREE_STATE_LOADED
      }
    close(parent: parent, value: pool.add(item.value, item.names, held), state: state)
    return position
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
    if coding.isNumber { return body(ctree_id(bytes: nil, word: numbers[item])) }
    let range = Int(offsets[item])..<Int(offsets[item + 1])
    return bytes.withUnsafeBytes {
      body(ctree_id_bytes(UnsafeRawBufferPointer(rebasing: $0[range]).baseAddress, range.count))
    }
  }

  func withForest<Result>(_ body: (UnsafePointer<ctree_forest>) -> Result) -> Result {
    var forest = ctree_forest()
    forest.size = MemoryLayout<ctree_forest>.size
    forest.count = UInt64(count)
    return numbers.withUnsafeBufferPointer { numbers in
      bytes.withUnsafeBytes { bytes in
        offsets.withUnsafeBufferPointer { offsets in
          parents.withUnsafeBufferPointer { parents in
            values.withUnsafeBufferPointer { values in
              revisions.withUnsafeBufferPointer { revisions in
                states.withUnsafeBufferPointer { states in
                  // An array without elements may have no address, and the store tells from it what the identifiers are.
                  if coding.isNumber {
                    forest.numbers = numbers.baseAddress ?? values.baseAddress ?? offsets.baseAddress
                  } else {
                    forest.bytes = bytes.baseAddress ?? UnsafeRawPointer(offsets.baseAddress)
                    forest.offsets = offsets.baseAddress
                  }
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
    }
  }

  /// The ordinals from the top of what was handed in down to an item.
  func path(to item: UInt64) -> [Int] {
    guard item < UInt64(count) else { return [] }
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
