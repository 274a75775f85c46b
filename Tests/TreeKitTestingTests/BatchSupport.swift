import TreeKit

@testable import TreeKitTesting

/// A model of an app: sections with names, and rows that are numbers.
final class Model {
  struct Section {
    var name: String
    var rows: [Int]

    init(_ name: String, _ rows: [Int]) {
      self.name = name
      self.rows = rows
    }
  }

  var sections: [Section]
  /// What rows show; their numbers unless given.
  var texts: [Int: String] = [:]
  /// Rows that have no cell any more.
  var gone: Set<Int> = []
  var levels: [Int: Int] = [:]

  init(_ sections: [Section]) { self.sections = sections }
  convenience init(_ rows: [Int]) { self.init([Section("s", rows)]) }

  var rows: [Int] {
    get { sections[0].rows }
    set { sections[0].rows = newValue }
  }

  var source: SimulatedDataSource<Int> {
    SimulatedDataSource(
      numberOfSections: { self.sections.count },
      numberOfRows: { self.sections[$0].rows.count },
      cell: { path in
        let id = self.sections[path.section].rows[path.row]
        if self.gone.contains(id) { return nil }
        return SimulatedCell(id, text: self.texts[id] ?? "\(id)", level: self.levels[id] ?? 0)
      },
      header: { SimulatedCell(AnyHashable(self.sections[$0].name)) })
  }
}

typealias Section = Model.Section
typealias Table = SimulatedBatchTable<Int>

/// The calls by short names.
extension SimulatedBatchTable {
  func delete(_ row: Int, in section: Int = 0) {
    deleteRows(TreeChanges.Rows(section: section, rows: row..<row + 1))
  }
  func insert(_ row: Int, in section: Int = 0) {
    insertRows(TreeChanges.Rows(section: section, rows: row..<row + 1))
  }
  func reload(_ row: Int, in section: Int = 0) {
    reloadRows(TreeChanges.Rows(section: section, rows: row..<row + 1))
  }
  func move(_ row: Int, to target: Int, in section: Int = 0, to targetSection: Int? = nil) {
    moveRows(
      TreeChanges.RowMove(
        from: TreeIndexPath(section: section, row: row),
        to: TreeIndexPath(section: targetSection ?? section, row: target), count: 1))
  }
  func move(section: Int, to target: Int) {
    moveSections(TreeChanges.SectionMove(from: section, to: target, count: 1))
  }
}

/// A table that shows a model, and keeps what it reports.
func shownTable(_ model: Model) -> Table {
  let table = Table(model.source) { _ in }
  table.layoutIfNeeded()
  return table
}

/// Makes one update from an old model to a new one, and says which rules were broken.
func broken(_ old: [Section], _ new: [Section], _ calls: (Table) -> Void) -> [SimulatedRule] {
  let model = Model(old)
  let table = shownTable(model)
  withoutActuallyEscaping(calls) { calls in
    table.prepareForUpdate()
    table.performUpdate {
      model.sections = new
      calls(table)
    }
  }
  if table.violations.isEmpty { table.verify() }
  return table.violations.map(\.rule)
}

/// The same with one section.
func broken(_ old: [Int], _ new: [Int], _ calls: (Table) -> Void) -> [SimulatedRule] {
  broken([Section("s", old)], [Section("s", new)], calls)
}
