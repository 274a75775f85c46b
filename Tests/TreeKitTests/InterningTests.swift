import Foundation
import Testing

@testable import TreeKit

/// An identifier that lends neither a number nor bytes.
private struct Place: Hashable, Sendable {
  var country: String
  var number: Int
}

@Suite struct InterningTests {
  @Test(arguments: [false, true]) func anyHashableNamesItems(_ hasSections: Bool) throws {
    let controller = TreeController<Place, Int>(interning: TreeOptions(hasSections: hasSections))
    let a = Place(country: "A", number: 1)
    let b = Place(country: "A", number: 2)
    try controller.setItems([TreeItem(a, value: 1, children: [TreeItem(b, value: 2)])])
    #expect(controller.item(for: b)?.value == 2)
    #expect(controller.item(for: Place(country: "B", number: 1)) == nil)
    try controller.expand(a)
    #expect(controller.rows(in: 0..<2).map(\.item.id) == [a, b])
    try controller.setNewVersionOfItem(TreeItem(a, value: 5, children: .unchanged))
    #expect(controller.item(for: a)?.value == 5)
    #expect(throws: TreeError.self) { try controller.update { tree in try tree.insert(TreeItem(b, value: 0)) } }
    try controller.setItems([TreeItem(b, value: 2)])
    #expect(controller.rows(in: 0..<1).map(\.item.id) == [b])
  }

  @Test func identifiersAreKeptOnlyWhileAValueIs() throws {
    let table = InternTable<UUID>()
    let coding = IdentifierCoding(interning: table, isTagged: false)
    let tree = Tree<UUID, Int>(TreeOptions(), coding, { $0 == $1 })
    tree.pool.letGo = { table.letGo($0) }
    let ids = (0..<100).map { _ in UUID() }
    for _ in 0..<3 {
      try tree.replace(childrenOf: nil, using: ids.map { TreeItem($0, value: 0) })
      #expect(table.count == 100)
      for id in ids { try tree.setValue(of: #require(tree.find(id)), to: 7) }
    }
    #expect(throws: TreeError.self) {
      try tree.insert(contentsOf: [TreeItem(UUID(), value: 0), TreeItem(ids[0], value: 0)])
    }
    #expect(table.count == 100)
    try tree.delete(#require(tree.find(ids[5])))
    #expect(table.count == 99)
    tree.deleteAll()
    #expect(table.count == 0)
  }
}
