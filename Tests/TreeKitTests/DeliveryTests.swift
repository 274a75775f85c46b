import Testing

@testable import TreeKit

/// Writes down what it is told, and what its controller says of rows at that moment.
private final class Recorder: BatchUpdateTarget {
  let controller: TestController
  var log: [String] = []
  var during: () -> Void = {}
  var preparing: () -> Void = {}

  init(_ controller: TestController) { self.controller = controller }

  func note(_ what: String) {
    let rows = controller.rows(in: 0..<controller.rowCount).map(\.item.id)
    log.append("\(what) [\(rows.joined())] of \(controller.rowCount)")
  }

  func prepareForUpdate() {
    note("prepare")
    preparing()
  }
  func reloadData() { note("reload") }
  func performUpdate(_ update: @escaping () -> Void) {
    note("begin")
    update()
    during()
    note("end")
  }
  func deleteSections(_ sections: Range<Int>) { note("sections deleted") }
  func insertSections(_ sections: Range<Int>) { note("sections inserted") }
  func moveSections(_ move: TreeChanges.SectionMove) { note("sections moved") }
  func reloadSections(_ sections: Range<Int>) { note("sections reloaded") }
  func deleteRows(_ rows: TreeChanges.Rows) { note("deleted \(rows.rows)") }
  func insertRows(_ rows: TreeChanges.Rows) { note("inserted \(rows.rows)") }
  func moveRows(_ move: TreeChanges.RowMove) { note("moved \(move.from.row) to \(move.to.row)") }
  func reloadRows(_ rows: TreeChanges.Rows) { note("reloaded \(rows.rows)") }
}

@Suite struct DeliveryTests {
  private func recorded(_ items: [TestItem]) throws -> (TestController, TableDelegate, Recorder) {
    let (controller, delegate) = try shownController(items)
    let recorder = Recorder(controller)
    controller.target = recorder
    #expect(recorder.log.count == 1 && recorder.log[0].hasPrefix("reload"))
    recorder.log = []
    return (controller, delegate, recorder)
  }

  @Test func rowsSwitchInsideTheUpdateAndContentComesAfterIt() throws {
    let (controller, delegate, recorder) = try recorded([leaf("A"), leaf("B"), leaf("C")])
    delegate.changed = { _, changes in recorder.log.append("delegate \(changes)") }
    try controller.update({ tree in
      try tree.delete(#require(tree.find("A")))
      try tree.insert(leaf("D"))
      try tree.setValue(of: "C", to: 7)
    }) { recorder.log.append("completion") }
    #expect(
      recorder.log == [
        "prepare [ABC] of 3", "prepare [BC] of 3", "begin [BC] of 3", "deleted 0..<1 [BCD] of 3",
        "inserted 2..<3 [BCD] of 3", "end [BCD] of 3", "begin [BCD] of 3", "reloaded 1..<2 [BCD] of 3",
        "end [BCD] of 3", "delegate 1 deleted, 1 inserted, 1 changed", "completion",
      ])
  }

  @Test func aTargetWithoutChangesIsToldNothingMore() throws {
    let (controller, delegate, recorder) = try recorded([leaf("A")])
    try controller.update { tree in try tree.delete(tree.insert(leaf("B"))) }
    #expect(recorder.log == ["prepare [A] of 1"])
    #expect(delegate.deliveries.isEmpty)
  }

  @Test func whatATargetEditsWhileItIsToldIsTheNextDelivery() throws {
    let (controller, delegate, recorder) = try recorded([leaf("A")])
    var left = 1
    recorder.during = {
      guard left > 0 else { return }
      left -= 1
      #expect(throws: Never.self) { try controller.append([leaf("C")]) }
    }
    // An edit before the change is shown, while the table lays out what it was told last.
    recorder.preparing = {
      guard left == 1, controller.tree.rowCount == 2 else { return }
      #expect(throws: Never.self) { try controller.append([leaf("x")]) }
      recorder.preparing = {}
    }
    var completions = 0
    try controller.update({ tree in try tree.insert(leaf("B")) }) { completions += 1 }
    #expect(
      recorder.log == [
        "prepare [A] of 1", "prepare [A] of 1", "begin [A] of 1", "inserted 1..<2 [AB] of 2", "end [AB] of 2",
        "prepare [AB] of 2", "begin [AB] of 2", "inserted 2..<4 [ABxC] of 4", "end [ABxC] of 4",
      ])
    #expect(delegate.deliveries.map { "\($0)" } == ["1 inserted", "2 inserted"])
    #expect(completions == 1)
  }

  @Test func beyondTheLimitATargetIsLoadedAnewAndTheDelegateToldAll() throws {
    let (controller, delegate, recorder) = try recorded([leaf("A")])
    #expect(controller.targetLimit == 10_000)
    controller.targetLimit = 2
    try controller.append([leaf("B"), leaf("C"), leaf("D")])
    #expect(recorder.log == ["prepare [A] of 1", "reload [ABCD] of 4"])
    #expect(delegate.deliveries.map { "\($0)" } == ["3 inserted"])
  }

  @Test func aDelegateMayApplyChangesItself() throws {
    let (controller, delegate) = try shownController([leaf("A"), leaf("B")])
    delegate.comparesAll = false
    let recorder = Recorder(controller)
    controller.delegateAppliesChanges = true
    delegate.changed = { controller, _ in
      recorder.note("told")
      controller.applyChanges(to: recorder)
    }
    try controller.delete(["A"])
    #expect(
      recorder.log == [
        "told [B] of 2", "prepare [B] of 2", "begin [B] of 2", "deleted 0..<1 [B] of 1", "end [B] of 1",
      ])
    delegate.changed = { _, _ in }
    try controller.append([leaf("C")])
    #expect(controller.rowCount == 2)
  }

  @Test func aSectionThatGoesHasItsNameUntilItIsTold() throws {
    let controller = TestController(options: TreeOptions(hasSections: true))
    try controller.setItems([TestItem("A", value: 0, sectionName: "s"), TestItem("B", value: 0, sectionName: "t")])
    try controller.update { tree in
      try tree.delete(["A"])
      #expect((0..<controller.sectionCount).map(controller.sectionName) == ["s", "t"])
    }
    #expect((0..<controller.sectionCount).map(controller.sectionName) == ["t"])
  }

  @Test func aTableThatWasNeverLaidOutIsLoadedAnewOnceMore() throws {
    let (controller, _) = try shownController([leaf("A"), leaf("B")])
    let recorder = Recorder(controller)
    try controller.update { tree in
      try tree.delete(["A"])
      controller.target = recorder
    }
    #expect(recorder.log == ["reload [B] of 2", "reload [B] of 1"])
    recorder.log = []
    try controller.delete(["B"])
    #expect(recorder.log.first == "prepare [B] of 1")
    #expect(recorder.log.last == "end [] of 0")
  }

  @Test func theTableOfADelegateIsLaidOutBeforeTheNextEdit() throws {
    let (controller, delegate) = try shownController([leaf("A"), leaf("B")])
    delegate.comparesAll = false
    let recorder = Recorder(controller)
    controller.delegateAppliesChanges = true
    controller.targetLimit = 0
    delegate.changed = { controller, _ in controller.applyChanges(to: recorder) }
    try controller.delete(["A"])
    controller.targetLimit = 10
    try controller.delete(["B"])
    #expect(
      recorder.log == [
        "reload [B] of 1", "prepare [B] of 1", "prepare [] of 1", "begin [] of 1", "deleted 0..<1 [] of 0",
        "end [] of 0",
      ])
  }

  @Test func aRowThatWasDrawnBetweenTwoEditsIsToldAlsoWhereTheyCancelOut() throws {
    let (controller, delegate, recorder) = try recorded([leaf("A")])
    recorder.during = {
      guard controller.item(at: TreeIndexPath(section: 0, row: 0))?.value == 0 else { return }
      #expect(throws: Never.self) { try controller.setValue(of: "A", to: 1) }
      // As a table draws it.
      #expect(controller.item(at: TreeIndexPath(section: 0, row: 0))?.value == 1)
    }
    delegate.changed = { controller, changes in
      guard !changes.insertedRows.isEmpty else { return }
      #expect(throws: Never.self) { try controller.setValue(of: "A", to: 0) }
      recorder.during = {}
    }
    try controller.append([leaf("B")])
    #expect(delegate.deliveries.map { "\($0)" } == ["1 inserted", "1 changed"])
  }

  @Test func aTargetIsHeldWeaklyAndReadBack() throws {
    let (controller, delegate) = try shownController([leaf("A")])
    do {
      let recorder = Recorder(controller)
      controller.target = recorder
      #expect(controller.target === recorder)
    }
    #expect(controller.target == nil)
    try controller.append([leaf("B")])
    #expect(delegate.shown == ["A", "B"])
  }
}
