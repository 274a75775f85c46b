import Testing

@testable import TreeKit

private struct Row {
  var key: String
  var parent: String?
  var name: Int
}

private struct Part {
  var number: Int
  var parts: [Part]?
}

/// A class, so that a chain of a million of them is made without nesting arrays.
private final class Link {
  let number: Int
  var next: [Link] = []
  init(_ number: Int) { self.number = number }
}

private func outline(_ tree: Tree<String, Int>) throws -> [String] {
  try tree.expandAll()
  return tree.rows.map { String(repeating: " ", count: $0.level) + $0.item.id }
}

struct BuilderTests {
  let tree = Tree<String, Int>()
  private let rows = [
    Row(key: "x", parent: "b", name: 1), Row(key: "a", parent: nil, name: 2), Row(key: "y", parent: "x", name: 3),
    Row(key: "b", parent: nil, name: 4), Row(key: "z", parent: "b", name: 5),
  ]

  @Test func aFlatListComesInAnyOrder() throws {
    let builder = TreeBuilder(for: tree)
    try builder.add(contentsOf: rows, id: \.key, parent: \.parent, value: \.name)
    #expect(builder.count == 5)
    try tree.append(builder)
    #expect(builder.count == 0)
    #expect(try outline(tree) == ["a", "b", " x", "  y", " z"])
    #expect(try tree.value(of: #require(tree.find("y"))) == 3)
    #expect(try tree.loadState(of: #require(tree.find("b"))) == .loaded)
    #expect(try tree.loadState(of: #require(tree.find("a"))) == .leaf)
  }

  @Test func faultsOfAFlatListChangeNothing() throws {
    try tree.insert(leaf("there"))
    func expect(_ error: TreeError, _ rows: [Row], _ source: SourceLocation = #_sourceLocation) throws {
      let builder = TreeBuilder(for: tree)
      try builder.add(contentsOf: rows, id: \.key, parent: \.parent, value: \.name)
      #expect(throws: error, sourceLocation: source) { try tree.append(builder) }
      #expect(tree.count == 1 && tree.pool.living == 1, sourceLocation: source)
      #expect(builder.count == 0, sourceLocation: source)
      // It is as good as new.
      try builder.add("again", value: 0, parent: nil)
      try tree.append(builder)
      try tree.delete(["again"])
    }
    try expect(.missingParent(item: 1), [rows[1], Row(key: "c", parent: "nobody", name: 0)])
    try expect(.missingParent(item: 0), [Row(key: "c", parent: "there", name: 0)])
    try expect(.cycle, [Row(key: "c", parent: "d", name: 0), Row(key: "d", parent: "c", name: 0), rows[1]])
    try expect(.cycle, [Row(key: "c", parent: "c", name: 0)])
    try expect(.duplicate(item: [5], other: .items([1])), rows + [Row(key: "a", parent: "b", name: 0)])
    try expect(.duplicate(item: [1], other: .items([0])), [rows[1], rows[1]])
    let there = try #require(tree.find("there"))
    try expect(.duplicate(item: [1], other: .node(there)), [rows[1], Row(key: "there", parent: "a", name: 0)])
  }

  @Test func namesOfParentsAreBytesToo() throws {
    let builder = TreeBuilder(for: tree)
    try builder.add("\u{e9}", value: 1, parent: nil)
    try builder.add("e\u{301}", value: 2, parent: nil)
    try builder.add("x", value: 3, parent: "e\u{301}")
    try tree.append(builder)
    #expect(try tree.parent(of: "x").map { Array($0.utf8) } == Array("e\u{301}".utf8))
  }

  @Test func linesOfAnOutlineComeByLevel() throws {
    let builder = TreeBuilder(for: tree)
    let lines = [("a", 0), ("b", 1), ("c", 2), ("d", 1), ("e", 0)]
    try builder.add(contentsOf: lines, id: \.0, level: \.1, value: { _ in 7 })
    #expect(throws: TreeError.outOfRange) { try builder.add("f", value: 0, level: 2) }
    try builder.add("f", value: 0, level: 1, isLeaf: false)
    try tree.append(builder)
    #expect(try outline(tree) == ["a", " b", "  c", " d", "e", " f"])
    #expect(try tree.loadState(of: #require(tree.find("f"))) == .unloaded)
  }

  @Test func objectsOfTheAppAreFollowedByAKeyPath() throws {
    let tree = Tree<Int, String>()
    let parts = [Part(number: 1, parts: [Part(number: 2, parts: []), Part(number: 3, parts: nil)])]
    let builder = TreeBuilder(for: tree)
    try builder.add(contentsOf: parts, id: \.number, children: \.parts, value: { "part \($0.number)" })
    try tree.append(builder)
    #expect(
      try tree.subtree(of: 1).children
        == .loaded([
          TreeItem(2, value: "part 2", children: .unloaded), TreeItem(3, value: "part 3"),
        ]))
  }

  @Test func aMillionLevelsNeedNoStack() throws {
    let tree = Tree<Int, Int>()
    let links = (0..<1_000_000).map(Link.init)
    for number in links.indices.dropLast() { links[number].next = [links[number + 1]] }
    defer { for link in links { link.next = [] } }
    let builder = TreeBuilder(for: tree)
    try builder.add(contentsOf: links[..<1], id: \.number, children: \.next, value: \.number)
    try tree.append(builder)
    #expect(try tree.level(of: 999_999) == 999_999)
    tree.deleteAll()
    // And the other way: each names its parent, the deepest first.
    for number in (0..<1_000_000).reversed() {
      try builder.add(number, value: 0, parent: number == 0 ? nil : number - 1)
    }
    try tree.append(builder)
    #expect(try tree.level(of: 999_999) == 999_999)
  }

  @Test func aBuilderThatIsDroppedGivesItsValuesBack() throws {
    do {
      let builder = TreeBuilder(for: tree)
      try builder.add("a", value: 1, level: 0)
      #expect(tree.pool.living == 1)
    }
    #expect(tree.pool.living == 0)
  }

  @Test func identifiersOfAnyKindNameParents() throws {
    struct Name: Hashable { var text: String }
    let tree = Tree<Name, Int>(interning: TreeOptions())
    let builder = TreeBuilder(for: tree)
    try builder.add(Name(text: "b"), value: 0, parent: Name(text: "a"))
    try builder.add(Name(text: "a"), value: 0, parent: nil)
    try tree.append(builder)
    #expect(try tree.parent(of: Name(text: "b")) == Name(text: "a"))
    try builder.add(Name(text: "c"), value: 0, parent: Name(text: "nobody"))
    #expect(throws: TreeError.missingParent(item: 0)) { try tree.append(builder) }
    #expect(tree.find(Name(text: "nobody")) == nil && tree.pool.living == 2)
  }

  @Test func amongSiblingsAnIdentifierNamesNoParent() throws {
    let tree = Tree<String, Int>(options: TreeOptions(scope: .siblings))
    let builder = TreeBuilder(for: tree)
    try builder.add("a", value: 0, parent: nil)
    #expect(throws: TreeError.ambiguousScope) { try builder.add("b", value: 0, parent: "a") }
    try builder.add("a", value: 0, level: 0)
    #expect(throws: TreeError.duplicate(item: [1], other: .items([0]))) { try tree.append(builder) }
    for (id, level) in [("a", 0), ("x", 1), ("b", 0), ("x", 1)] { try builder.add(id, value: 0, level: level) }
    try tree.append(builder)
    #expect(try outline(tree) == ["a", " x", "b", " x"])
  }

  @Test func aBuilderReplacesAndInsertsWhereItIsTold() throws {
    try tree.append([loaded("a", [leaf("b"), loaded("c", [leaf("d")])])])
    try tree.expand(["a", "c"])
    let c = try #require(tree.find("c"))
    let builder = TreeBuilder(for: tree)
    try builder.add(contentsOf: [("c", nil), ("e", "c")], id: \.0, parent: \.1, value: { _ in 0 })
    try tree.replace(childrenOf: tree.find("a"), using: builder)
    #expect(tree.visibleItems.map(\.id) == ["a", "c", "e"] && tree.find("c") == c)
    try builder.add("first", value: 0, level: 0)
    try tree.insert(builder, under: tree.find("a"), at: 0)
    #expect(tree.visibleItems.map(\.id) == ["a", "first", "c", "e"])
    try builder.add("far", value: 0, level: 0)
    #expect(throws: TreeError.outOfRange) { try tree.insert(builder, under: tree.find("a"), at: 9) }
    #expect(tree.pool.living == 4)
  }

  @Test func withSectionsABuilderFillsOne() throws {
    let tree = Tree<String, Int>(options: TreeOptions(hasSections: true))
    let builder = TreeBuilder(for: tree)
    try builder.add("b", value: 0, parent: "a")
    try builder.add("a", value: 0, parent: nil)
    try tree.append(builder, sectionName: "s")
    try builder.add("c", value: 0, level: 0)
    try tree.insert(builder, under: nil, at: 0, sectionName: "s")
    #expect(tree.rootItems.map(\.id) == ["c", "a"] && tree.rootItems.map(\.sectionName) == ["s", "s"])
    try builder.add("a", value: 0, level: 0)
    #expect(throws: TreeError.self) { try tree.append(builder, sectionName: "t") }
    #expect(tree.sectionCount == 1)
  }
}
