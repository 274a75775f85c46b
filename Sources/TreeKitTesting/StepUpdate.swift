import TreeKit

/// The rows of a table while steps are applied to them.
struct StepUpdate<ID: Hashable> {
  private enum Row {
    case old(SimulatedCell<ID>?)
    /// Its cell is asked for in the end.
    case new
  }

  private var rows: [Row]
  private var reloads: Set<Int> = []
  private var hasSteps = false

  init(_ cells: [SimulatedCell<ID>?]) { rows = cells.map { .old($0) } }

  // MARK: Steps

  mutating func remove(_ range: Range<Int>) throws(SimulatedViolation) {
    try step("removed", range, within: 0..<rows.count)
    rows.removeSubrange(range)
  }

  mutating func insert(_ range: Range<Int>) throws(SimulatedViolation) {
    // Rows that come stand behind what is there at most.
    try step("inserted", range, within: 0..<rows.count + range.count)
    rows.insert(contentsOf: range.map { _ in .new }, at: range.lowerBound)
  }

  mutating func move(_ row: Int, to target: Int) throws(SimulatedViolation) {
    try step("moved", row..<row + 1, within: 0..<rows.count)
    try step("moved to", target..<target + 1, within: 0..<rows.count)
    guard row != target else {
      throw SimulatedViolation(.movesLeadElsewhere, "Row \(row) moves to \(target).", rows: paths(row..<row + 1))
    }
    rows.insert(rows.remove(at: row), at: target)
  }

  mutating func reload(_ range: Range<Int>) throws(SimulatedViolation) {
    guard !hasSteps else {
      throw SimulatedViolation(
        .noReloadsBesideSteps, "Rows \(range) are reloaded in an update that has steps.", rows: paths(range))
    }
    try check("reloaded", range, within: 0..<rows.count)
    if let twice = range.first(where: reloads.contains) {
      throw SimulatedViolation(.nothingTwice, "Row \(twice) is reloaded twice.", rows: paths(twice..<twice + 1))
    }
    reloads.formUnion(range)
  }

  private mutating func step(_ what: String, _ range: Range<Int>, within: Range<Int>) throws(SimulatedViolation) {
    hasSteps = true
    if let reloaded = reloads.first {
      throw SimulatedViolation(
        .noReloadsBesideSteps, "Rows \(range) are \(what) in an update that reloads row \(reloaded).",
        rows: paths(range))
    }
    try check(what, range, within: within)
  }

  private func check(_ what: String, _ range: Range<Int>, within: Range<Int>) throws(SimulatedViolation) {
    guard range.lowerBound < within.lowerBound || range.upperBound > within.upperBound else { return }
    throw SimulatedViolation(
      .stepsCountAsTheyGo, "Rows \(range) are \(what), where there are \(rows.count).", rows: paths(range))
  }

  private func paths(_ range: Range<Int>) -> [TreeIndexPath] {
    range.map { TreeIndexPath(section: 0, row: $0) }
  }

  // MARK: The end

  /// What is shown after the last step.
  func result(_ now: [SimulatedCell<ID>?]) throws(SimulatedViolation) -> [SimulatedCell<ID>?] {
    guard now.count == rows.count else {
      throw SimulatedViolation(
        .stepsAddUp, "They lead to \(rows.count) rows, and the data source has \(now.count).")
    }
    var result: [SimulatedCell<ID>?] = []
    for (place, (row, cell)) in zip(rows, now).enumerated() {
      guard case .old(let was) = row else {
        result.append(cell)
        continue
      }
      guard let cell else {
        result.append(was)
        continue
      }
      guard let was else {
        throw SimulatedViolation(
          .everyRowHasACell, "Row \(place) had none, and it stays.", rows: paths(place..<place + 1))
      }
      guard was.id == cell.id else {
        throw SimulatedViolation(
          .stepsAddUp, "They lead to \(was) at row \(place), where the data source has \(cell).",
          rows: paths(place..<place + 1))
      }
      result.append(reloads.contains(place) ? cell : was)
    }
    return result
  }
}
