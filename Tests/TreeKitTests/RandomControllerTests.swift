import Testing

@testable import TreeKit

/// A table with sections that knows only what it is told, and takes inserted rows from the controller as a table does.
private final class SectionTable: TreeControllerDelegate {
  var sections: [[String]] = []
  var deliveries = 0

  func controller(_ controller: TestController, changed changes: TreeChanges) {
    deliveries += 1
    let new = content(controller)
    guard !changes.isReload else {
      sections = new
      return
    }
    var result: [[String?]?] = Array(repeating: nil, count: new.count)
    var gone = Set(changes.deletedSections.joined())
    var moved: [Int: Int] = [:]
    for move in changes.movedSections {
      for place in 0..<move.count {
        gone.insert(move.from + place)
        moved[move.from + place] = move.to + place
        result[move.to + place] = sections[move.from + place]
      }
    }
    for section in changes.insertedSections.joined() {
      #expect(result[section] == nil)
      result[section] = new[section]
    }
    // The sections that stay keep their order; in these rows may change.
    var rest = sections.indices.filter { !gone.contains($0) }[...]
    var stay: [Int: Int] = [:]
    for section in result.indices where result[section] == nil { stay[section] = rest.popFirst() }
    #expect(rest.isEmpty)
    for (section, old) in stay {
      var kept: [String?] = sections[old]
      for rows in changes.deletedRows where rows.section == old { rows.rows.forEach { kept[$0] = nil } }
      for move in changes.movedIndexPaths where move.from.section == old { kept[move.from.row] = nil }
      var row: [String?] = Array(repeating: nil, count: new[section].count)
      for rows in changes.insertedRows where rows.section == section {
        rows.rows.forEach { row[$0] = new[section][$0] }
      }
      for move in changes.movedIndexPaths where move.to.section == section {
        #expect(row[move.to.row] == nil)
        row[move.to.row] = sections[move.from.section][move.from.row]
      }
      var left = kept.compactMap { $0 }[...]
      for place in row.indices where row[place] == nil { row[place] = left.popFirst() }
      #expect(left.isEmpty)
      result[section] = row
    }
    sections = result.map { ($0 ?? []).compactMap { $0 } }
    #expect(sections == new)
  }

  func content(_ controller: TestController) -> [[String]] {
    (0..<controller.sectionCount).map { section in
      (0..<controller.numberOfRows(inSection: section)).compactMap {
        controller.item(at: TreeIndexPath(section: section, row: $0))?.id
      }
    }
  }
}

@Suite struct RandomControllerTests {
  @Test(arguments: [false, true]) func aTableFollowsWhateverIsEdited(_ hasSections: Bool) throws {
    var numbers = Numbers.ofRun("sections", hasSections)
    let controller = TestController(options: TreeOptions(hasSections: hasSections, openLevels: 1))
    let table = SectionTable()
    controller.delegate = table
    try controller.setItems([leaf("a0")])
    var next = 1

    func edit(_ tree: Tree<String, Int>) throws {
      let nodes = tree.rows.map(\.node)
      let node = nodes.randomElement(using: &numbers)
      let id = "a\(next)"
      next += 1
      let section = Bool.random(using: &numbers) ? "s\(Int.random(in: 0..<4, using: &numbers))" : nil
      let item = TestItem(id, value: 0, children: .leaf, sectionName: section)
      switch Int.random(in: 0..<12, using: &numbers) {
      case 0, 1: try tree.insert(item)
      case 2, 3, 4: try tree.insert(item, under: node)
      case 5: if let node, tree.count > 30 { try tree.delete(node) }
      case 6:
        let other = nodes.randomElement(using: &numbers)
        guard let node, node != other, other.map({ !tree.isNode($0, below: node) }) ?? true else { return }
        try tree.move(node, under: other, at: other == nil ? nil : 0)
      case 7:
        guard let node else { return }
        try tree.replace(
          node, with: TestItem(tree.id(of: node), value: next, children: .unchanged, sectionName: section))
      case 8:
        let items = try tree.children(of: node).shuffled(using: &numbers).map { try tree.item(at: $0) }
        if node == nil || tree.childCount(of: node) > 0 { try tree.replace(childrenOf: node, using: items) }
      default: if let node, tree.isExpandable(node) { try tree.toggle(node) }
      }
    }

    for _ in 0..<400 {
      let before = table.sections
      let deliveries = table.deliveries
      try controller.update { tree in
        for _ in 0..<Int.random(in: 1..<6, using: &numbers) { try edit(tree) }
        // What is asked meanwhile is what was told, but for what is no more.
        #expect(controller.sectionCount == before.count)
        let living = before.map { $0.filter { tree.find($0).flatMap { tree.row(of: $0) } != nil } }
        #expect(table.content(controller).map { $0.filter { living.joined().contains($0) } } == living)
        for (section, rows) in before.enumerated() {
          for (row, id) in rows.enumerated() where living[section].contains(id) {
            #expect(controller.indexPath(of: id) == TreeIndexPath(section: section, row: row))
          }
        }
      }
      #expect(table.deliveries <= deliveries + 1)
      #expect(table.sections == table.content(controller))
    }
  }
}
