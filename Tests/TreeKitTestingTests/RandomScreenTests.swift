import Testing
import TreeKit

@testable import TreeKitTesting

/// Views show what a controller has, whatever is done to it. `CTREE_SEED` repeats a run, and `CTREE_RANDOM_RUNS` makes more.
@Suite struct RandomScreenTests {
  private func run(_ name: String, _ options: TreeOptions, _ set: (RandomScreen) -> Void) throws {
    print("CTREE_SEED=\(Numbers.seed) \(name)")
    for seed in Numbers.seed..<Numbers.seed + UInt64(2 * Numbers.repeats) {
      let screen = RandomScreen(seed: seed, options: options)
      set(screen)
      do { try screen.run(100) } catch { Issue.record("CTREE_SEED=\(seed) \(name): \(error)") }
      #expect(screen.reported == [], "CTREE_SEED=\(seed) \(name)")
      if !screen.reported.isEmpty { return }
    }
  }

  private static let options: [TreeOptions] = [false, true].flatMap { hasSections in
    [0, 1, Int.max].map {
      var options = TreeOptions(hasSections: hasSections, openLevels: $0, emptyCanOpen: $0 == 1)
      options.forgetsOnCollapse = $0 == 1
      return options
    }
  }

  @Test(arguments: options) func aTableThatTheControllerDrives(_ options: TreeOptions) throws {
    try run("\(options)", options) { $0.controller.target = $0.table }
  }

  @Test(arguments: options) func aTableThatTheDelegateDrives(_ options: TreeOptions) throws {
    try run("\(options)", options) { $0.controller.delegateAppliesChanges = true }
  }
}
