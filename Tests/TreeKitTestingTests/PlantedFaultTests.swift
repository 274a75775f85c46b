import Testing
import TreeKit

@testable import TreeKitTesting

/// Ways to tell a change that are wrong.
enum Fault: CaseIterable {
  case none
  case switchesTooEarly, switchesTooLate, switchesNever, contentFirst, contentInOldNumbers, contentTogether
  case shiftedRowsMove, movesForgotten, deletesForgotten, insertsInOldNumbers, targetsInOldNumbers, moveIsDeleteToo
  case contentForgotten

  /// What a table says of it.
  var rule: SimulatedRule? {
    switch self {
    case .none: nil
    case .switchesTooEarly: .countsSwitchInside
    case .switchesTooLate, .switchesNever, .contentFirst: .rowsAddUp
    case .contentInOldNumbers, .contentForgotten: .whatChangedIsReloaded
    case .shiftedRowsMove: .movesLeadElsewhere
    case .movesForgotten, .targetsInOldNumbers: .restKeepsOrder
    case .deletesForgotten: .rowsAddUp
    case .insertsInOldNumbers: .restKeepsOrder
    // The new number of the row that looks different is the old one of a row that goes.
    case .moveIsDeleteToo, .contentTogether: .oneChangeARow
    }
  }
}

@Suite struct PlantedFaultTests {
  /// Tells a change as `TreeChanges.apply(to:)` does, but for one fault.
  private func tell(_ changes: TreeChanges, to table: Table, _ fault: Fault, switching: @escaping () -> Void) {
    func content() {
      for run in changes.changedRows {
        let path = fault == .contentInOldNumbers ? run.from : run.to
        table.reloadRows(TreeChanges.Rows(section: path.section, rows: path.row..<path.row + run.count))
      }
    }
    table.prepareForUpdate()
    if fault == .switchesTooEarly { switching() }
    if fault == .contentFirst {
      table.performUpdate {
        switching()
        content()
      }
    }
    table.performUpdate {
      if ![.switchesTooEarly, .switchesTooLate, .switchesNever, .contentFirst].contains(fault) { switching() }
      if fault != .deletesForgotten { changes.deletedRows.forEach(table.deleteRows) }
      for rows in changes.insertedRows {
        var rows = rows
        if fault == .insertsInOldNumbers { rows.rows = rows.rows.lowerBound - 1..<rows.rows.upperBound - 1 }
        table.insertRows(rows)
      }
      for move in changes.movedRows where fault != .movesForgotten {
        var move = move
        if fault == .targetsInOldNumbers { move.to.row += 1 }
        table.moveRows(move)
        if fault == .moveIsDeleteToo { table.delete(move.from.row) }
      }
      // 3 is one row further up where others have gone.
      if fault == .shiftedRowsMove { table.move(2, to: 1) }
      if fault == .contentTogether { content() }
    }
    if fault == .switchesTooLate { switching() }
    if fault != .contentForgotten { table.performUpdate(content) }
  }

  @Test(arguments: Fault.allCases) func aFaultIsReportedAsWhatItIs(_ fault: Fault) throws {
    let old = [1, 2, 3, 4, 5]
    let new = [5, 3, 4, 6]
    let model = Model(old)
    let table = shownTable(model)
    var changes = try TreeChanges(from: old, to: new)
    changes.changedRows = [
      TreeChanges.RowMove(from: TreeIndexPath(section: 0, row: 2), to: TreeIndexPath(section: 0, row: 1), count: 1)
    ]
    tell(changes, to: table, fault) {
      model.rows = new
      model.texts[3] = "three"
    }
    if table.violations.isEmpty { table.verify() }
    #expect(table.violations.first?.rule == fault.rule)
  }

  /// The commonest fault of a screen: its data source reads what is true now, and not what was told.
  @Test func aDataSourceThatReadsTheTreeSwitchesTooEarly() throws {
    let controller = TreeController<String, Int>()
    let tree = controller.tree
    let source = SimulatedDataSource(
      numberOfRows: { _ in tree.rowCount },
      cell: { SimulatedCell(tree.rows(in: $0.row..<$0.row + 1)[0].item.id) })
    let wrong = SimulatedBatchTable(source) { _ in }
    controller.target = wrong
    try controller.setItems([TreeItem("a", value: 1), TreeItem("b", value: 2)])
    try controller.delete(["a"])
    #expect(wrong.violations.first?.rule == .countsSwitchInside)

    let right = SimulatedBatchTable(of: controller) { _ in }
    controller.target = right
    try controller.delete(["b"])
    #expect(right.verify() && right.violations.isEmpty)
  }
}
