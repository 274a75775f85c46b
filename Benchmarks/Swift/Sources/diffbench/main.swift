// The diff beside the standard library's, in one run: `diffbench [rows] [every]`. One row in `every` is edited. Each
// figure is also a line of JSON, as the peers' programs print them.
// swift run -c release --package-path Benchmarks/Swift diffbench 100000 100

import CTreeCore
import PeerHarness
import TreeKit

let count = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1])! : 100_000
let every = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2])! : 100

/// Half of the edits take a row out, half put one in.
func edited<Row>(_ rows: [Row], new: (Int) -> Row) -> [Row] {
  var result: [Row] = []
  result.reserveCapacity(rows.count + rows.count / every)
  for (index, row) in rows.enumerated() {
    switch index % (2 * every) {
    case 0: continue
    case every:
      result.append(new(index))
      result.append(row)
    default: result.append(row)
    }
  }
  return result
}

/// The least of several runs, since a shared machine only ever adds time.
func seconds(_ runs: Int, _ work: () throws -> Void) rethrows -> Double {
  var least = Double.infinity
  for _ in 0..<runs {
    let clock = ContinuousClock()
    let elapsed = try clock.measure(work).components
    least = min(least, Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18)
  }
  return least
}

func note(_ who: String, _ what: String, _ time: Double) {
  peer_print(who, "edits", UInt32(count), what, UInt32(every), time * 1e9 / Double(count), "ns")
}

func report(_ what: String, _ time: Double, against standard: Double) {
  print("\(what): \(time * 1e9 / Double(count)) ns a row, \(standard / time) times as fast as the standard library")
}

/// Handles, as a store gives them out: slots that count up, under one generation.
let oldNodes = (1...count).map { UInt64($0) | 7 << 32 }
let newNodes = edited(oldNodes) { UInt64(count + $0 + 1) | 7 << 32 }
let standardOnNumbers = seconds(1) { _ = newNodes.difference(from: oldNodes).inferringMoves() }
note("swift-stdlib", "diff_u64", standardOnNumbers)
print("standard library, numbers: \(standardOnNumbers * 1e9 / Double(count)) ns a row")

let onHandles = seconds(5) {
  oldNodes.withUnsafeBufferPointer { old in
    newNodes.withUnsafeBufferPointer { new in
      var oldList = ctree_diff_list()
      oldList.rows = UnsafeRawPointer(old.baseAddress)
      oldList.row_count = UInt32(old.count)
      var newList = ctree_diff_list()
      newList.rows = UnsafeRawPointer(new.baseAddress)
      newList.row_count = UInt32(new.count)
      var diff: OpaquePointer?
      precondition(ctree_diff_create(&oldList, &newList, nil, nil, &diff) == CTREE_OK)
      ctree_diff_destroy(diff)
    }
  }
}
note("treekit", "diff_u64", onHandles)
report("CTreeCore, handles", onHandles, against: standardOnNumbers)

let onNumbers = try seconds(5) { _ = try TreeChanges(from: oldNodes, to: newNodes) }
note("treekit-swift", "diff_u64", onNumbers)
report("TreeKit, UInt64", onNumbers, against: standardOnNumbers)

func name(_ number: Int) -> String {
  let digits = String(number)
  return "a name of 24 by" + String(repeating: "0", count: 9 - digits.count) + digits
}
let oldNames = (1...count).map(name)
let newNames = edited(oldNames) { name(count + $0 + 1) }
let standardOnStrings = seconds(1) { _ = newNames.difference(from: oldNames).inferringMoves() }
note("swift-stdlib", "diff_text", standardOnStrings)
print("standard library, strings: \(standardOnStrings * 1e9 / Double(count)) ns a row")
let onStrings = try seconds(5) { _ = try TreeChanges(from: oldNames, to: newNames) }
note("treekit-swift", "diff_text", onStrings)
report("TreeKit, String of 24 bytes", onStrings, against: standardOnStrings)
