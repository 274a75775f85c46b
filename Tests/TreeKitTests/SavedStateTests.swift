import Foundation
import Testing

@testable import TreeKit

/// What is open and selected, saved and given back.
@Suite struct SavedStateTests {
  typealias State = TreeSavedState<String>

  static let forest = [loaded("A", [loaded("a", [leaf("1")]), leaf("2")]), loaded("B", [leaf("3")])]

  @Test func whatIsSavedIsGivenBack() throws {
    let (first, _) = try shownController(Self.forest)
    try first.expand("A")
    try first.expand("a")
    try first.select("1")
    try first.select("B")
    let (second, table) = try shownController(Self.forest)
    try second.restore(first.savedState())
    #expect(table.log == ["changed 3 inserted"])
    #expect(table.shown == ["A", "a", "1", "2", "B"])
    #expect(second.selectedItems.map(\.id) == ["1", "B"])
    #expect(try Set(second.savedState().entries) == Set(first.savedState().entries))
  }

  @Test func anUnknownIdentifierIsKeptUntilItsItemArrives() throws {
    let (controller, table) = try shownController([leaf("Z")])
    try controller.restore(State(expanded: ["A", "a"], selected: ["1", "a", "?"]))
    #expect(table.log == [])
    #expect(controller.tree.waitingCount == 4)
    #expect(try controller.savedState().entries.count == 4)
    try controller.setItems(Self.forest)
    #expect(table.shown == ["A", "a", "1", "2", "B"])
    #expect(controller.selectedItems.map(\.id) == ["a", "1"])
    #expect(controller.tree.waitingCount == 1)
    try controller.tree.forgetWaiting()
    #expect(controller.tree.waitingCount == 0)
  }

  @Test func whatOpensAsksForItsLoadOnce() throws {
    let (controller, table) = try shownController([folder("A"), leaf("B")])
    try controller.restore(State(expanded: ["A", "a", "B"]))
    try controller.restore(State(expanded: ["A"]))
    #expect(table.loads.map(\.item.id) == ["A"])
    table.loads[0].finish([folder("a")])
    #expect(table.loads.map(\.item.id) == ["A", "a"])
    table.loads[1].finish([leaf("1")])
    #expect(table.shown == ["A", "a", "1", "B"])
  }

  @Test func whatTheUserDidOutranksARestoreInProgress() throws {
    let controller = TestController(options: TreeOptions(scope: .siblings))
    let table = TableDelegate()
    controller.delegate = table
    try controller.setItems([folder("A"), folder("B")])
    try controller.restore(
      State([
        State.Entry(path: ["A"], isExpanded: true), State.Entry(path: ["A", "x"], isExpanded: true),
        State.Entry(path: ["B"], isExpanded: true), State.Entry(path: ["B", "x"], isExpanded: true),
      ]))
    try controller.collapse(#require(controller.tree.find(path: ["A"])))
    for load in table.loads { load.finish([loaded("x", [leaf("1")])]) }
    #expect(table.shown == ["A", "B", "x", "1"])
    try controller.expand(#require(controller.tree.find(path: ["A"])))
    #expect(table.shown == ["A", "x", "B", "x", "1"])
  }

  @Test func itemsThatWereClosedStayClosedWhereAllIsOpen() throws {
    let options = TreeOptions(openLevels: .max)
    let (first, _) = try shownController(Self.forest, options: options)
    try first.collapse("a")
    let (second, table) = try shownController(Self.forest, options: options)
    try second.restore(first.savedState())
    #expect(table.shown == ["A", "a", "2", "B", "3"])
  }

  @Test func oneIdentifierInSeveralPlacesIsNamedByItsPath() throws {
    let options = TreeOptions(scope: .siblings, hasSections: true)
    let forest = ["s", "t"].map { name in
      TestItem("A", value: 0, children: .loaded([loaded("A", [leaf("A")])]), sectionName: name)
    }
    let first = Tree<String, Int>(options: options)
    try first.insert(contentsOf: forest)
    let top = try first.children(of: nil)
    try first.expand(top[1])
    try first.select(#require(first.children(of: top[0]).first))
    let state = try first.savedState()
    #expect(
      Set(state.entries) == [
        State.Entry(path: ["A"], section: "t", isExpanded: true),
        State.Entry(path: ["A", "A"], section: "s", isSelected: true),
      ])
    let second = Tree<String, Int>(options: options)
    try second.restore(state)
    try second.insert(contentsOf: forest)
    #expect(try Set(second.savedState().entries) == Set(state.entries))
    #expect(second.rowCount == 3)
  }

  @Test func aPathIsNoNameWhereIdentifiersAreUnique() throws {
    let (controller, _) = try shownController(Self.forest)
    #expect(throws: TreeError.ambiguousScope) {
      try controller.restore(State([State.Entry(path: ["A", "a"], isExpanded: true)]))
    }
  }

  @Test func sectionsAreNotPartOfWhatIsSaved() throws {
    let tree = Tree<Int, Int>(options: TreeOptions(hasSections: true))
    try tree.insert(TreeItem(1, value: 0, children: .loaded([TreeItem(2, value: 0)]), sectionName: "s"))
    try tree.expandAll()
    #expect(try tree.savedState() == TreeSavedState(expanded: [1]))
  }

  @Test func identifiersOfAnyKindWait() throws {
    let tree = Tree<[Int], Int>(interning: TreeOptions())
    let state = TreeSavedState(expanded: [[1]], selected: [[1, 2]])
    try tree.restore(state)
    #expect(try Set(tree.savedState().entries) == Set(state.entries))
    try tree.insert(TreeItem([1], value: 0, children: .loaded([TreeItem([1, 2], value: 0)])))
    #expect(tree.rowCount == 2)
    #expect(try tree.selectedNodes.map { try tree.id(of: $0) } == [[1, 2]])
  }

  @Test func aNumberOrEmptyBytesWait() throws {
    let numbers = Tree<Int, Int>()
    try numbers.restore(TreeSavedState(expanded: [0, -1]))
    try numbers.insert(TreeItem(0, value: 0, children: .loaded([TreeItem(-1, value: 0, children: .loaded([]))])))
    #expect(numbers.rowCount == 2)
    let strings = Tree<String, Int>()
    try strings.restore(TreeSavedState(expanded: [""]))
    try strings.insert(loaded("", [leaf("\0")]))
    #expect(strings.rowCount == 2)
  }

  @Test func aStateIsCoded() throws {
    let state = State([
      State.Entry(path: ["a", "b"], section: "s", isExpanded: false), State.Entry(path: ["c"], isSelected: true),
    ])
    let copy = try JSONDecoder().decode(State.self, from: JSONEncoder().encode(state))
    #expect(copy == state)
  }
}
