import Foundation

/// The numbers of a run of a random test.
struct Numbers: RandomNumberGenerator {
  var state: UInt64

  /// The first seed of a run: `CTREE_SEED` where it is set.
  static let seed =
    ProcessInfo.processInfo.environment["CTREE_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...99999)

  /// How often a random test repeats: once, or as `CTREE_RANDOM_RUNS` says.
  static let repeats = ProcessInfo.processInfo.environment["CTREE_RANDOM_RUNS"].flatMap { Int($0) } ?? 1

  /// The seed is printed, so that a failure can be seen again.
  static func ofRun(_ what: String) -> Numbers {
    print("CTREE_SEED=\(seed) \(what)")
    return Numbers(state: seed)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
