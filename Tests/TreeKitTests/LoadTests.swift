import Testing

@testable import TreeKit

private struct Trouble: Error, Equatable { var number = 0 }

@Suite struct LoadTests {
  @Test func aResultForAClosedNodeIsKept() throws {
    let (controller, table) = try shownController([folder("A")])
    try controller.expand("A")
    try controller.collapse("A")
    table.deliveries = []
    #expect(table.loads[0].finish([leaf("1")]) == .hidden)
    try controller.expand("A")
    #expect(table.shown == ["A", "1"])
    #expect(table.loads.count == 1)
  }

  @Test func aResultForARemovedNodeIsRefused() throws {
    let (controller, table) = try shownController([folder("A")])
    try controller.expand("A")
    try controller.update { tree in try tree.delete(#require(tree.find("A"))) }
    #expect(table.loads[0].finish([leaf("1")]) == .gone)
    #expect(table.shown == [])
  }

  @Test(arguments: [true, false]) func theLaterOfTwoLoadsWins(_ laterFirst: Bool) throws {
    let (controller, table) = try shownController([folder("A")])
    try controller.expand("A")
    try controller.reload("A")
    var later: TreeLoadOutcome?
    if laterFirst { later = table.loads[1].finish([leaf("new")]) }
    #expect(table.loads[0].finish([leaf("old")]) == .superseded)
    if !laterFirst { later = table.loads[1].finish([leaf("new")]) }
    #expect(later == .applied)
    #expect(table.shown == ["A", "new"])
  }

  @Test func openingTwiceLoadsOnce() throws {
    let (controller, table) = try shownController([folder("A")])
    try controller.expand("A")
    try controller.collapse("A")
    try controller.expand("A")
    try controller.expand("A")
    #expect(table.loads.count == 1)
  }

  @Test func aFailedLoadIsAStateAndIsTriedAgain() throws {
    let (controller, table) = try shownController([folder("A")])
    let node = try #require(controller.tree.find("A"))
    try controller.expand("A")
    #expect(table.loads[0].fail(Trouble(number: 1)) == .applied)
    #expect(try controller.tree.loadState(of: node) == .failed)
    #expect(controller.tree.error(of: node) as? Trouble == Trouble(number: 1))
    #expect(table.deliveries.map { "\($0)" } == ["1 changed", "1 changed"])
    #expect(table.loads.count == 1)
    try controller.expand("A")
    #expect(table.loads.count == 2)
    #expect(table.loads[1].finish([leaf("1")]) == .applied)
    #expect(controller.tree.error(of: node) == nil)
    #expect(table.shown == ["A", "1"])
  }

  @Test func aFailedFetchMayMakeTheNodeALeaf() throws {
    let (controller, table) = try shownController([folder("A")])
    try controller.expand("A")
    try controller.setNewVersionOfItem(leaf("A"))
    #expect(table.loads[0].finish([leaf("1")]) == .cancelled)
    #expect(table.shown == ["A"])
    #expect(throws: TreeError.leaf) { try controller.expand("A") }
  }

  @Test func aCancelledLoadLeavesTheNodeAsItWas() throws {
    let (controller, table) = try shownController([folder("A")])
    let node = try #require(controller.tree.find("A"))
    try controller.expand("A")
    #expect(table.loads[0].cancel() == .applied)
    #expect(try controller.tree.loadState(of: node) == .unloaded)
    #expect(table.loads[0].finish([leaf("1")]) == .cancelled)
    try controller.expand("A")
    #expect(table.loads.count == 2)
  }

  @Test func collapseCancelsOnlyWhereAsked() throws {
    let (controller, table) = try shownController([folder("A")])
    controller.cancelsLoadsOnCollapse = true
    try controller.expand("A")
    try controller.collapse("A")
    #expect(table.loads[0].finish([leaf("1")]) == .cancelled)
  }

  @Test func loadedAndEmptyIsNotLoadedAgain() throws {
    let (controller, table) = try shownController([folder("A")])
    try controller.expand("A")
    #expect(table.loads[0].finish([]) == .applied)
    try controller.collapse("A")
    try controller.expand("A")
    #expect(table.loads.count == 1)
    let row = try #require(controller.row(at: TreeIndexPath(section: 0, row: 0)))
    #expect(!row.isExpandable && row.loadState == .loaded)
  }

  @Test func pagesAppendAndARepeatedIdentifierLeavesThemAlone() throws {
    let (controller, table) = try shownController([folder("A"), leaf("B")])
    let node = try #require(controller.tree.find("A"))
    try controller.expand("A")
    let load = table.loads[0]
    #expect(load.append(page: [leaf("1"), leaf("2")], more: true) == .applied)
    #expect(try controller.tree.hasMore(node))
    let two = try #require(controller.tree.find("2"))
    #expect(
      load.append(page: [leaf("3"), leaf("2")], more: true) == .refused(.duplicate(item: [1], other: .node(two))))
    #expect(table.shown == ["A", "1", "2", "B"])
    #expect(load.append(page: [leaf("3")], more: false) == .applied)
    #expect(table.shown == ["A", "1", "2", "3", "B"])
    #expect(try !controller.tree.hasMore(node))
    #expect(load.append(page: [leaf("4")], more: false) == .superseded)
  }

  @Test func reloadKeepsWhatIsStillThereAndTellsOnlyDifferences() throws {
    let (controller, table) = try shownController([folder("A")])
    try controller.expand("A")
    table.loads[0].finish([loaded("x", [leaf("1")]), leaf("y"), leaf("z")])
    try controller.expand("x")
    let x = controller.tree.find("x")
    try controller.reload("A")
    #expect(table.shown == ["A", "x", "1", "y", "z"])
    table.deliveries = []
    table.loads[1].finish([leaf("w"), TestItem("x", value: 0, children: .unchanged), leaf("z", 5)])
    #expect(table.shown == ["A", "w", "x", "1", "z"])
    // "A" is not loading any more, and "z" has another value.
    #expect(table.deliveries.map { "\($0)" } == ["1 deleted, 1 inserted, 2 changed"])
    #expect(controller.tree.find("x") == x)
  }

  @Test func aResultMayBringAnItemThatStandsElsewhere() throws {
    let (controller, table) = try shownController([loaded("A", [leaf("1")]), folder("B")])
    let one = controller.tree.find("1")
    try controller.expand("B")
    #expect(table.loads[0].finish([leaf("1")]) == .applied)
    #expect(table.shown == ["A", "B", "1"])
    #expect(controller.tree.find("1") == one)
    try controller.reload("B")
    #expect(table.loads[1].finish([leaf("B")]) == .refused(.cycle))
  }

  @Test func aTicketOutlivesAMoveOfItsNode() throws {
    let (controller, table) = try shownController([folder("A"), loaded("B", [])])
    try controller.expand("A")
    try controller.update { tree in try tree.move(#require(tree.find("A")), under: tree.find("B")) }
    #expect(table.loads[0].finish([leaf("1")]) == .hidden)
    try controller.expand("B")
    #expect(table.shown == ["B", "A", "1"])
  }

  @Test func whateverOpensANodeAsksForItsLoadOnce() throws {
    let (controller, table) = try shownController([], options: TreeOptions(openLevels: 2))
    try controller.setItems([folder("A"), loaded("B", [folder("C")])])
    #expect(Set(table.loads.map(\.item.id)) == ["A", "C"])
    table.loads[0].finish([folder("D")])
    #expect(table.loads.map(\.item.id).contains("D"))
    try controller.update { tree in try tree.expandAll() }
    #expect(table.loads.count == 3)
  }

  @Test func aNewVersionOfAHiddenItemIsKept() throws {
    let (controller, table) = try shownController([loaded("A", [folder("1")])])
    try controller.setNewVersionOfItem(TestItem("1", value: 4, children: [leaf("x")]))
    #expect(table.deliveries.isEmpty)
    try controller.expand("A")
    try controller.expand("1")
    #expect(table.shown == ["A", "1", "x"])
    #expect(controller.item(for: "1")?.value == 4)
    #expect(table.loads.isEmpty)
  }
}
