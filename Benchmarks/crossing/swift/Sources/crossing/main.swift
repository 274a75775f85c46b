// What the calls cost through TreeKit: the measures of ../../README.md, for a tree whose items have no values.
import TreeKit

let nodeCount = 1_000_000
let topCount = 1000
let rounds = 5
let windowLength = 100
let findCount = 100_000
let windowCount = 10_000

func scattered(_ count: Int, _ n: Int) -> [Int] { (0..<count).map { $0 * 7919 % n } }

func nanoseconds(_ work: () throws -> Void) rethrows -> Double {
  let elapsed = try ContinuousClock().measure(work).components
  return Double(elapsed.seconds) * 1e9 + Double(elapsed.attoseconds) * 1e-9
}

func measure(
  _ name: String, calls: Int, prepare: () throws -> Void = {}, _ work: () throws -> Void
) throws {
  var times: [Double] = []
  for _ in 0..<rounds {
    try prepare()
    times.append(try nanoseconds(work))
  }
  let tenths = Int(times.sorted()[rounds / 2] / Double(calls) * 10)
  print(name, "\(tenths / 10).\(tenths % 10)")
}

/// In a function, so that nothing here is global.
func measureAll() throws {
  // Where a round's result goes, so that nothing is left out as unused.
  var sum = 0
  let ids = (1...UInt64(nodeCount)).map { $0 }
  let parents = (0..<nodeCount).map { $0 < topCount ? nil : ids[($0 - topCount) / 999] }

  var tree = Tree<UInt64, Void>()
  try measure("build", calls: 1, prepare: { tree = Tree() }) {
    let builder = TreeBuilder(for: tree)
    try builder.add(contentsOf: 0..<nodeCount, id: { ids[$0] }, parent: { parents[$0] }, value: { _ in })
    try tree.append(builder)
  }

  let tops = ids[..<topCount].map { tree.find($0)! }
  func expandTops() throws { for node in tops { try tree.expand(node) } }
  func collapseTops() throws { for node in tops { try tree.collapse(node) } }
  try expandTops()
  try measure("expand", calls: topCount, prepare: collapseTops, expandTops)
  try measure("collapse", calls: topCount, prepare: expandTops, collapseTops)

  let wanted = scattered(findCount, nodeCount).map { ids[$0] }
  try measure("find", calls: findCount) { for id in wanted { sum &+= tree.find(id) == nil ? 0 : 1 } }

  try tree.expandAll()
  let firsts = scattered(windowCount, tree.rowCount - windowLength)
  try measure("window", calls: windowCount) {
    for first in firsts { sum &+= tree.rows(in: first..<first + windowLength)[0].level }
  }
  let nodes = wanted.map { tree.find($0)! }
  try measure("row-of", calls: findCount) { for node in nodes { sum &+= tree.row(of: node) ?? 0 } }
  precondition(tree.rowCount == nodeCount && sum > 0)
}

try measureAll()
