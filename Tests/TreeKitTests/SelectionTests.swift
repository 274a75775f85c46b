import Testing

@testable import TreeKit

@Suite struct SelectionTests {
  static let forest = [loaded("A", [leaf("1"), leaf("2")]), leaf("B"), leaf("C")]

  private func selected(_ controller: TestController) -> [String] { controller.selectedItems.map(\.id) }

  @Test func selectingReportsNoRows() throws {
    let (controller, table) = try shownController(Self.forest)
    try controller.select("B")
    try controller.selectRows(in: 0..<2)
    try controller.selectAll()
    try controller.deselect("A")
    controller.update { _ in }
    #expect(table.log == [])
    #expect(selected(controller) == ["B", "C"])
    #expect(controller.isSelected("B") && !controller.isSelected("A") && !controller.isSelected("?"))
    try controller.deselectAll()
    #expect(selected(controller) == [] && controller.selectedCount == 0)
    #expect(throws: TreeError.unknownIdentifier) { try controller.select("?") }
  }

  @Test func whatIsHiddenStaysSelected() throws {
    let (controller, _) = try shownController(Self.forest)
    try controller.expand("A")
    try controller.selectRows(in: 1..<4)
    try controller.collapse("A")
    #expect(controller.selectedCount == 3)
    #expect(selected(controller).first == "B" && Set(selected(controller)) == ["1", "2", "B"])
    try controller.selectAll()
    #expect(controller.selectedCount == 5)
    try controller.expand("A")
    #expect(selected(controller) == ["A", "1", "2", "B", "C"])
  }

  @Test func whatIsRemovedIsDeselectedOnce() throws {
    let (controller, _) = try shownController(Self.forest)
    try controller.select("1")
    try controller.select("B")
    let node = try #require(controller.tree.find("1"))
    try controller.update { tree throws(TreeError) in try tree.delete(node) }
    #expect(selected(controller) == ["B"] && controller.selectedCount == 1)
    #expect(!controller.tree.isSelected(node))
    #expect(throws: TreeError.staleNode) { try controller.tree.select(node) }
    try controller.update { tree throws(TreeError) in try tree.append([leaf("1")]) }
    #expect(!controller.isSelected("1") && controller.selectedCount == 1)
  }

  @Test func whatMovesOrIsFoundAgainStaysSelected() throws {
    let (controller, _) = try shownController(Self.forest)
    try controller.select("B")
    try controller.select("2")
    try controller.setItems([leaf("C", 5), leaf("B", 1), loaded("A", [leaf("2")])])
    #expect(Set(selected(controller)) == ["B", "2"])
  }

  @Test func withinAnUpdateRowsCountAsTheyAreShown() throws {
    let (controller, _) = try shownController(Self.forest)
    try controller.update { tree in
      try tree.insert([leaf("0")], before: "A")
      try controller.selectRows(in: 1..<3)
      try tree.delete(#require(tree.find("C")))
      try controller.deselectRows(in: 1..<3)
      #expect(controller.selectedCount == 0)
      try controller.selectRows(in: 0..<3)
    }
    #expect(selected(controller) == ["A", "B"])
  }

  @Test func manyRowsAreSelectedInOnePass() throws {
    let controller = TreeController<Int, Int>()
    let items = (0..<200_000).map { TreeItem(-$0 - 1, value: $0) }
    try controller.setItems([TreeItem(1, value: 0, children: .loaded(items))])
    try controller.expandAll()
    try controller.selectAll()
    #expect(controller.selectedCount == 200_001)
    try controller.deselectRows(in: 1..<200_001)
    #expect(controller.selectedItems.map(\.id) == [1])
  }
}
