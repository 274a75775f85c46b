import Testing

@testable import TreeKit

/// Opening and closing of more than one node.
@Suite struct OpeningManyTests {
  static let forest = [
    loaded("A", [loaded("a", [leaf("1"), loaded("b", [leaf("2")])]), leaf("3")]), loaded("B", [leaf("4")]), leaf("C"),
  ]

  @Test func expandAllAndCollapseAllAreOneChangeEach() throws {
    let (controller, table) = try shownController(Self.forest)
    try controller.expandAll()
    #expect(table.shown == ["A", "a", "1", "b", "2", "3", "B", "4", "C"])
    #expect(table.log == ["changed 6 inserted"])
    try controller.expandAll()
    #expect(table.deliveries.count == 1)
    try controller.collapseAll()
    #expect(table.log == ["changed 6 inserted", "changed 6 deleted"])
    try controller.expand("A")
    #expect(table.shown == ["A", "a", "3", "B", "C"])
  }

  @Test func toADepthCountsFromTheTop() throws {
    let (controller, table) = try shownController(Self.forest)
    try controller.expandAll(levels: 2)
    #expect(table.shown == ["A", "a", "1", "b", "3", "B", "4", "C"])
    #expect(table.deliveries.count == 1)
  }

  @Test func ofASubtreeLeavesTheOthers() throws {
    let (controller, table) = try shownController(Self.forest)
    try controller.expandAll(under: "A")
    #expect(table.shown == ["A", "a", "1", "b", "2", "3", "B", "C"])
    try controller.collapseAll(under: "a")
    #expect(table.shown == ["A", "a", "3", "B", "C"])
    try controller.expandAll(under: "a", levels: 1)
    #expect(table.shown == ["A", "a", "1", "b", "3", "B", "C"])
    #expect(table.deliveries.count == 3)
    #expect(throws: TreeError.unknownIdentifier) { try controller.expandAll(under: "?") }
    #expect(throws: TreeError.unknownIdentifier) { try controller.collapseAll(under: "?") }
    #expect(table.deliveries.count == 3)
  }

  @Test func expandAllActsOnceOnWhatIsThere() throws {
    let (controller, table) = try shownController([loaded("A", [folder("a")])])
    try controller.expandAll()
    #expect(table.loads.map(\.item.id) == ["a"])
    #expect(table.loads.first?.finish([folder("b")]) == .applied)
    #expect(table.shown == ["A", "a", "b"])
    #expect(table.loads.count == 1)
  }

  @Test func revealOpensEveryAncestorAtOnce() throws {
    let (controller, table) = try shownController(Self.forest)
    try controller.reveal("2")
    #expect(table.shown == ["A", "a", "1", "b", "2", "3", "B", "C"])
    #expect(table.log == ["changed 5 inserted"])
    try controller.reveal("2")
    #expect(table.deliveries.count == 1)
    #expect(throws: TreeError.unknownIdentifier) { try controller.reveal("?") }
  }

  @Test func aRevealThroughLazyLevelsWaitsAndJoinsLoads() throws {
    let (controller, table) = try shownController([folder("A"), leaf("B")])
    try controller.expand("A")
    #expect(try controller.reveal(path: ["A", "a", "1"]) == .loading)
    #expect(table.loads.count == 1)
    table.loads[0].finish([folder("a"), folder("x")])
    #expect(table.loads.map(\.item.id) == ["A", "a"])
    #expect(try controller.reveal(path: ["A", "a", "1"]) == .loading)
    #expect(table.loads.count == 2)
    table.loads[1].finish([leaf("1")])
    #expect(table.shown == ["A", "a", "1", "x", "B"])
    #expect(try controller.reveal(path: ["A", "a", "1"]) == .revealed)
    #expect(throws: TreeError.unknownIdentifier) { try controller.reveal(path: ["A", "a", "2"]) }
    #expect(throws: TreeError.unknownIdentifier) { try controller.reveal(path: []) }
  }

  @Test func closingEndsARevealThatWaits() throws {
    let (controller, table) = try shownController([folder("A")])
    #expect(try controller.reveal(path: ["A", "a", "1"]) == .loading)
    try controller.collapse("A")
    table.loads[0].finish([folder("a")])
    try controller.expand("A")
    #expect(table.shown == ["A", "a"])
    #expect(table.loads.count == 1)
  }

  @Test func aRevealFindsItsSection() throws {
    let controller = TestController(options: TreeOptions(hasSections: true))
    let table = TableDelegate()
    table.comparesAll = false
    controller.delegate = table
    try controller.setItems([
      TestItem("A", value: 0, children: .unloaded, sectionName: "s"), TestItem("B", value: 0, sectionName: nil),
    ])
    #expect(try controller.reveal(path: ["A", "1"], inSection: "s") == .loading)
    // The top level is never known to be complete, nor are sections.
    #expect(try controller.reveal(path: ["A", "1"], inSection: "t") == .loading)
    #expect(try controller.reveal(path: ["B"]) == .revealed)
    table.loads[0].finish([leaf("1")])
    #expect(controller.indexPath(of: "1") == TreeIndexPath(section: 0, row: 1))
  }

  // MARK: Accordion

  @Test func theAccordionClosesOpenSiblingsInOneChange() throws {
    let (controller, table) = try shownController(Self.forest)
    controller.opensOnePerLevel = true
    try controller.expand("A")
    try controller.expand("a")
    table.log = []
    try controller.expand("B")
    #expect(table.shown == ["A", "B", "4", "C"])
    #expect(
      table.log == [
        "should B expanded", "will B expanded", "should A collapsed", "will A collapsed", "did A collapsed",
        "did B expanded", "changed 4 deleted, 1 inserted",
      ])
    try controller.expand("A")
    #expect(table.shown == ["A", "a", "1", "b", "3", "B", "C"])
  }

  @Test func theAccordionLeavesOtherLevelsAndWhatTheDelegateForbids() throws {
    let (controller, table) = try shownController(Self.forest)
    controller.opensOnePerLevel = true
    try controller.expand("A")
    try controller.expand("a")
    #expect(table.shown == ["A", "a", "1", "b", "3", "B", "C"])
    table.should = { item, state in item.id != "A" || state == .expanded }
    try controller.expand("B")
    #expect(table.shown == ["A", "a", "1", "b", "3", "B", "4", "C"])
  }

  // MARK: Updates

  @Test func severalEditsAreToldOnceBeforeTheCompletion() throws {
    let (controller, table) = try shownController(Self.forest)
    controller.update { tree in
      #expect(throws: Never.self) {
        try controller.expand("A")
        try tree.append([leaf("D")])
        try controller.update({ tree throws(TreeError) in try tree.append([leaf("E")]) }) {
          table.log.append("inner")
        }
        try controller.expand("B")
      }
      table.log = []
    } completion: {
      table.log.append("outer")
    }
    #expect(table.log == ["changed 5 inserted", "inner", "outer"])
    #expect(table.shown == ["A", "a", "3", "B", "4", "C", "D", "E"])
  }

  @Test func theCompletionRunsOnceAlsoWhenTheBodyThrowsOrChangesNothing() throws {
    struct Stop: Error {}
    let (controller, table) = try shownController(Self.forest)
    var completed = 0
    #expect(throws: Stop.self) {
      try controller.update({ tree in
        try tree.append([leaf("D")])
        throw Stop()
      }) { completed += 1 }
    }
    #expect(completed == 1)
    #expect(table.log == ["changed 1 inserted"])
    controller.update { _ in
    } completion: {
      completed += 1
    }
    #expect(completed == 2)
    #expect(table.deliveries.count == 1)
  }

  @Test func whatACompletionEditsIsTheNextDelivery() throws {
    let (controller, table) = try shownController(Self.forest)
    var completed = 0
    try controller.update({ tree throws(TreeError) in try tree.append([leaf("D")]) }) {
      #expect(throws: Never.self) {
        try controller.update({ tree throws(TreeError) in try tree.append([leaf("E")]) }) { completed += 1 }
      }
      completed += 1
    }
    #expect(table.log == ["changed 1 inserted", "changed 1 inserted"])
    #expect(completed == 2)
  }
}
