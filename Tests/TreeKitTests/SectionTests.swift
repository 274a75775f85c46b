import Testing

@testable import TreeKit

private typealias Item = TreeItem<Int, String>

private func item(_ id: Int, _ section: String?, _ children: Item.Children = .leaf) -> Item {
  Item(id, value: "", children: children, sectionName: section)
}

/// Each section as its name and the identifiers of its rows.
private func drawn(_ tree: Tree<Int, String>) -> [String] {
  (0..<tree.sectionCount).map { section in
    let rows = (0..<tree.numberOfRows(inSection: section)).compactMap { row in
      tree.node(at: TreeIndexPath(section: section, row: row)).flatMap { try? tree.id(of: $0) }
    }
    return "\(tree.sectionName(section) ?? "-") \(rows)"
  }
}

@Suite struct SectionTests {
  @Test func sectionsStandInOrderOfFirstAppearance() throws {
    let tree = Tree<Int, String>(options: TreeOptions(hasSections: true))
    try tree.insert(contentsOf: [item(1, "s"), item(2, "t"), item(3, "s"), item(4, nil)])
    #expect(drawn(tree) == ["s [1, 3]", "t [2]", "- [4]"])
    #expect(tree.rows.map(\.level) == [0, 0, 0, 0])
    #expect(tree.count == 4)
    #expect(try tree.children(of: nil).map { try tree.id(of: $0) } == [1, 3, 2, 4])
    #expect(try tree.parent(of: #require(tree.find(1))) == nil)
    #expect(try tree.level(of: #require(tree.find(1))) == 0)
  }

  @Test func anItemMayHaveTheNameOfASection() throws {
    let tree = Tree<String, Int>(options: TreeOptions(hasSections: true))
    try tree.insert(TreeItem("s", value: 1, sectionName: "s"))
    try tree.insert(TreeItem("", value: 2, sectionName: ""))
    try tree.insert(TreeItem("-", value: 3))
    #expect(tree.sectionCount == 3)
    #expect((0..<3).map { tree.sectionName($0) } == ["s", "", nil])
    #expect(try tree.value(of: #require(tree.find("s"))) == 1)
  }

  @Test func aSectionGoesWithItsLastItem() throws {
    let tree = Tree<Int, String>(options: TreeOptions(hasSections: true))
    try tree.insert(contentsOf: [item(1, "s"), item(2, "t", .loaded([item(5, nil)]))])
    try tree.delete(#require(tree.find(1)))
    #expect(drawn(tree) == ["t [2]"])
    try tree.expand(#require(tree.find(2)))
    #expect(drawn(tree) == ["t [2, 5]"])
    #expect(tree.indexPath(of: try #require(tree.find(5))) == TreeIndexPath(section: 0, row: 1))
  }

  @Test func aNewVersionInAnotherSectionMovesThere() throws {
    let tree = Tree<Int, String>(options: TreeOptions(hasSections: true))
    try tree.insert(contentsOf: [item(1, "s"), item(2, "t")])
    let node = try #require(tree.find(1))
    try tree.replace(node, with: item(1, "t"))
    #expect(drawn(tree) == ["t [2, 1]"])
    try tree.replace(childrenOf: nil, using: [item(2, "u"), item(1, "t"), item(3, "u")])
    #expect(drawn(tree) == ["u [2, 3]", "t [1]"])
    #expect(tree.find(1) == node)
  }

  @Test func anInsertThatFailsLeavesNoSection() throws {
    let tree = Tree<Int, String>(options: TreeOptions(hasSections: true))
    try tree.insert(item(1, "s"))
    let one = try #require(tree.find(1))
    #expect(throws: TreeError.duplicate(item: [1], other: .node(one))) {
      try tree.insert(contentsOf: [item(2, "t"), item(1, "u")])
    }
    #expect(drawn(tree) == ["s [1]"])
  }

  @Test func levelsCountWithoutSections() throws {
    let options = TreeOptions(hasSections: true, openLevels: 1)
    let tree = Tree<Int, String>(options: options)
    try tree.insert(item(1, "s", .loaded([item(2, nil, .loaded([item(3, nil)]))])))
    #expect(drawn(tree) == ["s [1, 2]"])
    try tree.collapseAll()
    #expect(drawn(tree) == ["s [1]"])
    try tree.expandAll(levels: 1)
    #expect(drawn(tree) == ["s [1, 2]"])
  }

  @Test func aHeaderThatLooksDifferentIsTold() throws {
    final class Table: TreeControllerDelegate {
      var told: [TreeChanges] = []
      func controller(_ controller: TreeController<Int, String>, changed changes: TreeChanges) {
        told.append(changes)
      }
    }
    for counts in [false, true] {
      var options = TreeOptions(hasSections: true)
      options.showsChildCounts = counts
      let controller = TreeController<Int, String>(options: options)
      let table = Table()
      controller.delegate = table
      try controller.setItems([item(1, "s"), item(2, "t"), item(3, "t")])
      try controller.update { tree throws(TreeError) in try tree.insert(item(4, "t")) }
      let changed = [TreeChanges.SectionMove(from: 1, to: 1, count: 1)]
      #expect(table.told.last?.changedSections == (counts ? changed : []))
      #expect(table.told.last?.insertedIndexPaths == [TreeIndexPath(section: 1, row: 2)])
      try controller.update { tree in
        try tree.insert(item(5, "s"))
        try tree.delete(#require(tree.find(4)))
        try tree.delete(#require(tree.find(5)))
        try tree.insert(item(6, "t"))
      }
      #expect(table.told.last?.changedSections == [])
    }
  }
}
