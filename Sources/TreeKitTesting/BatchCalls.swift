import TreeKit

/// What moves from an old place to a new one.
struct BatchMove<Place: Hashable>: Hashable {
  let from: Place
  let to: Place
}

/// The calls of one update that concern rows, or sections.
struct BatchCallsOf<Place: Hashable> {
  var deletes: [Place] = []
  var inserts: [Place] = []
  var reloads: [Place] = []
  var moves: [BatchMove<Place>] = []
}

/// The calls of one update. Their order means nothing.
struct BatchCalls {
  var sections = BatchCallsOf<Int>()
  var rows = BatchCallsOf<TreeIndexPath>()
}

/// What is told of one place of the old or the new numbering.
enum BatchMark {
  case deleted, inserted, reloaded, moved
}

/// Whether the data source switches once between the beginning and the end of an update.
struct Switches<ID: Hashable> {
  private let old: ShownTable<ID>
  private var counts: [Int]
  private var hasSwitched = false
  private var first: ShownTable<ID>?

  init(from old: ShownTable<ID>) {
    self.old = old
    counts = old.counts
  }

  /// Asks for counts with each call of an update, and with the first one for the cells too.
  mutating func ask(_ source: SimulatedDataSource<ID>, _ name: String) throws(SimulatedViolation) {
    let now = (0..<source.numberOfSections()).map(source.numberOfRows)
    if first == nil { first = ShownTable(asking: source) }
    try note(now, "When \(name) was called")
  }

  /// All calls have been made.
  mutating func end(with new: ShownTable<ID>) throws(SimulatedViolation) {
    try note(new.counts, "At the end of the calls")
    guard let first, first.counts == new.counts, first.firstDifference(from: new) != nil else { return }
    // Counts alone do not tell the old rows from the new ones where rows moved only.
    try first.check(against: old, .countsSwitchInside, .countsSwitchInside, "When the first call was made")
  }

  private mutating func note(_ now: [Int], _ when: String) throws(SimulatedViolation) {
    guard now != counts else { return }
    guard !hasSwitched else {
      throw SimulatedViolation(
        .countsSwitchInside, "\(when) they were \(now), after \(counts), and \(old.counts) before the update.",
        sections: now.differences(from: counts))
    }
    hasSwitched = true
    counts = now
  }
}
