// Finding by identifier in Swift: a tree of TreeKit beside the standard library's Dictionary, with the keys of the
// harness. `indexbench [--keys N] [--ms N]` prints a line of JSON for each figure, `indexbench --info` what the peers are.
import PeerHarness
import TreeKit

var keyCount = 10_000
var budget = 20e6
var words = CommandLine.arguments.dropFirst().makeIterator()
while let word = words.next() {
  switch word {
  case "--info":
    print("treekit-swift\tTreeKit's Tree, Swift")
    print("swift-dictionary\tSwift's Dictionary")
    exit(0)
  case "--keys": keyCount = words.next().flatMap { Int($0) } ?? keyCount
  case "--ms": budget = (words.next().flatMap { Double($0) } ?? 20) * 1e6
  default:
    print("unknown: \(word)")
    exit(2)
  }
}

measure("u64", count: keyCount, budget: budget) { peer_number(UInt64($0)) }
measure("text", count: keyCount, budget: budget, text)
