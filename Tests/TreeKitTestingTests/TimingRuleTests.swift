import TreeKit
import Testing

@testable import TreeKitTesting

/// When a table may be told what, and when its data source may switch.
@Suite struct TimingRuleTests {
  private let model = Model([1, 2, 3])

  private func rules(_ table: Table) -> [SimulatedRule] { table.violations.map(\.rule) }

  @Test func countsAreOldOnesUntilTheUpdateBegins() {
    let table = shownTable(model)
    model.rows = [2, 3]
    table.performUpdate { table.delete(0) }
    #expect(rules(table) == [.countsSwitchInside])
    // It was loaded anew then.
    #expect(table.identifiers == [[2, 3]])
    table.performUpdate {
      self.model.rows = [3]
      table.delete(0)
    }
    #expect(rules(table) == [.countsSwitchInside])
    #expect(table.verify())
  }

  @Test func rowsAreOldOnesUntilTheUpdateBegins() {
    let table = shownTable(model)
    model.rows = [2, 1, 3]
    table.prepareForUpdate()
    #expect(rules(table) == [.beginsWithWhatIsShown])
    #expect(table.violations[0].rows == [TreeIndexPath(section: 0, row: 0)])
  }

  @Test func countsSwitchOnceWithinAnUpdate() {
    let table = shownTable(model)
    table.performUpdate {
      self.model.rows = [2, 3]
      table.delete(0)
      self.model.rows = [2, 3, 4]
      table.insert(2)
    }
    #expect(rules(table) == [.countsSwitchInside])
    table.performUpdate {
      table.delete(0)
      self.model.rows = [3, 4]
      table.delete(0, in: 1)
    }
    #expect(rules(table) == [.countsSwitchInside, .everyPathExists])
  }

  @Test func rowsSwitchOnceWithinAnUpdate() {
    let table = shownTable(model)
    table.performUpdate {
      self.model.rows = [2, 3, 1]
      table.move(0, to: 2)
      self.model.rows = [3, 1, 2]
    }
    #expect(rules(table) == [.countsSwitchInside])
    table.performUpdate {
      table.move(0, to: 2)
      self.model.rows = [1, 2, 3]
    }
    #expect(rules(table) == [.countsSwitchInside])
  }

  @Test func nothingSwitchesWhileTheUpdateEnds() {
    let table = shownTable(model)
    table.beforeUpdateEnds = { self.model.rows = [3] }
    table.performUpdate {
      self.model.rows = [2, 3]
      table.delete(0)
    }
    #expect(rules(table) == [.countsSwitchInside])
  }

  @Test func nothingSwitchesOutsideOfUpdates() {
    let table = shownTable(model)
    model.rows = [1]
    #expect(!table.verify())
    #expect(rules(table) == [.countsSwitchInside])
  }

  @Test func aTableIsLaidOutBeforeItsFirstUpdate() {
    let table = Table(model.source) { _ in }
    table.performUpdate {}
    #expect(rules(table) == [.laidOutBeforeUpdate])
    table.reloadData()
    table.prepareForUpdate()
    table.performUpdate {}
    #expect(rules(table) == [.laidOutBeforeUpdate])
    #expect((table.reloadCount, table.updateCount) == (1, 2))
  }

  @Test func aReloadIsFreeToSwitch() {
    let table = shownTable(model)
    model.rows = [5]
    table.reloadData()
    #expect(table.identifiers == [[5]])
    #expect(table.violations.isEmpty)
  }

  @Test func oneUpdateAtATime() {
    let table = shownTable(model)
    let wrong: [() -> Void] = [
      { table.performUpdate {} }, { table.prepareForUpdate() }, { table.reloadData() }, { table.verify() },
    ]
    for call in wrong { table.performUpdate { call() } }
    #expect(rules(table) == wrong.map { _ in .oneUpdateAtATime })
    for call in wrong { call() }
    #expect(table.violations.count == wrong.count)
  }

  @Test func changesAreToldInsideAnUpdate() {
    let table = shownTable(model)
    table.reload(0)
    #expect(rules(table) == [.changesInsideUpdate])
    table.performUpdate { table.reload(0) }
    #expect(table.violations.count == 1)
  }

  @Test func whatLooksDifferentIsReloaded() {
    let table = shownTable(model)
    model.texts[2] = "two"
    #expect(!table.verify())
    #expect(rules(table) == [.whatChangedIsReloaded])
    model.texts[3] = "three"
    table.performUpdate { table.reload(2) }
    #expect(table.verify())
    #expect(table.cells[0].map(\.text) == ["1", "two", "three"])
  }

  @Test func aRowThatMovesLooksAsItDidUntilItIsReloaded() {
    let table = shownTable(model)
    table.performUpdate {
      self.model.texts[1] = "one"
      self.model.rows = [2, 3, 1]
      table.move(0, to: 2)
    }
    #expect(table.cells[0].map(\.text) == ["2", "3", "1"])
    table.performUpdate { table.reload(2) }
    #expect(table.verify())
  }

  @Test func aHeaderThatLooksDifferentIsReloaded() {
    var title = "One"
    var source = model.source
    source.header = { _ in SimulatedCell("s", text: title) }
    let table = Table(source) { _ in }
    #expect(table.headers == [SimulatedCell("s", text: "One")])
    title = "Two"
    #expect(!table.verify())
    #expect(rules(table) == [.whatChangedIsReloaded])
    title = "Three"
    table.performUpdate { table.reloadSections(0..<1) }
    #expect(table.verify())
  }

  @Test func everyRowHasACell() {
    model.gone = [2]
    #expect(shownTable(model).violations.map(\.rule) == [.everyRowHasACell])
    model.gone = []
    let table = shownTable(model)
    // A row that is gone and not yet told so has none.
    model.gone = [2]
    table.prepareForUpdate()
    table.performUpdate {
      self.model.rows = [1, 3]
      table.delete(1)
    }
    #expect(table.verify())
  }

  @Test func aRowThatWasDrawnWithoutACellDoesNotStay() {
    let table = shownTable(model)
    model.gone = [4]
    table.performUpdate {
      self.model.rows = [1, 2, 3, 4]
      table.insert(3)
    }
    #expect(table.cells == [[1, 2, 3].map { SimulatedCell($0, text: "\($0)") }])
    model.gone = []
    table.performUpdate {
      self.model.rows = [2, 3, 4]
      table.delete(0)
    }
    #expect(rules(table) == [.everyRowHasACell])
  }

  @Test func aFaultIsToldAtOnceAndInWords() {
    var told: [String] = []
    let table = Table(model.source) { told.append("\($0)") }
    table.prepareForUpdate()
    table.performUpdate {
      self.model.rows = [1, 2]
      table.delete(0)
    }
    #expect(
      told == [
        "What neither comes nor moves fills the places that are left, in its old order. "
          + "The old row (0, 1), 2 '2', comes to stand at (0, 0), where the data source has 1 '1'."
      ])
  }

  @Test func aTableStopsTheProgramUnlessAskedNotTo() async {
    await #expect(processExitsWith: .failure) {
      let table = SimulatedBatchTable(SimulatedDataSource<Int>(numberOfRows: { _ in 0 }, cell: { _ in nil }))
      table.performUpdate {}
    }
  }
}
