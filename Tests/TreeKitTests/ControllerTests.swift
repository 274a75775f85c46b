import Testing

@testable import TreeKit

@Suite struct ControllerTests {
  @Test func aTapIsAskedAnnouncedAndTold() throws {
    let (controller, table) = try shownController([loaded("A", [leaf("1"), leaf("2")]), leaf("B")])
    #expect(try controller.expand("A"))
    #expect(table.log == ["should A expanded", "will A expanded", "did A expanded", "changed 2 inserted"])
    #expect(table.deliveries.first?.insertedIndexPaths.map(\.row) == [1, 2])
    table.log = []
    #expect(try controller.expand("A") == false)
    #expect(table.log == [])
    #expect(try controller.toggle("A"))
    #expect(table.log == ["should A collapsed", "will A collapsed", "did A collapsed", "changed 2 deleted"])
  }

  @Test func aVetoChangesNothing() throws {
    let (controller, table) = try shownController([folder("A")])
    table.should = { _, _ in false }
    #expect(try controller.expand("A") == false)
    #expect(table.log == ["should A expanded"])
    #expect(!controller.tree.isExpanded(try #require(controller.tree.find("A"))))
    #expect(controller.tree.nextLoadRequest() == nil)
  }

  @Test func aLeafAndAnUnknownItemSayThatTheyAre() throws {
    let (controller, table) = try shownController([leaf("A")])
    #expect(throws: TreeError.leaf) { try controller.expand("A") }
    #expect(throws: TreeError.unknownIdentifier) { try controller.expand("?") }
    #expect(throws: TreeError.unknownIdentifier) { try controller.setNewVersionOfItem(leaf("?")) }
    #expect(table.log == [])
  }

  @Test func childrenMayBeGivenInWill() throws {
    let (controller, table) = try shownController([folder("A"), leaf("B")])
    table.will = { _, item, _ in item.copyWithChildren([leaf("1"), leaf("2")]) }
    try controller.expand("A")
    #expect(table.log == ["should A expanded", "will A expanded", "did A expanded", "changed 2 inserted"])
    #expect(table.shown == ["A", "1", "2", "B"])
    #expect(table.loads.isEmpty)
  }

  @Test func childrenMayBeGivenInDid() throws {
    let (controller, table) = try shownController([folder("A"), leaf("B")])
    table.did = { controller, item, _ in
      #expect(throws: Never.self) { try controller.setNewVersionOfItem(item.copyWithChildren([leaf("1")])) }
    }
    try controller.expand("A")
    #expect(table.shown == ["A", "1", "B"])
    #expect(table.deliveries.map { "\($0)" } == ["1 inserted"])
  }

  @Test func childrenMayBeGivenLaterThoughRowsShiftMeanwhile() throws {
    let (controller, table) = try shownController([leaf("0"), folder("A"), leaf("B")])
    try controller.expand("A")
    #expect(table.log.suffix(2) == ["load A", "changed 1 changed"])
    try controller.update { tree in try tree.delete(#require(tree.find("0"))) }
    #expect(table.loads.first?.finish([leaf("1")]) == .applied)
    #expect(table.shown == ["A", "1", "B"])
    #expect(table.deliveries.map { "\($0)" } == ["1 changed", "1 deleted", "1 inserted, 1 changed"])
  }

  @Test func willMayMakeTheNodeALeaf() throws {
    let (controller, table) = try shownController([folder("A"), leaf("B")])
    table.will = { _, item, _ in item.copyWithChildren(nil) }
    #expect(try controller.expand("A") == false)
    #expect(table.log.suffix(2) == ["did A collapsed", "changed 1 changed"])
    #expect(throws: TreeError.leaf) { try controller.expand("A") }
  }

  @Test func anEmptyListFromWillIsLoadedAndEmpty() throws {
    let (controller, table) = try shownController([folder("A"), TestItem("B", value: 0, children: [])])
    #expect(try controller.tree.loadState(of: #require(controller.tree.find("B"))) == .unloaded)
    table.will = { _, item, _ in item.copyWithChildren([]) }
    try controller.expand("A")
    #expect(try controller.tree.loadState(of: #require(controller.tree.find("A"))) == .loaded)
    #expect(table.loads.isEmpty)
  }

  @Test func willMayNotReturnAnotherItem() throws {
    let (controller, table) = try shownController([folder("A"), leaf("B")])
    table.will = { _, _, _ in leaf("B", 5) }
    #expect(throws: TreeError.identifierMismatch) { try controller.expand("A") }
    #expect(table.shown == ["A", "B"])
    #expect(controller.item(for: "B")?.value == 0)
  }

  @Test func willMayReplaceOnlyTheValue() throws {
    let (controller, table) = try shownController([loaded("A", [leaf("1")]), folder("B")])
    table.will = { _, item, _ in item.copyWithValue(7).copyWithChildren(.unloaded) }
    try controller.expand("A")
    #expect(table.deliveries.map { "\($0)" } == ["1 inserted, 1 changed"])
    #expect(controller.item(for: "A")?.value == 7)
  }

  @Test func aNodeThatWillRemovedStopsTheToggle() throws {
    let (controller, table) = try shownController([folder("A"), leaf("B")])
    table.will = { controller, item, _ in
      controller.update { tree in tree.find(item.id).map { try? tree.delete($0) } }
      return nil
    }
    #expect(throws: TreeError.staleNode) { try controller.expand("A") }
    #expect(table.log == ["should A expanded", "will A expanded", "changed 1 deleted"])
  }

  @Test func childrenMayBeGivenUpWhenTheNodeCloses() throws {
    let (controller, table) = try shownController([loaded("A", [leaf("1")])])
    try controller.expand("A")
    table.did = { controller, item, state in
      if state == .collapsed { controller.update { tree in tree.find(item.id).map { try? tree.drop($0) } } }
    }
    try controller.collapse("A")
    #expect(controller.tree.count == 1)
    try controller.expand("A")
    #expect(table.loads.first?.finish([leaf("2")]) == .applied)
    #expect(table.shown == ["A", "2"])
  }

  @Test func oneUpdateIsOneDeliveryAndItsCompletionRunsOnce() throws {
    let (controller, table) = try shownController([loaded("A", [leaf("1")]), loaded("B", [leaf("2")])])
    try controller.expand("A")
    table.log = []
    try controller.update({ _ in
      try controller.collapse("A")
      try controller.expand("B")
      try controller.update { tree in try tree.insert(leaf("C")) }
    }) { table.log.append("completion") }
    #expect(table.log.suffix(2) == ["changed 1 deleted, 2 inserted", "completion"])
    #expect(table.log.count { $0.hasPrefix("changed") } == 1)
    #expect(throws: CancellationError.self) {
      try controller.update({ _ in throw CancellationError() }) { table.log.append("completion") }
    }
    #expect(table.log.last == "completion")
    #expect(table.log.count { $0 == "completion" } == 2)
  }

  @Test func whatIsUndoneLeavesNoTrace() throws {
    let (controller, table) = try shownController([loaded("A", [leaf("1")]), leaf("B"), leaf("C")])
    try controller.update { tree in
      try controller.expand("A")
      try controller.collapse("A")
      try tree.delete(tree.insert(leaf("x")))
      try tree.move(#require(tree.find("C")), under: nil, at: 0)
      try tree.move(#require(tree.find("C")), under: nil)
    }
    #expect(table.deliveries.isEmpty)
  }

  @Test func anEditFromWithinADeliveryIsTheNextOne() throws {
    let (controller, table) = try shownController([leaf("A")])
    var isFirst = true
    table.changed = { [unowned table] controller, _ in
      guard isFirst else { return }
      isFirst = false
      #expect(throws: Never.self) { try controller.update { tree in try tree.insert(leaf("C")) } }
      #expect(table.shown == ["A", "B"])
    }
    try controller.update { tree in try tree.insert(leaf("B")) }
    #expect(table.shown == ["A", "B", "C"])
    #expect(table.deliveries.count == 2)
  }

  @Test func oneMovedRowIsOneMove() throws {
    let (controller, table) = try shownController([leaf("1"), leaf("2"), leaf("3"), leaf("4")])
    try controller.setItems([leaf("2"), leaf("3"), leaf("4"), leaf("1", 9)])
    #expect(table.deliveries.map { "\($0)" } == ["1 moved, 1 changed"])
    #expect(table.deliveries.first?.movedIndexPaths.first?.from.row == 0)
    #expect(table.deliveries.first?.movedIndexPaths.first?.to.row == 3)
    #expect(table.deliveries.first?.changedIndexPaths.map(\.row) == [3])
  }

  @Test func untouchedItemsChangeNoRow() throws {
    let (controller, table) = try shownController([leaf("1", 1), leaf("2", 2)])
    try controller.setItems([leaf("1", 1), leaf("2", 3)])
    #expect(table.deliveries.first?.changedIndexPaths.map(\.row) == [1])
    try controller.setNewVersionOfItem(leaf("1", 1))
    #expect(table.deliveries.count == 1)
  }

  @Test func withoutAWayToCompareAReplacedValueCountsAsChanged() throws {
    struct Plain { var number = 0 }
    final class Counter: TreeControllerDelegate {
      var changes: [TreeChanges] = []
      func controller(_ controller: TreeController<String, Plain>, changed changes: TreeChanges) {
        self.changes.append(changes)
      }
    }
    for (controller, expected) in [
      (TreeController<String, Plain>(), ["reload", "1 changed", "1 changed"]),
      (TreeController<String, Plain>(revision: { UInt64($0.number) }), ["reload", "1 changed"]),
    ] {
      let counter = Counter()
      controller.delegate = counter
      try controller.setItems([TreeItem("a", value: Plain())])
      try controller.setNewVersionOfItem(TreeItem("a", value: Plain(number: 1)))
      try controller.setNewVersionOfItem(TreeItem("a", value: Plain(number: 1)))
      #expect(counter.changes.map { "\($0)" } == expected)
    }
  }

  @Test func sectionsAreToldAsSuch() throws {
    func item(_ id: String, _ section: String) -> TestItem { TestItem(id, value: 0, sectionName: section) }
    final class Log: TreeControllerDelegate {
      var changes: [TreeChanges] = []
      func controller(_ controller: TestController, changed changes: TreeChanges) { self.changes.append(changes) }
    }
    let controller = TestController(options: TreeOptions(hasSections: true))
    let log = Log()
    controller.delegate = log
    try controller.setItems([item("x", "S1"), item("y", "S2")])
    try controller.setItems([item("x", "S2"), item("y", "S2")])
    let last = try #require(log.changes.last)
    #expect(last.deletedSections == [0..<1])
    #expect(last.insertedIndexPaths == [TreeIndexPath(section: 0, row: 0)])
    #expect(last.deletedRows.isEmpty && last.movedRows.isEmpty)
    #expect(controller.sectionName(0) == "S2")
    #expect(controller.indexPath(of: "y") == TreeIndexPath(section: 0, row: 1))
    #expect(controller.item(at: TreeIndexPath(section: 0, row: 1))?.id == "y")
  }

  @Test func duringAnUpdateRowsAreThoseThatWereTold() throws {
    let (controller, table) = try shownController([leaf("A"), leaf("B")])
    try controller.update { tree in
      try tree.insert(leaf("C"), at: 0)
      #expect(table.ids(controller) == ["A", "B"])
      #expect(tree.rowCount == 3)
      try tree.delete(#require(tree.find("A")))
      #expect(controller.rowCount == 2)
      #expect(controller.item(at: TreeIndexPath(section: 0, row: 0)) == nil)
    }
    #expect(table.shown == ["C", "B"])
  }

  @Test func aControllerIsLetGoThoughItsDelegateIsNot() throws {
    let table = TableDelegate()
    weak var held: TestController?
    do {
      let controller = TestController()
      controller.delegate = table
      try controller.setItems([folder("A")])
      try controller.expand("A")
      held = controller
    }
    #expect(held == nil)
    #expect(table.loads.first?.finish([]) == .gone)
  }
}
