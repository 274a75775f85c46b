import CTreeCore
import PeerHarness

#if canImport(Glibc)
  @_exported import Glibc
#else
  @_exported import Darwin
#endif

/// The tree that both layers build: items of three levels have 100 children each, in preorder.
struct Input {
  let names: [String]
  let numbers: [Int]
  let parents: [UInt32]
  let levels: [Int]

  var count: Int { parents.count }

  init(count: Int, named: Bool = true) {
    var parents: [UInt32] = []
    var levels: [Int] = []
    var open: [(item: UInt32, left: Int)] = []
    for item in 0..<count {
      while let last = open.last, last.left == 0 { open.removeLast() }
      parents.append(open.last?.item ?? CTREE_END)
      levels.append(open.count)
      if !open.isEmpty { open[open.count - 1].left -= 1 }
      if open.count < 3 { open.append((UInt32(item), 100)) }
    }
    self.parents = parents
    self.levels = levels
    names = named ? (0..<count).map(Self.name) : []
    numbers = !named ? [] : (0..<count).map { Int(truncatingIfNeeded: peer_number(UInt64($0))) }
  }

  /// 24 bytes, as a path or a key of a database has.
  static func name(_ item: Int) -> String {
    let digits = String(peer_number(UInt64(item)), radix: 16)
    return "an/item-" + String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

/// The same for the core: flat arrays, ready to be handed over.
struct CoreInput {
  var bytes: [UInt8] = []
  var offsets: [UInt64] = [0]
  var values: [UInt64] = []
  let numbers: [UInt64]?
  let parents: [UInt32]

  init(_ input: Input, areNumbers: Bool) {
    parents = input.parents
    values = (0..<UInt64(input.count)).map { $0 + 1 }
    numbers = areNumbers ? input.numbers.map { UInt64(bitPattern: Int64($0)) } : nil
    if !areNumbers {
      for name in input.names {
        bytes.append(contentsOf: name.utf8)
        offsets.append(UInt64(bytes.count))
      }
    }
  }

  func withForest(_ body: (UnsafePointer<ctree_forest>) -> Void) {
    var forest = ctree_forest()
    forest.size = MemoryLayout<ctree_forest>.size
    forest.count = UInt64(parents.count)
    parents.withUnsafeBufferPointer { parents in
      values.withUnsafeBufferPointer { values in
        bytes.withUnsafeBytes { bytes in
          offsets.withUnsafeBufferPointer { offsets in
            forest.parents = parents.baseAddress
            forest.values = values.baseAddress
            forest.revisions = values.baseAddress
            if let numbers {
              numbers.withUnsafeBufferPointer {
                forest.numbers = $0.baseAddress
                body(&forest)
              }
            } else {
              forest.bytes = bytes.baseAddress
              forest.offsets = offsets.baseAddress
              body(&forest)
            }
          }
        }
      }
    }
  }
}

/// A store of the core with a view, as a program in C has them.
struct Core {
  let store: OpaquePointer
  let view: OpaquePointer

  init(areNumbers: Bool) {
    var options = ctree_store_options()
    options.size = MemoryLayout<ctree_store_options>.size
    options.id_kind = (areNumbers ? CTREE_ID_U64 : CTREE_ID_BYTES).rawValue
    var store: OpaquePointer?
    var view: OpaquePointer?
    precondition(ctree_store_create(&options, &store) == CTREE_OK)
    precondition(ctree_view_create(store, nil, &view) == CTREE_OK)
    self.store = store!
    self.view = view!
  }

  func build(_ input: CoreInput) {
    input.withForest { precondition(ctree_store_build(store, 0, CTREE_END, $0, nil, nil, nil) == CTREE_OK) }
  }

  func destroy() {
    ctree_view_destroy(view)
    ctree_store_destroy(store)
  }
}
