import Testing
import TreeKit

@testable import TreeKitTesting

/// Two random lists of rows, and what `TreeChanges` tells of them to each kind of table.
@Suite struct RandomListTests {
  /// Rows in up to four sections: some of before, some in other places, some new, some with another look.
  private func change(_ model: Model, _ numbers: inout Numbers, _ next: inout Int) -> Model {
    let new = Model(model.sections)
    new.texts = model.texts
    for _ in 0..<Int.random(in: 0..<3, using: &numbers) {
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0: new.sections.shuffle(using: &numbers)
      case 1: if !new.sections.isEmpty { new.sections.removeLast() }
      default:
        next += 1
        let rows = (0..<Int.random(in: 0..<3, using: &numbers)).map { next * 10 + $0 }
        if new.sections.count < 4 { new.sections.insert(Section("s\(next)", rows), at: 0) }
      }
    }
    for _ in 0..<Int.random(in: 0..<8, using: &numbers) {
      guard let section = new.sections.indices.randomElement(using: &numbers) else { break }
      let row = new.sections[section].rows.indices.randomElement(using: &numbers)
      switch Int.random(in: 0..<6, using: &numbers) {
      case 0, 1:
        next += 1
        new.sections[section].rows.insert(next * 10, at: row ?? 0)
      case 2: if let row { new.sections[section].rows.remove(at: row) }
      case 3: if let row { new.texts[new.sections[section].rows[row]] = "\(next) \(row)" }
      case 4: new.sections[section].rows.shuffle(using: &numbers)
      default:
        guard let row, let other = new.sections.indices.randomElement(using: &numbers) else { break }
        new.sections[other].rows.append(new.sections[section].rows.remove(at: row))
      }
    }
    return new
  }

  @Test func tablesFollowFromListToList() throws {
    var numbers = Numbers.ofRun("lists")
    for _ in 0..<20 * Numbers.repeats {
      let model = Model([Section]())
      var next = 0
      var reports: [SimulatedViolation] = []
      let table = Table(model.source) { reports.append($0) }
      let flat = { (model: Model) in model.sections.flatMap(\.rows) }
      let list = SimulatedStepTable<Int>(numberOfRows: { flat(model).count }, onViolation: { reports.append($0) }) {
        let id = flat(model)[$0]
        return SimulatedCell(id, text: model.texts[id] ?? "\(id)")
      }
      for _ in 0..<20 {
        let new = change(model, &numbers, &next)
        let old = Model(model.sections)
        old.texts = model.texts
        func look(_ id: Int) -> UInt64 { UInt64(bitPattern: Int64((new.texts[id] ?? "").hashValue)) }
        func was(_ id: Int) -> UInt64 { UInt64(bitPattern: Int64((old.texts[id] ?? "").hashValue)) }
        let steps = try TreeChanges(
          from: flat(old).map { ($0, was($0)) }, to: flat(new).map { ($0, look($0)) }, id: \.0, revision: \.1)
        let switching = {
          model.sections = new.sections
          model.texts = new.texts
        }
        steps.apply(to: list, switchingModel: switching)
        list.verify()
        #expect(list.identifiers == flat(new))
        model.sections = old.sections
        model.texts = old.texts
        var batch = try TreeChanges(
          fromSections: old.sections.map { TreeSectionRows($0.name, rows: $0.rows.map(String.init)) },
          to: new.sections.map { TreeSectionRows($0.name, rows: $0.rows.map(String.init)) })
        // Lists of identifiers have no looks: rows that stay are reloaded where theirs is another one.
        batch.changedRows = stayed(batch, new) { was($0) != look($0) }
        batch.apply(to: table, switchingModel: switching)
        table.verify()
        #expect(table.identifiers == new.sections.map(\.rows))
        #expect(reports == [])
        if !reports.isEmpty { return }
      }
    }
  }

  /// The rows that an update does not draw anyway, and that pass a test.
  private func stayed(_ batch: TreeChanges, _ new: Model, _ passes: (Int) -> Bool) -> [TreeChanges.RowMove] {
    var found: [TreeChanges.RowMove] = []
    let inserted = Set(batch.insertedIndexPaths)
    for (section, shown) in new.sections.enumerated() {
      guard !batch.insertedSections.joined().contains(section) else { continue }
      for (row, id) in shown.rows.enumerated() where passes(id) {
        let path = TreeIndexPath(section: section, row: row)
        if !inserted.contains(path) { found.append(TreeChanges.RowMove(from: path, to: path, count: 1)) }
      }
    }
    return found
  }
}
