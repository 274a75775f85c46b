import Foundation

/// The numbers of a run of a random test.
struct Numbers: RandomNumberGenerator {
  var state: UInt64

  /// From `CTREE_SEED` where it is set; the seed is printed, so that a failure can be seen again.
  static func ofRun(_ what: Any...) -> Numbers {
    let given = ProcessInfo.processInfo.environment["CTREE_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 0...99999)
    print((["CTREE_SEED=\(seed)"] + what.map { "\($0)" }).joined(separator: " "))
    return Numbers(state: seed)
  }

  /// How often a random test repeats: once, or as `CTREE_RANDOM_RUNS` says.
  static var repeats: Int {
    ProcessInfo.processInfo.environment["CTREE_RANDOM_RUNS"].flatMap { Int($0) } ?? 1
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
