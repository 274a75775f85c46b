import TreeKit

/// One section as it is shown. A cell is `nil` where its row had been removed already when it was to be drawn.
struct ShownSection<ID: Hashable> {
  var header: SimulatedCell<AnyHashable>?
  var cells: [SimulatedCell<ID>?]
}

/// The sections of a table, as they are shown or as the data source has them.
struct ShownTable<ID: Hashable> {
  var sections: [ShownSection<ID>] = []

  init(_ sections: [ShownSection<ID>] = []) { self.sections = sections }

  /// Asks for everything.
  init(asking source: SimulatedDataSource<ID>) {
    sections = (0..<source.numberOfSections()).map { section in
      let rows = 0..<source.numberOfRows(section)
      return ShownSection(
        header: source.header(section),
        cells: rows.map { source.cell(TreeIndexPath(section: section, row: $0)) })
    }
  }

  /// The number of rows of each section.
  var counts: [Int] { sections.map(\.cells.count) }

  /// The first place where the same counts stand for something else. A cell that nobody has any more may be any.
  func firstDifference(from other: ShownTable) -> (section: Int, row: Int?)? {
    for (section, (a, b)) in zip(sections, other.sections).enumerated() {
      if a.header?.id != b.header?.id { return (section, nil) }
      for (row, (a, b)) in zip(a.cells, b.cells).enumerated() {
        if let a, let b, a.id != b.id { return (section, row) }
      }
    }
    return nil
  }

  /// That it is the same as another, both in counts and in who is where.
  func check(
    against other: ShownTable, _ counts: SimulatedRule, _ order: SimulatedRule, _ when: String
  ) throws(SimulatedViolation) {
    guard self.counts == other.counts else {
      throw SimulatedViolation(
        counts, "\(when) the data source counts \(self.counts) rows, and \(other.counts) are shown.",
        sections: self.counts.differences(from: other.counts))
    }
    guard let (section, row) = firstDifference(from: other) else { return }
    guard let row else {
      throw SimulatedViolation(
        order, "\(when) section \(section) is another one than is shown.", sections: [section])
    }
    let path = TreeIndexPath(section: section, row: row)
    throw SimulatedViolation(
      order, "\(when) row \(path) is \(text(path)), and \(other.text(path)) is shown.", rows: [path])
  }

  /// A cell in words.
  func text(_ path: TreeIndexPath) -> String {
    sections[path.section].cells[path.row].map { "\($0)" } ?? "no cell"
  }
}

extension [Int] {
  /// Where two lists differ; the places that only one has are among them.
  func differences(from other: [Int]) -> [Int] {
    (0..<Swift.max(count, other.count)).filter { place in
      place >= count || place >= other.count || self[place] != other[place]
    }
  }
}

// MARK: - What holds whenever nothing is under way

extension ShownTable {
  /// That every row has a cell, no level is skipped, and no identifier is there twice.
  func checkCells(of source: SimulatedDataSource<ID>) throws(SimulatedViolation) {
    for (section, shown) in sections.enumerated() {
      var level = -1
      for (row, cell) in shown.cells.enumerated() {
        let path = TreeIndexPath(section: section, row: row)
        guard let cell else {
          throw SimulatedViolation(.everyRowHasACell, "There is none for row \(path).", rows: [path])
        }
        guard cell.level <= level + 1 else {
          throw SimulatedViolation(
            .parentBeforeChild, "Row \(path) is at level \(cell.level), and the one before it at \(level).",
            rows: [path])
        }
        level = cell.level
      }
    }
    try checkIdentifiers(of: source)
  }

  /// That no identifier is there twice.
  func checkIdentifiers(of source: SimulatedDataSource<ID>) throws(SimulatedViolation) {
    try checkHeaders()
    guard source.hasUniqueIdentifiers else { return }
    var known: [ID: TreeIndexPath] = [:]
    for (section, shown) in sections.enumerated() {
      for (row, cell) in shown.cells.enumerated() {
        let path = TreeIndexPath(section: section, row: row)
        guard let cell, let other = known.updateValue(path, forKey: cell.id) else { continue }
        throw SimulatedViolation(
          .identifiersAreUnique, "Rows \(other) and \(path) are both \(cell.id).", rows: [other, path])
      }
    }
  }

  private func checkHeaders() throws(SimulatedViolation) {
    var known: [AnyHashable: Int] = [:]
    for (section, shown) in sections.enumerated() {
      guard let header = shown.header, let other = known.updateValue(section, forKey: header.id) else { continue }
      throw SimulatedViolation(
        .identifiersAreUnique, "Sections \(other) and \(section) are both \(header.id).", sections: [other, section])
    }
  }

  /// That what is shown looks as the data source says.
  func checkLooks(against source: ShownTable) throws(SimulatedViolation) {
    for (section, (shown, now)) in zip(sections, source.sections).enumerated() {
      if let a = shown.header, let b = now.header, a.text != b.text {
        throw SimulatedViolation(
          .whatChangedIsReloaded, "The header of section \(section) shows \(a), and is \(b).", sections: [section])
      }
      for (row, (a, b)) in zip(shown.cells, now.cells).enumerated() where a?.text != b?.text {
        let path = TreeIndexPath(section: section, row: row)
        throw SimulatedViolation(
          .whatChangedIsReloaded, "Row \(path) shows \(text(path)), and is \(source.text(path)).", rows: [path])
      }
    }
  }
}
