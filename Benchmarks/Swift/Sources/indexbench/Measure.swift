import PeerHarness
import TreeKit

#if canImport(Glibc)
  @_exported import Glibc
#else
  @_exported import Darwin
#endif

/// A text of 24 bytes, as the index of the other peers has them.
func text(_ number: Int) -> String {
  func hex(_ number: UInt64, _ digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }
  return "item-" + hex(UInt64(number & 255), 2) + "/" + hex(peer_number(UInt64(number)), 16)
}

/// Nanoseconds each, the best of passes.
func best(of count: Int, budget: Double, _ pass: () -> Void) -> Double {
  var best = Double.infinity
  var spent = 0.0
  var passes = 0
  while spent < budget || passes < 5 {
    passes += 1
    let begin = peer_time()
    pass()
    let time = peer_time() - begin
    best = min(best, time / Double(count))
    spent += time
  }
  return best
}

func measure<Key: TreeIdentifier>(_ kind: String, count: Int, budget: Double, _ key: (Int) -> Key) {
  let keys = (0..<count).map(key)
  let asked = min(count, 1 << 20)
  let hits = (0..<asked).map { key(Int(peer_number(UInt64($0)) % UInt64(count))) }
  let misses = (0..<asked).map { key(count + $0) }
  func report(_ who: String, _ what: String, _ nanoseconds: Double) {
    peer_print(who, "keys", UInt32(count), "\(what)_\(kind)", 0, nanoseconds, "ns")
  }
  func ask(_ who: String, _ has: (Key) -> Bool) {
    var found = 0
    var passes = 0
    report(
      who, "hit",
      best(of: asked, budget: budget) {
        passes += 1
        for key in hits where has(key) { found += 1 }
      })
    report(who, "miss", best(of: asked, budget: budget) { for key in misses where has(key) { found += 1 } })
    precondition(found == passes * asked, "a look-up was wrong")
  }

  do {
    let tree = Tree<Key, Void>()
    let items = keys.map { TreeItem($0, value: ()) }
    let begin = peer_time()
    _ = try! tree.insert(contentsOf: items)
    report("treekit-swift", "build", (peer_time() - begin) / Double(count))
    ask("treekit-swift") { tree.find($0) != nil }
  }
  let begin = peer_time()
  var table: [Key: UInt32] = [:]
  table.reserveCapacity(count)
  for (number, key) in keys.enumerated() { table[key] = UInt32(number) }
  report("swift-dictionary", "build", (peer_time() - begin) / Double(count))
  ask("swift-dictionary") { table[$0] != nil }
}
