import Testing
import TreeKit

@testable import TreeKitTesting

/// For each rule of steps the smallest update that breaks it, and one beside it that does not.
@Suite struct StepRuleTests {
  private typealias List = SimulatedStepTable<Int>

  private func list(_ model: Model) -> List {
    let list = List(numberOfRows: { model.rows.count }, onViolation: { _ in }) {
      SimulatedCell(model.rows[$0], text: model.texts[model.rows[$0]] ?? "")
    }
    list.layoutIfNeeded()
    return list
  }

  private func broken(_ old: [Int], _ new: [Int], _ steps: (List) -> Void) -> [SimulatedRule] {
    let model = Model(old)
    let list = list(model)
    withoutActuallyEscaping(steps) { steps in
      list.prepareForUpdate()
      list.performUpdate {
        model.rows = new
        steps(list)
      }
    }
    if list.violations.isEmpty && list.verify() { #expect(list.identifiers == new) }
    return list.violations.map(\.rule)
  }

  @Test func eachStepCountsInTheRowsOfItsMoment() {
    #expect(
      broken([1, 2, 3], [2]) {
        $0.removeRows(2..<3); $0.removeRows(0..<1)
      } == [])
    #expect(
      broken([1, 2, 3], [2]) {
        $0.removeRows(0..<1); $0.removeRows(1..<2)
      } == [])
    #expect(
      broken([1, 2, 3], [2]) {
        $0.removeRows(0..<1); $0.removeRows(2..<3)
      } == [.stepsCountAsTheyGo])
    #expect(
      broken([1], [2, 1, 3]) {
        $0.insertRows(0..<1); $0.insertRows(2..<3)
      } == [])
    #expect(
      broken([1], [2, 1, 3]) {
        $0.insertRows(2..<3); $0.insertRows(0..<1)
      } == [.stepsCountAsTheyGo])
  }

  @Test func movesCountInTheRowsOfTheirMoment() {
    // As a batch would tell it.
    #expect(
      broken([0, 1, 2, 3], [2, 3, 0, 1]) {
        $0.moveRow(0, to: 2); $0.moveRow(1, to: 3)
      } == [.stepsAddUp])
    #expect(
      broken([0, 1, 2, 3], [2, 3, 0, 1]) {
        $0.moveRow(0, to: 3); $0.moveRow(0, to: 3)
      } == [])
    #expect(broken([1, 2], [2, 1]) { $0.moveRow(0, to: 2) } == [.stepsCountAsTheyGo])
    #expect(broken([1, 2], [2, 1]) { $0.moveRow(2, to: 0) } == [.stepsCountAsTheyGo])
    #expect(broken([1, 2], [2, 1]) { $0.moveRow(0, to: 1) } == [])
    #expect(broken([1, 2], [1, 2]) { $0.moveRow(1, to: 1) } == [.movesLeadElsewhere])
  }

  @Test func stepsLeadToTheNewModel() {
    #expect(broken([1, 2], [1, 2, 3]) { _ in } == [.stepsAddUp])
    #expect(broken([1, 2], [2]) { $0.removeRows(1..<2) } == [.stepsAddUp])
    #expect(broken([1, 2], [2]) { $0.removeRows(0..<1) } == [])
    #expect(broken([1], [1, 1]) { $0.insertRows(1..<2) } == [.identifiersAreUnique])
  }

  @Test func rowsAreReloadedInAnUpdateOfTheirOwn() {
    #expect(
      broken([1, 2], [2]) {
        $0.removeRows(0..<1); $0.reloadRows(0..<1)
      } == [.noReloadsBesideSteps])
    #expect(
      broken([1, 2], [2]) {
        $0.reloadRows(1..<2); $0.removeRows(0..<1)
      } == [.noReloadsBesideSteps])
    #expect(broken([1, 2], [1, 2]) { $0.reloadRows(0..<2) } == [])
    #expect(
      broken([1, 2], [1, 2]) {
        $0.reloadRows(0..<2); $0.reloadRows(1..<2)
      } == [.nothingTwice])
    #expect(broken([1, 2], [1, 2]) { $0.reloadRows(2..<3) } == [.stepsCountAsTheyGo])
  }

  @Test func theDataSourceSwitchesOnceInsideTheUpdate() {
    let model = Model([1, 2, 3])
    let list = list(model)
    list.performUpdate {
      model.rows = [2, 3]
      list.removeRows(0..<1)
      model.rows = [3]
      list.removeRows(0..<1)
    }
    #expect(list.violations.map(\.rule) == [.countsSwitchInside])
    model.rows = []
    list.prepareForUpdate()
    #expect(list.violations.map(\.rule) == [.countsSwitchInside, .countsSwitchInside])
  }

  @Test func whatLooksDifferentIsReloaded() {
    let model = Model([1, 2, 3])
    let list = list(model)
    model.texts[2] = "two"
    list.performUpdate {
      model.rows = [2, 3, 1]
      list.moveRow(0, to: 2)
    }
    #expect(!list.verify())
    #expect(list.violations.map(\.rule) == [.whatChangedIsReloaded])
    model.texts[1] = "one"
    list.performUpdate { list.reloadRows(2..<3) }
    #expect(list.verify())
    #expect(list.cells.map(\.text) == ["two", "", "one"])
  }
}
