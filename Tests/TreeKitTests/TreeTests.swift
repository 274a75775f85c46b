import Testing

@testable import TreeKit

private typealias Item = TreeItem<String, Int>

/// "A+[x y*[z]]" as the rows are written in the descriptions of behaviour: here one line a row, indented.
private func drawn<ID, Value>(_ tree: Tree<ID, Value>) -> [String] {
  tree.rows.map { String(repeating: " ", count: $0.level) + "\($0.item.id)" }
}

@Suite struct TreeTests {
  @Test func rowsAreTheVisibleNodesInPreorder() throws {
    let tree = Tree<String, Int>()
    try tree.insert(contentsOf: [loaded("A", [leaf("1"), loaded("2", [leaf("x")])]), leaf("B")])
    #expect(drawn(tree) == ["A", "B"])
    try tree.expand(#require(tree.find("A")))
    #expect(drawn(tree) == ["A", " 1", " 2", "B"])
    try tree.expandAll()
    #expect(drawn(tree) == ["A", " 1", " 2", "  x", "B"])
    #expect(tree.rows.map(\.position) == [0, 0, 1, 0, 1])
    #expect(tree.rows.map(\.siblingCount) == [2, 2, 2, 1, 2])
    try tree.collapse(#require(tree.find("A")))
    #expect(drawn(tree) == ["A", "B"])
    try tree.expand(#require(tree.find("A")))
    #expect(drawn(tree) == ["A", " 1", " 2", "  x", "B"])
    #expect(tree.count == 5)
  }

  @Test func rowNodeAndIndexPathAgree() throws {
    let tree = Tree<String, Int>(options: TreeOptions(openLevels: .max))
    try tree.insert(contentsOf: [loaded("A", [leaf("1"), leaf("2")]), leaf("B")])
    for row in 0..<tree.rowCount {
      let node = try #require(tree.node(atRow: row))
      #expect(tree.row(of: node) == row)
      let path = try #require(tree.indexPath(of: node))
      #expect(path == TreeIndexPath(section: 0, row: row))
      #expect(tree.node(at: path) == node)
    }
    #expect(tree.node(atRow: -1) == nil)
    #expect(tree.node(atRow: 4) == nil)
    #expect(tree.node(at: TreeIndexPath(section: 1, row: 0)) == nil)
  }

  @Test func insertingBeforeASiblingCountsPositionsAnew() throws {
    let tree = Tree<String, Int>()
    try tree.insert(contentsOf: [leaf("a"), leaf("b"), leaf("c")])
    try tree.insert(leaf("x"), at: 1)
    #expect(
      tree.rows.map { "\($0.item.id) \($0.position + 1)/\($0.siblingCount)" } == ["a 1/4", "x 2/4", "b 3/4", "c 4/4"])
  }

  @Test func aSecondUseOfAnIdentifierNamesBothPlacesAndChangesNothing() throws {
    let tree = Tree<String, Int>(options: TreeOptions(openLevels: .max))
    try tree.insert(contentsOf: [loaded("A", [leaf("1")]), leaf("B")])
    let one = try #require(tree.find("1"))
    #expect(throws: TreeError.duplicate(item: [0], other: .node(one))) { try tree.insert(leaf("1")) }
    #expect(throws: TreeError.duplicate(item: [1, 1], other: .node(one))) {
      try tree.insert(contentsOf: [leaf("y"), loaded("z", [leaf("w"), leaf("1")])])
    }
    #expect(throws: TreeError.duplicate(item: [1, 0], other: .items([0]))) {
      try tree.insert(contentsOf: [leaf("y"), loaded("z", [leaf("y")])])
    }
    #expect(throws: TreeError.duplicate(item: [1], other: .node(one))) {
      try tree.replace(childrenOf: tree.find("B"), using: [leaf("2"), leaf("1")])
    }
    #expect(drawn(tree) == ["A", " 1", "B"])
    #expect(tree.pool.living == 3)
  }

  @Test func aRemovedNodeIsStaleForEver() throws {
    let tree = Tree<String, Int>()
    let old = try tree.insert(leaf("a"))
    try tree.delete(old)
    let new = try tree.insert(leaf("a"))
    #expect(old != new)
    #expect(!tree.contains(old))
    #expect(throws: TreeError.staleNode) { try tree.item(at: old) }
    #expect(throws: TreeError.staleNode) { try tree.delete(old) }
    #expect(throws: TreeError.staleNode) { try tree.expand(old) }
    #expect(throws: TreeError.staleNode) { try tree.children(of: old) }
    #expect(tree.row(of: old) == nil)
  }

  @Test func aNodeNeverMovesBelowItself() throws {
    let tree = Tree<String, Int>(options: TreeOptions(openLevels: .max))
    try tree.insert(contentsOf: [loaded("A", [loaded("B", [leaf("C")])]), leaf("D")])
    let a = try #require(tree.find("A"))
    #expect(throws: TreeError.cycle) { try tree.move(a, under: tree.find("C")) }
    try tree.move(#require(tree.find("B")), under: nil, at: 0)
    #expect(drawn(tree) == ["B", " C", "A", "D"])
    #expect(throws: TreeError.outOfRange) { try tree.move(a, under: nil, at: 3) }
  }

  @Test func reconcileKeepsNodesAndWhatIsOpen() throws {
    let tree = Tree<String, Int>()
    try tree.insert(contentsOf: [loaded("A", [leaf("1")]), loaded("B", [leaf("2")])])
    let a = try #require(tree.find("A"))
    try tree.expand(a)
    try tree.replace(
      childrenOf: nil, using: [leaf("N"), loaded("B", [leaf("3")]), Item("A", value: 7, children: .unchanged)])
    #expect(drawn(tree) == ["N", "B", "A", " 1"])
    #expect(tree.find("A") == a)
    #expect(try tree.value(of: a) == 7)
    #expect(tree.find("2") == nil)
  }

  @Test func equalValuesKeepTheirRevision() throws {
    let tree = Tree<String, Int>()
    let a = try tree.insert(Item("a", value: 1))
    let b = try tree.insert(Item("b", value: 2, cellIdentifier: "x"))
    let before = try (tree.info(a).revision, tree.info(b).revision)
    try tree.replace(childrenOf: nil, using: [Item("a", value: 1), Item("b", value: 2, cellIdentifier: "x")])
    #expect(try (tree.info(a).revision, tree.info(b).revision) == before)
    try tree.replace(childrenOf: nil, using: [Item("a", value: 5), Item("b", value: 2, cellIdentifier: "y")])
    #expect(try tree.info(a).revision != before.0)
    #expect(try tree.info(b).revision != before.1)
  }

  @Test func aSubtreeReadBackIsWhatWasHandedIn() throws {
    let tree = Tree<String, Int>()
    let item = Item(
      "A", value: 1,
      children: .loaded([
        Item("1", value: 2, cellIdentifier: "cell"), loaded("2", [leaf("x"), loaded("y", [])]),
        Item("3", value: 3, children: .unloaded),
      ]))
    let node = try tree.insert(item)
    try tree.insert(leaf("B"))
    #expect(try tree.subtree(of: node) == item)
    #expect(try tree.item(at: node) == item.copyWithChildren(.unchanged))
  }

  @Test func oneNameMayStandInManyFolders() throws {
    let tree = Tree<String, Int>(options: TreeOptions(scope: .siblings, openLevels: .max))
    try tree.insert(contentsOf: [loaded("a", [leaf("x")]), loaded("b", [leaf("x")])])
    let first = try #require(tree.find(path: ["a", "x"]))
    let second = try #require(tree.find(path: ["b", "x"]))
    #expect(first != second)
    #expect(tree.find("x") == nil)
    try tree.delete(first)
    #expect(drawn(tree) == ["a", "b", " x"])
    #expect(throws: TreeError.self) { try tree.insert(leaf("x"), under: tree.find(path: ["b"])) }
  }

  @Test func valuesAreLetGoExactlyOnce() throws {
    do {
      let tree = Tree<Int, Counted>()
      try tree.insert(TreeItem(1, value: Counted(), children: .loaded([TreeItem(2, value: Counted())])))
      #expect(Counted.living == 2)
      try tree.setValue(of: #require(tree.find(1)), to: Counted())
      #expect(Counted.living == 2)
      try tree.replace(childrenOf: nil, using: [TreeItem(1, value: Counted(), children: .unchanged)])
      #expect(Counted.living == 2)
      #expect(throws: TreeError.self) { try tree.insert(TreeItem(1, value: Counted())) }
      #expect(Counted.living == 2)
      try tree.delete(#require(tree.find(2)))
      #expect(Counted.living == 1)
      try tree.insert(TreeItem(3, value: Counted()))
      #expect(Counted.living == 2)
    }
    #expect(Counted.living == 0)
  }

  @Test func aValueThatEditsTheTreeWhileItGoesIsFine() throws {
    let tree = Tree<Int, Editing>()
    let node = try tree.insert(TreeItem(1, value: Editing(tree)))
    try tree.delete(node)
    #expect(tree.rows.map(\.item.id) == [99])
  }

  @Test func aMillionLevelsGoThroughEveryCall() throws {
    var item = TreeItem<Int, Int>(0, value: 0)
    for level in 1..<1_000_000 { item = TreeItem(level, value: level, children: [item]) }
    let tree = Tree<Int, Int>()
    let top = try tree.insert(item)
    try tree.expandAll()
    #expect(tree.rowCount == 1_000_000)
    #expect(tree.rows(in: 999_999..<1_000_000).first?.level == 999_999)
    #expect((try tree.subtree(of: top) == item) == true)
    try tree.replace(childrenOf: nil, using: [item])
    try tree.collapse(top)
    #expect(tree.rowCount == 1)
    try tree.reveal(#require(tree.find(0)))
    #expect(tree.rowCount == 1_000_000)
    try tree.delete(top)
    #expect(tree.count == 0)
  }
}

private final class Counted {
  nonisolated(unsafe) static var living = 0
  init() { Counted.living += 1 }
  deinit { Counted.living -= 1 }
}

private final class Editing {
  unowned let tree: Tree<Int, Editing>?
  init(_ tree: Tree<Int, Editing>?) { self.tree = tree }
  deinit { _ = try? tree?.insert(TreeItem(99, value: Editing(nil))) }
}
