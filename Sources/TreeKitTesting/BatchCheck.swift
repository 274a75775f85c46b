import TreeKit

/// Applies the calls of one update to what was shown, and checks each rule on the way. What it throws is the first that was
/// broken.
struct BatchCheck<ID: Hashable> {
  private let old: ShownTable<ID>
  private let new: ShownTable<ID>
  private let calls: BatchCalls
  private var oldSections: [Int: BatchMark] = [:]
  private var newSections: [Int: BatchMark] = [:]
  private var oldRows: [TreeIndexPath: BatchMark] = [:]
  private var newRows: [TreeIndexPath: BatchMark] = [:]
  /// The old section of each new one; `nil` for one that came.
  private var origins: [Int?] = []
  private var rowOrigins: [TreeIndexPath: TreeIndexPath] = [:]

  init(from old: ShownTable<ID>, to new: ShownTable<ID>, _ calls: BatchCalls) {
    self.old = old
    self.new = new
    self.calls = calls
  }

  /// What is shown after the update.
  mutating func result() throws(SimulatedViolation) -> ShownTable<ID> {
    try markOld()
    try checkReloads()
    try placeSections()
    try markNewRows()
    try checkSectionsOfRows()
    var sections: [ShownSection<ID>] = []
    for section in new.sections.indices { try sections.append(shown(section)) }
    try checkRowMoves()
    try checkSectionMoves()
    return ShownTable(sections)
  }

  // MARK: Marks

  private mutating func markOld() throws(SimulatedViolation) {
    try mark(calls.sections.deletes, .deleted, in: old, &oldSections)
    try mark(calls.sections.reloads, .reloaded, in: old, &oldSections)
    try mark(calls.sections.moves.map(\.from), .moved, in: old, &oldSections)
    try mark(calls.rows.deletes, .deleted, in: old, &oldRows)
    try mark(calls.rows.reloads, .reloaded, in: old, &oldRows)
    try mark(calls.rows.moves.map(\.from), .moved, in: old, &oldRows)
  }

  private mutating func markNewRows() throws(SimulatedViolation) {
    try mark(calls.rows.inserts, .inserted, in: new, &newRows)
    try mark(calls.rows.moves.map(\.to), .moved, in: new, &newRows)
    for move in calls.rows.moves { rowOrigins[move.to] = move.from }
  }

  private func mark(
    _ sections: [Int], _ mark: BatchMark, in table: ShownTable<ID>, _ marks: inout [Int: BatchMark]
  ) throws(SimulatedViolation) {
    for section in sections {
      guard table.sections.indices.contains(section) else {
        throw SimulatedViolation(
          .everyPathExists, "Section \(section) is \(mark), and there are \(table.sections.count).",
          sections: [section])
      }
      guard let other = marks.updateValue(mark, forKey: section) else { continue }
      throw SimulatedViolation(
        other == mark ? .nothingTwice : .oneChangeASection,
        "Section \(section) is \(other), and \(mark).", sections: [section])
    }
  }

  private func mark(
    _ rows: [TreeIndexPath], _ mark: BatchMark, in table: ShownTable<ID>, _ marks: inout [TreeIndexPath: BatchMark]
  ) throws(SimulatedViolation) {
    for path in rows {
      guard table.sections.indices.contains(path.section),
        table.sections[path.section].cells.indices.contains(path.row)
      else {
        throw SimulatedViolation(
          .everyPathExists, "Row \(path) is \(mark), and the sections have \(table.counts) rows.", rows: [path])
      }
      guard let other = marks.updateValue(mark, forKey: path) else { continue }
      throw SimulatedViolation(
        other == mark ? .nothingTwice : .oneChangeARow, "Row \(path) is \(other), and \(mark).", rows: [path])
    }
  }

  private func checkReloads() throws(SimulatedViolation) {
    if let row = calls.rows.reloads.first, let move = calls.rows.moves.first {
      throw SimulatedViolation(
        .noReloadsBesideMoves, "Row \(row) is reloaded while \(move.from) moves to \(move.to).",
        rows: [row, move.from])
    }
    if let section = calls.sections.reloads.first, let move = calls.sections.moves.first {
      throw SimulatedViolation(
        .noReloadsBesideMoves, "Section \(section) is reloaded while \(move.from) moves to \(move.to).",
        sections: [section, move.from])
    }
  }

  // MARK: Sections

  private mutating func placeSections() throws(SimulatedViolation) {
    let expected = old.sections.count - calls.sections.deletes.count + calls.sections.inserts.count
    guard new.sections.count == expected else {
      throw SimulatedViolation(
        .sectionsAddUp,
        """
        There were \(old.sections.count); \(calls.sections.deletes.count) less and \(calls.sections.inserts.count) more \
        make \(expected), and the data source has \(new.sections.count).
        """, sections: old.counts.differences(from: new.counts))
    }
    try mark(calls.sections.inserts, .inserted, in: new, &newSections)
    try mark(calls.sections.moves.map(\.to), .moved, in: new, &newSections)
    origins = new.sections.indices.map { _ in nil }
    for move in calls.sections.moves { origins[move.to] = move.from }
    var rest = old.sections.indices.filter { !oldSections.isGone($0) }[...]
    for section in new.sections.indices where newSections[section] == nil { origins[section] = rest.popFirst() }
    for (section, origin) in origins.enumerated() {
      guard let origin, old.sections[origin].header?.id != new.sections[section].header?.id else { continue }
      throw SimulatedViolation(
        .restKeepsOrder,
        "The old section \(origin) comes to stand at \(section), where the data source has another one.",
        sections: [origin, section])
    }
  }

  private func checkSectionMoves() throws(SimulatedViolation) {
    for move in calls.sections.moves {
      let before = (0..<move.from).count { !oldSections.isGone($0) }
      guard before == (0..<move.to).count(where: { newSections[$0] == nil }) else { continue }
      throw SimulatedViolation(
        .movesLeadElsewhere, "Section \(move.from) moves to \(move.to), where it would stand without a move.",
        sections: [move.from, move.to])
    }
  }

  // MARK: Rows

  /// That no row changes in a section that changes itself.
  private func checkSectionsOfRows() throws(SimulatedViolation) {
    let before = calls.rows.deletes + calls.rows.reloads + calls.rows.moves.map(\.from)
    for path in before { try check(path, in: path.section) }
    for path in calls.rows.inserts + calls.rows.moves.map(\.to) { try check(path, in: origins[path.section]) }
  }

  private func check(_ path: TreeIndexPath, in section: Int?) throws(SimulatedViolation) {
    let mark = section.map { oldSections[$0] } ?? .inserted
    guard let mark else { return }
    throw SimulatedViolation(
      mark == .moved ? .noRowsInMovedSections : .noRowsInChangedSections,
      "Row \(path) changes, and its section is \(mark).", rows: [path], sections: [path.section])
  }

  /// What a section shows after the update.
  private func shown(_ section: Int) throws(SimulatedViolation) -> ShownSection<ID> {
    let now = new.sections[section]
    guard let origin = origins[section], oldSections[origin] != .reloaded else { return now }
    var rest = staying(in: origin)[...]
    let places = now.cells.indices.filter { newRows[TreeIndexPath(section: section, row: $0)] == nil }
    guard rest.count == places.count else {
      throw SimulatedViolation(
        .rowsAddUp,
        """
        Section \(section) had \(old.sections[origin].cells.count) rows, of which \(rest.count) stay; \
        \(now.cells.count - places.count) come, and the data source has \(now.cells.count).
        """, sections: [section])
    }
    var result = ShownSection<ID>(header: old.sections[origin].header, cells: [])
    for (row, cell) in now.cells.enumerated() {
      let path = TreeIndexPath(section: section, row: row)
      if newRows[path] == .inserted {
        result.cells.append(cell)
        continue
      }
      guard let from = rowOrigins[path] ?? rest.popFirst() else { continue }
      try result.cells.append(shown(from, at: path))
    }
    return result
  }

  /// The rows of an old section that stay where they are among each other.
  private func staying(in section: Int) -> [TreeIndexPath] {
    old.sections[section].cells.indices.map { TreeIndexPath(section: section, row: $0) }
      .filter { !oldRows.isGone($0) }
  }

  /// The cell of an old row at a new place.
  private func shown(_ from: TreeIndexPath, at path: TreeIndexPath) throws(SimulatedViolation) -> SimulatedCell<ID>? {
    let was = old.sections[from.section].cells[from.row]
    guard let now = new.sections[path.section].cells[path.row] else { return was }
    guard let was else {
      throw SimulatedViolation(.everyRowHasACell, "Row \(from) had none, and it stays, at \(path).", rows: [from])
    }
    guard was.id == now.id else {
      throw SimulatedViolation(
        .restKeepsOrder,
        "The old row \(from), \(was), comes to stand at \(path), where the data source has \(now).",
        rows: [from, path])
    }
    return oldRows[from] == .reloaded ? now : was
  }

  /// Where a row would come to stand anyway is among as many free places as there are rows that stay before it.
  private func checkRowMoves() throws(SimulatedViolation) {
    for move in calls.rows.moves where origins[move.to.section] == move.from.section {
      let before = (0..<move.from.row).count { !oldRows.isGone(TreeIndexPath(section: move.from.section, row: $0)) }
      let free = (0..<move.to.row).count { newRows[TreeIndexPath(section: move.to.section, row: $0)] == nil }
      guard before == free else { continue }
      throw SimulatedViolation(
        .movesLeadElsewhere, "Row \(move.from) moves to \(move.to), where it would stand without a move.",
        rows: [move.from, move.to])
    }
  }
}

extension [Int: BatchMark] {
  /// Whether what was at an old place leaves it.
  fileprivate func isGone(_ section: Int) -> Bool { self[section] == .deleted || self[section] == .moved }
}

extension [TreeIndexPath: BatchMark] {
  fileprivate func isGone(_ path: TreeIndexPath) -> Bool { self[path] == .deleted || self[path] == .moved }
}
