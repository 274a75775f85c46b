import Testing

@testable import TreeKit

/// A list that knows nothing but what it is told, and how to look up the rows that come.
private final class StepList: StepUpdateTarget {
  var shown: [Int]
  var model: [Int] = []
  var log: [String] = []
  var accepts = true
  /// Rows that came, not looked up yet: as a table does when an update ends.
  private var hasUpdate = false

  init(_ shown: [Int]) { self.shown = shown }

  var acceptsUpdates: Bool { accepts }
  func prepareForUpdate() { log.append("prepare") }
  func reloadData() {
    log.append("reload")
    shown = model
  }
  func performUpdate(_ update: @escaping () -> Void) {
    #expect(!hasUpdate)
    hasUpdate = true
    update()
    hasUpdate = false
    #expect(shown.count == model.count)
    for row in shown.indices where shown[row] < 0 { shown[row] = model[row] }
  }
  func removeRows(_ rows: Range<Int>) {
    log.append("remove \(rows)")
    #expect(hasUpdate)
    shown.removeSubrange(rows)
  }
  func insertRows(_ rows: Range<Int>) {
    log.append("insert \(rows)")
    #expect(hasUpdate)
    shown.insert(contentsOf: rows.map { _ in -1 }, at: rows.lowerBound)
  }
  func moveRow(_ row: Int, to target: Int) {
    log.append("move \(row) to \(target)")
    #expect(hasUpdate && row != target)
    shown.insert(shown.remove(at: row), at: target)
  }
  func reloadRows(_ rows: Range<Int>) {
    log.append("reload \(rows)")
    #expect(shown[rows] == model[rows])
  }
}

@Suite struct StepTargetTests {
  private func told(_ old: [Int], _ new: [Int], limit: Int = .max) throws -> StepList {
    let list = StepList(old)
    try TreeChanges(from: old, to: new).apply(to: list, limit: limit) { list.model = new }
    #expect(list.shown == new, "\(old) to \(new) by \(list.log)")
    return list
  }

  @Test func deletesRunFromTheEndAndInsertsFromTheStart() throws {
    let list = try told([0, 1, 2, 3, 4], [9, 1, 3, 8, 7])
    #expect(list.log == ["prepare", "remove 4..<5", "remove 2..<3", "remove 0..<1", "insert 0..<1", "insert 3..<5"])
  }

  @Test func movesCountAsOfTheirMoment() throws {
    #expect(try told([0, 1, 2, 3], [2, 3, 0, 1]).log == ["prepare", "move 2 to 0", "move 3 to 1"])
    #expect(try told([0, 1, 2, 3], [3, 0, 1, 2]).log == ["prepare", "move 3 to 0"])
    #expect(try told([0, 1, 2, 3, 4], [2, 3, 4, 0, 1]).log == ["prepare", "move 0 to 4", "move 0 to 4"])
  }

  @Test func aRowThatOthersBroughtToItsPlaceIsNotMoved() throws {
    // 1 goes where 0 was by being left behind by the others.
    for old in permutations(5) { _ = try told(old, [0, 1, 2, 3, 4]) }
  }

  @Test func noMoreRowsMoveThanMust() throws {
    for old in permutations(6) {
      let new = Array(0..<6)
      let moves = try told(old, new).log.count { $0.hasPrefix("move") }
      #expect(moves <= 6 - longestIncreasing(old))
    }
  }

  @Test func contentComesAfterTheStepsInNewNumbers() throws {
    var changes = try TreeChanges(from: [0, 1, 2], to: [1, 2, 3])
    changes.changedRows = [
      TreeChanges.RowMove(from: TreeIndexPath(section: 0, row: 1), to: TreeIndexPath(section: 0, row: 0), count: 2)
    ]
    let list = StepList([0, 1, 2])
    changes.apply(to: list) { list.model = [1, 2, 3] }
    #expect(list.log == ["prepare", "remove 0..<1", "insert 2..<3", "reload 0..<2"])
  }

  @Test func whatIsBeyondTheLimitOrCannotBeTakenIsLoadedAnew() throws {
    #expect(try told([0, 1], [2, 3], limit: 3).log == ["reload"])
    let list = StepList([0])
    list.accepts = false
    try TreeChanges(from: [0], to: [0, 1]).apply(to: list) { list.model = [0, 1] }
    #expect(list.log == ["reload"])
  }

  @Test func randomListsBecomeTheOthers() throws {
    var numbers = Numbers.ofRun("steps")
    for _ in 0..<400 * Numbers.repeats {
      let old = Array(0..<30).shuffled(using: &numbers).prefix(Int.random(in: 0...30, using: &numbers))
      var new = Array(old)
      // Some go, some are dragged, some come: most of it stays together, as in a list that is edited.
      for _ in 0..<Int.random(in: 0...6, using: &numbers) where !new.isEmpty {
        let from = new.indices.randomElement(using: &numbers)!
        let count = min(new.count - from, Int.random(in: 1...3, using: &numbers))
        let taken = Array(new[from..<from + count])
        new.removeSubrange(from..<from + count)
        switch Int.random(in: 0...3, using: &numbers) {
        case 0: break
        case 1:
          let made = (0..<count).map { _ in Int.random(in: 100...1_000_000, using: &numbers) }
          if Set(new + made).count == new.count + count {
            new.insert(contentsOf: made, at: Int.random(in: 0...new.count, using: &numbers))
          }
        default: new.insert(contentsOf: taken, at: Int.random(in: 0...new.count, using: &numbers))
        }
      }
      let list = try told(Array(old), new)
      let kept = old.filter(Set(new).contains)
      let places = Dictionary(uniqueKeysWithValues: new.enumerated().map { ($1, $0) })
      let moved = list.log.count { $0.hasPrefix("move") }
      #expect(moved <= kept.count - longestIncreasing(kept.map { places[$0]! }))
    }
  }
}

/// All orders of some numbers.
private func permutations(_ count: Int) -> [[Int]] {
  var all: [[Int]] = [[]]
  for number in 0..<count {
    all = all.flatMap { order in
      (0...order.count).map { place in
        var longer = order
        longer.insert(number, at: place)
        return longer
      }
    }
  }
  return all
}

/// How many of some numbers can stay where they are when the others move.
private func longestIncreasing(_ numbers: [Int]) -> Int {
  var best: [Int] = []
  for (place, number) in numbers.enumerated() {
    best.append(1 + (numbers[..<place].indices.filter { numbers[$0] < number }.map { best[$0] }.max() ?? 0))
  }
  return best.max() ?? 0
}
