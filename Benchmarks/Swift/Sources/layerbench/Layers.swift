import CTreeCore
import PeerHarness
import TreeKit

/// The least of several passes in nanoseconds, since a shared machine only ever adds time.
func least(of passes: Int, _ work: () -> Void) -> Double {
  var least = Double.infinity
  for _ in 0..<passes {
    let begin = peer_time()
    work()
    least = min(least, peer_time() - begin)
  }
  return least
}

/// One figure of Swift beside that of C.
func report(_ what: String, c: Double, swift: Double, _ unit: String = "ns", goal: Double? = nil) {
  func text(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
  func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
  let name = what + String(repeating: " ", count: max(0, 44 - what.count))
  let goal = goal.map { swift / c <= $0 ? "  within \(text($0))" : "  MISSES \(text($0))" } ?? ""
  print("\(name)\(pad(text(c), 10)) \(pad(text(swift), 10)) \(unit)\(pad(text(swift / c), 8))\(goal)")
}

func compareBuild<ID: TreeIdentifier>(_ kind: String, _ input: Input, _ ids: [ID], goal: Double?) {
  let core = CoreInput(input, areNumbers: ID.self == Int.self)
  let passes = 5
  let count = Double(input.count)
  let c = least(of: passes) {
    let it = Core(areNumbers: ID.self == Int.self)
    it.build(core)
    precondition(ctree_store_count(it.store) == UInt64(input.count))
    it.destroy()
  }
  func swift(_ fill: (TreeBuilder<ID, Int>) -> Void) -> Double {
    least(of: passes) {
      let tree = Tree<ID, Int>()
      let builder = TreeBuilder(for: tree)
      fill(builder)
      try! tree.append(builder)
      precondition(tree.count == input.count)
    }
  }
  report(
    "build \(kind), by level", c: c / count,
    swift: swift { builder in
      try! builder.add(contentsOf: 0..<input.count, id: { ids[$0] }, level: { input.levels[$0] }, value: { $0 })
    } / count, goal: goal)
  report(
    "build \(kind), parents by identifier", c: c / count,
    swift: swift { builder in
      try! builder.add(
        contentsOf: 0..<input.count, id: { ids[$0] },
        parent: { input.parents[$0] == CTREE_END ? nil : ids[Int(input.parents[$0])] }, value: { $0 })
    } / count)
  let nested = nestedItems(input, ids)
  report(
    "build \(kind), nested items that are there", c: c / count,
    swift: least(of: passes) {
      let tree = Tree<ID, Int>()
      try! tree.append(nested)
      precondition(tree.count == input.count)
    } / count, goal: goal)
}

/// From the last item to the first, so that the children of each are there before it.
func nestedItems<ID: TreeIdentifier>(_ input: Input, _ ids: [ID]) -> [TreeItem<ID, Int>] {
  var waiting: [UInt32: [TreeItem<ID, Int>]] = [:]
  for item in (0..<input.count).reversed() {
    let children = waiting.removeValue(forKey: UInt32(item)).map { Array($0.reversed()) }
    waiting[input.parents[item], default: []].append(TreeItem(ids[item], value: item, children: children))
  }
  return waiting[CTREE_END]!.reversed()
}

func compareReads<ID: TreeIdentifier>(_ kind: String, _ input: Input, _ ids: [ID]) {
  let core = Core(areNumbers: ID.self == Int.self)
  core.build(CoreInput(input, areNumbers: ID.self == Int.self))
  precondition(ctree_view_expand_all(core.view, 0, CTREE_ALL_LEVELS, nil) == CTREE_OK)
  let tree = Tree<ID, Int>()
  let builder = TreeBuilder(for: tree)
  try! builder.add(contentsOf: 0..<input.count, id: { ids[$0] }, level: { input.levels[$0] }, value: { $0 })
  try! tree.append(builder)
  try! tree.expandAll()

  // A window of rows with what a table shows of each, to keep: its identifier and its value. In C that is a copy of the text.
  let starts = (0..<2000).map { Int(peer_number(UInt64($0)) % UInt64(input.count - 100)) }
  var rows = Array(repeating: ctree_row(), count: 100)
  var texts = Array(repeating: CChar(0), count: 100 * 32)
  var sum: UInt64 = 0
  let c = least(of: 9) {
    for start in starts {
      var count: UInt32 = 100
      precondition(ctree_view_window(core.view, UInt32(start), &count, &rows) == CTREE_OK)
      for (place, row) in rows.enumerated() {
        var info = ctree_node_info()
        info.size = MemoryLayout<ctree_node_info>.size
        precondition(ctree_store_info(core.store, row.node, &info) == CTREE_OK)
        if let bytes = info.id.bytes {
          _ = texts.withUnsafeMutableBytes { memcpy($0.baseAddress! + 32 * place, bytes, Int(info.id.word)) }
        }
        sum &+= info.value &+ info.id.word
      }
    }
  }
  var kept = 0
  let swift = least(of: 9) {
    for start in starts {
      let rows = tree.rows(in: start..<start + 100)
      for place in rows.indices { kept &+= rows[place].item.value }
    }
  }
  report("window of 100 rows, \(kind)", c: c / 2000, swift: swift / 2000, goal: 3)

  let asked = (0..<200_000).map { Int(peer_number(UInt64($0)) % UInt64(input.count)) }
  // Made for the question on both sides, so that neither walks over memory that the other does not.
  let wanted = asked.map {
    (ids[$0] as? String).map { String(decoding: Array($0.utf8), as: UTF8.self) as! ID } ?? ids[$0]
  }
  let bytes = asked.map { Array(input.names[$0].utf8) }
  let words = asked.map { UInt64(bitPattern: Int64(input.numbers[$0])) }
  var found = 0
  let cFind =
    ID.self == Int.self
    ? least(of: 9) {
      for word in words where ctree_store_find(core.store, ctree_id(bytes: nil, word: word)) != 0 { found += 1 }
    }
    : least(of: 9) {
      for name in bytes {
        if ctree_store_find(core.store, ctree_id_bytes(name, name.count)) != 0 { found += 1 }
      }
    }
  let swiftFind = least(of: 9) { for id in wanted where tree.find(id) != nil { found += 1 } }
  precondition(found == 2 * 9 * wanted.count && kept != 0 && sum != 0 && texts.count > 0)
  report("find, \(kind)", c: cFind / 200_000, swift: swiftFind / 200_000, goal: 2)
  core.destroy()
}
