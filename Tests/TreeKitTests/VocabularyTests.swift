import Testing

@testable import TreeKit

/// What goes by the names that section snapshots have, by identifiers.
struct VocabularyTests {
  let tree = Tree<String, Int>()

  init() throws {
    try tree.append([loaded("a", [leaf("b"), loaded("c", [leaf("d")])]), folder("e")])
  }

  private var ids: [String] { tree.visibleItems.map(\.id) }

  @Test func appendAndInsertPutItemsWhereTheySay() throws {
    try tree.append([leaf("z")])
    try tree.append([leaf("y"), leaf("x")], to: "a")
    try tree.insert([leaf("1"), leaf("2")], before: "a")
    try tree.insert([leaf("3"), leaf("4")], after: "a")
    try tree.insert([leaf("5")], after: "d")
    try tree.expand(["a", "c"])
    #expect(ids == ["1", "2", "a", "b", "c", "d", "5", "y", "x", "3", "4", "e", "z"])
    #expect(tree.rootItems.map(\.id) == ["1", "2", "a", "3", "4", "e", "z"])
  }

  @Test func readsTellWhereAnItemIs() throws {
    try tree.expand(["c"])
    #expect(tree.contains("d") && !tree.contains("q"))
    #expect(tree.isExpanded("c") && !tree.isExpanded("a") && !tree.isExpanded("q"))
    #expect(!tree.isVisible("d") && tree.isVisible("a") && !tree.isVisible("q"))
    #expect(try tree.level(of: "d") == 2 && tree.level(of: "a") == 0)
    #expect(try tree.parent(of: "d") == "c" && tree.parent(of: "a") == nil)
    #expect(try tree.subtree(of: "c") == loaded("c", [leaf("d")]))
    #expect(tree.item(for: "e") == folder("e") && tree.item(for: "q") == nil)
  }

  @Test func severalOpenAndCloseOrNone() throws {
    #expect(throws: TreeError.unknownIdentifier) { try tree.expand(["a", "q"]) }
    #expect(throws: TreeError.leaf) { try tree.expand(["a", "b"]) }
    #expect(ids == ["a", "e"])
    try tree.expand(["c", "a"])
    #expect(ids == ["a", "b", "c", "d", "e"])
    #expect(throws: TreeError.unknownIdentifier) { try tree.collapse(["a", "q"]) }
    try tree.collapse(["c", "b"])
    #expect(ids == ["a", "b", "c", "e"])
  }

  @Test func deleteTakesWhatIsBelowAndAllOrNone() throws {
    #expect(throws: TreeError.unknownIdentifier) { try tree.delete(["e", "q"]) }
    #expect(tree.count == 5)
    try tree.delete(["c", "d", "e"])
    #expect(try tree.subtree(of: "a") == loaded("a", [leaf("b")]) && tree.count == 2)
  }

  @Test func replaceKeepsWhatIsFoundAgain() throws {
    try tree.expand(["a", "c"])
    let c = tree.find("c")
    try tree.replace(childrenOf: "a", using: [TreeItem("c", value: 9, children: .unchanged), leaf("n")])
    #expect(ids == ["a", "c", "d", "n", "e"] && tree.find("c") == c)
    try tree.setValue(of: "n", to: 5)
    #expect(try tree.value(of: #require(tree.find("n"))) == 5)
  }

  @Test func movesGoBesideASibling() throws {
    try tree.expand(["a", "c"])
    try tree.move("e", before: "b")
    #expect(ids == ["a", "e", "b", "c", "d"])
    try tree.move("e", after: "c")
    #expect(try ids == ["a", "b", "c", "d", "e"] && tree.parent(of: "e") == "a")
    try tree.move("b", after: "c")
    #expect(ids == ["a", "c", "d", "b", "e"])
    try tree.move("e", before: "c")
    #expect(ids == ["a", "e", "c", "d", "b"])
    try tree.move("d", under: "a", at: 0)
    #expect(ids == ["a", "d", "e", "c", "b"])
    #expect(throws: TreeError.cycle) { try tree.move("a", before: "d") }
    try tree.move("d", after: "d")
    #expect(ids == ["a", "d", "e", "c", "b"])
  }

  @Test func whatStandsBesideANodeStandsInItsSection() throws {
    let tree = Tree<Int, Int>(options: TreeOptions(hasSections: true))
    func item(_ id: Int, _ section: String?) -> TreeItem<Int, Int> {
      TreeItem(id, value: 0, sectionName: section)
    }
    try tree.append([item(1, "s"), item(2, "t")])
    #expect(throws: TreeError.outOfRange) { try tree.insert([item(3, "t")], before: 1) }
    try tree.insert([item(3, "t")], before: 2)
    #expect(throws: TreeError.outOfRange) { try tree.move(3, after: 1) }
    try tree.move(3, after: 2)
    #expect(tree.rootItems.map(\.id) == [1, 2, 3] && tree.sectionCount == 2)
  }

  @Test func amongSiblingsAnIdentifierAloneIsAmbiguous() throws {
    let tree = Tree<String, Int>(options: TreeOptions(scope: .siblings))
    try tree.append([leaf("a")])
    #expect(throws: TreeError.ambiguousScope) { try tree.level(of: "a") }
    #expect(throws: TreeError.ambiguousScope) { try tree.delete(["a"]) }
    #expect(tree.count == 1)
  }
}
