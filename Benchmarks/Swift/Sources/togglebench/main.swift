// Opening and closing by identifier through TreeController, delivery of the changes included, beside find, expand or
// collapse, commit and accept in C, in one run: `togglebench [folders] [Int|String]`, of ten items each.
// swift run -c release --package-path Benchmarks/Swift togglebench 100000

import CTreeCore
import TreeKit

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

let folders = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1])! : 100_000
let inEach = 10
let rounds = min(20_000, folders)

/// Some of the folders, each once, in an order that no cache foresees, the same in every run.
let order: [Int] = {
  var state: UInt64 = 1
  var all = Array(0..<folders)
  for place in all.indices.reversed() {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    all.swapAt(place, Int(state >> 33) % (place + 1))
  }
  return Array(all.prefix(rounds))
}()

/// Nanoseconds of an open and a close of each of `order`, the least of several runs; each of them apart.
func timed(open: (Int) -> Void, close: (Int) -> Void) -> (open: Double, close: Double) {
  var best = (open: Double.infinity, close: Double.infinity)
  for _ in 0..<15 {
    // The time that this program ran: what else runs on the machine counts less.
    let begin = clock()
    for folder in order { open(folder) }
    let between = clock()
    for folder in order.reversed() { close(folder) }
    let nanoseconds = 1e9 / Double(CLOCKS_PER_SEC) / Double(rounds)
    best.open = min(best.open, Double(between - begin) * nanoseconds)
    best.close = min(best.close, Double(clock() - between) * nanoseconds)
  }
  return best
}

/// A delegate that counts what it is told. They are classes of their own, as in an app: a generic one is code for any type.
protocol Table<ID>: TreeControllerDelegate where Value == Int {
  var told: Int { get }
}

final class IntTable: Table {
  var told = 0
  func controller(_ controller: TreeController<Int, Int>, changed changes: TreeChanges) { told += 1 }
}

final class StringTable: Table {
  var told = 0
  func controller(_ controller: TreeController<String, Int>, changed changes: TreeChanges) { told += 1 }
}

func inSwift<ID: TreeIdentifier>(
  _ table: some Table<ID>, _ id: (Int) -> ID
) -> (open: Double, close: Double) {
  let controller = TreeController<ID, Int>()
  controller.delegate = table
  let items = (0..<folders).map { (folder: Int) -> TreeItem<ID, Int> in
    let first = folder * (inEach + 1)
    let children = (1...inEach).map { (item: Int) -> TreeItem<ID, Int> in TreeItem(id(first + item), value: item) }
    return TreeItem(id(first), value: 0, children: children)
  }
  try! controller.setItems(items)
  let ids = (0..<folders).map { id($0 * (inEach + 1)) }
  let result = timed(open: { _ = try! controller.expand(ids[$0]) }, close: { _ = try! controller.collapse(ids[$0]) })
  precondition(table.told > rounds)
  return result
}

func inC(_ kind: ctree_id_kind, _ withID: (Int, (ctree_id) -> Void) -> Void) -> (open: Double, close: Double) {
  var options = ctree_store_options()
  options.size = MemoryLayout<ctree_store_options>.size
  options.id_kind = kind.rawValue
  var store: OpaquePointer?
  precondition(ctree_store_create(&options, &store) == CTREE_OK)
  for folder in 0..<folders {
    var node: ctree_node = 0
    var made = CTREE_OK
    withID(folder * (inEach + 1)) { made = ctree_store_insert(store, 0, .max, $0, nil, &node) }
    for item in 1...inEach {
      withID(folder * (inEach + 1) + item) { made = ctree_store_insert(store, node, .max, $0, nil, nil) }
    }
    precondition(made == CTREE_OK)
  }
  var viewOptions = ctree_view_options()
  viewOptions.size = MemoryLayout<ctree_view_options>.size
  viewOptions.flags = UInt32(CTREE_VIEW_RECORDS)
  var view: OpaquePointer?
  precondition(ctree_view_create(store, &viewOptions, &view) == CTREE_OK)
  precondition(ctree_view_accept(view) == CTREE_OK)
  func toggle(_ folder: Int, _ call: (OpaquePointer?, ctree_node) -> ctree_status) {
    var node: ctree_node = 0
    withID(folder * (inEach + 1)) { node = ctree_store_find(store, $0) }
    var batch: UnsafePointer<ctree_batch>?
    precondition(call(view, node) == CTREE_OK)
    precondition(ctree_view_commit(view, 0, &batch) == CTREE_OK)
    precondition(ctree_view_accept(view) == CTREE_OK)
  }
  let result = timed(open: { toggle($0, ctree_view_expand) }, close: { toggle($0, ctree_view_collapse) })
  ctree_view_destroy(view)
  ctree_store_destroy(store)
  return result
}

func name(_ number: Int) -> String {
  let digits = String(number)
  return "a name of 24 by" + String(repeating: "0", count: 9 - digits.count) + digits
}

func report(_ what: String, _ swift: (open: Double, close: Double), _ core: (open: Double, close: Double)) {
  func line(_ call: String, _ swift: Double, _ core: Double) {
    print("\(what), \(call): Swift \(Int(swift)) ns, C \(Int(core)) ns, \(Int(swift / core * 100)) % of C")
  }
  line("open", swift.open, core.open)
  line("close", swift.close, core.close)
}

let only = CommandLine.arguments.count > 2 ? CommandLine.arguments[2] : nil
if only != "String" {
  let core = inC(CTREE_ID_U64) { number, body in body(ctree_id(bytes: nil, word: UInt64(number))) }
  report("Int", inSwift(IntTable()) { $0 }, core)
}
if only != "Int" {
  let names = (0..<folders * (inEach + 1)).map { name($0) }
  let core = inC(CTREE_ID_BYTES) { number, body in
    var name = names[number]
    name.withUTF8 { body(ctree_id_bytes($0.baseAddress, $0.count)) }
  }
  report("String", inSwift(StringTable()) { names[$0] }, core)
}
