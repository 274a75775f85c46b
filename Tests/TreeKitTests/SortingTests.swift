import Testing

@testable import TreeKit

struct SortingTests {
  @Test func childrenComeInOrderAndStayWhatTheyWere() throws {
    let (controller, table) = try shownController([
      loaded("p", [leaf("c", 1), loaded("a", [leaf("z"), leaf("y")]), leaf("d", 1), leaf("b", 1)]), leaf("o"),
    ])
    let tree = controller.tree
    try controller.update { tree in try tree.expand(["p", "a"]) }
    let a = tree.find("a")
    table.deliveries = []
    try controller.sortChildren(of: "p") { $0.id < $1.id }
    #expect(table.shown == ["p", "a", "z", "y", "b", "c", "d", "o"] && tree.find("a") == a)
    // Moves only, and nothing looks changed: a with its rows, and b, go before c.
    #expect(table.deliveries.count == 1)
    #expect(table.deliveries[0].insertedIndexPaths.isEmpty && table.deliveries[0].deletedIndexPaths.isEmpty)
    #expect(table.deliveries[0].movedIndexPaths.count == 2)
    #expect(tree.pool.living == 8)
    // What is in order, or equal, does not move.
    table.deliveries = []
    try controller.sortChildren(of: "p") { $0.id < $1.id }
    try controller.sortChildren(of: "p") { $0.value < $1.value }
    #expect(table.deliveries.isEmpty)
    try controller.update { tree in try tree.sortAll { $0.id < $1.id } }
    #expect(table.shown == ["o", "p", "a", "y", "z", "b", "c", "d"])
    #expect(throws: TreeError.unknownIdentifier) { try controller.sortChildren(of: "q") { $0.id < $1.id } }
  }

  @Test func aLoadUnderWayGoesOn() throws {
    let tree = Tree<String, Int>()
    try tree.append([loaded("p", [leaf("b"), leaf("a")])])
    let p = try #require(tree.find("p"))
    let ticket = try tree.beginLoad(of: p, reload: true)
    try tree.sortChildren(of: p) { $0.id < $1.id }
    try tree.finish(ticket, with: [leaf("c")])
    #expect(try tree.subtree(of: p) == loaded("p", [leaf("c")]))
  }

  @Test func sectionsKeepTheirOrderAndSortWithin() throws {
    let tree = Tree<Int, Int>(options: TreeOptions(hasSections: true))
    try tree.append([(3, "s"), (9, "t"), (1, "s"), (2, "t")].map { TreeItem($0.0, value: 0, sectionName: $0.1) })
    try tree.sortChildren(of: nil) { $0.id < $1.id }
    #expect(tree.rootItems.map(\.id) == [1, 3, 2, 9])
    try tree.sortAll { $0.id > $1.id }
    #expect(tree.rootItems.map(\.id) == [3, 1, 9, 2])
  }
}

struct ControllerEditingTests {
  @Test func eachEditIsToldOnce() throws {
    let (controller, table) = try shownController([leaf("a"), leaf("b")])
    try controller.append([leaf("c"), loaded("d", [leaf("x")])])
    try controller.insert([leaf("1")], before: "a")
    try controller.insert([leaf("2")], after: "a")
    try controller.move("b", under: "d", at: 0)
    try controller.setValue(of: "1", to: 7)
    try controller.delete(["2"])
    try controller.append([leaf("y")], to: "d")
    let builder = TreeBuilder(for: controller.tree)
    try builder.add("e", value: 0, level: 0)
    try controller.append(builder)
    #expect(table.deliveries.count == 7)
    #expect(table.shown == ["1", "a", "c", "d", "e"])
    try controller.replace(childrenOf: "d", using: [leaf("x")])
    try controller.expand("d")
    #expect(table.shown == ["1", "a", "c", "d", "x", "e"])
  }
}
