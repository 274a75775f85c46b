import Testing

@testable import TreeKit

private typealias Item = TreeItem<Int, String>

/// Counts how often it is let go.
private final class Witness {
  nonisolated(unsafe) static var living = 0
  init() { Witness.living += 1 }
  deinit { Witness.living -= 1 }
}

@Suite struct ItemTests {
  @Test func copyWithChildrenLeavesTheOriginalAsItIs() {
    let old = Item(1, value: "one", children: .unloaded, sectionName: "s", cellIdentifier: "c")
    let new = old.copyWithChildren(.loaded([Item(2, value: "two")]))
    #expect(old.children == .unloaded)
    #expect(new.id == 1 && new.value == "one" && new.sectionName == "s" && new.cellIdentifier == "c")
    #expect(new.children == .loaded([Item(2, value: "two")]))
    #expect(new.copyWithChildren(.unloaded) == old)
    #expect(old.copyWithChildren(nil).children == .leaf)
  }

  @Test func anEmptyListIsNotTheSameAsLoadedAndEmpty() {
    let listed = Item(1, value: "", children: [])
    let loaded = Item(1, value: "", children: .loaded([]))
    #expect(listed != loaded)
    #expect(listed == Item(1, value: "", children: []))
    #expect(Item(1, value: "", children: nil).children == .leaf)
  }

  @Test func itemsDifferInEveryPart() {
    let item = Item(1, value: "v", children: [Item(2, value: "w")], sectionName: "s", cellIdentifier: "c")
    let others = [
      Item(9, value: "v", children: [Item(2, value: "w")], sectionName: "s", cellIdentifier: "c"),
      Item(1, value: "x", children: [Item(2, value: "w")], sectionName: "s", cellIdentifier: "c"),
      Item(1, value: "v", children: [Item(2, value: "x")], sectionName: "s", cellIdentifier: "c"),
      Item(1, value: "v", children: [], sectionName: "s", cellIdentifier: "c"),
      Item(1, value: "v", children: .leaf, sectionName: "s", cellIdentifier: "c"),
      Item(1, value: "v", children: [Item(2, value: "w")], sectionName: nil, cellIdentifier: "c"),
      Item(1, value: "v", children: [Item(2, value: "w")], sectionName: "s", cellIdentifier: nil),
    ]
    for other in others {
      #expect(item != other)
      #expect(item.hashValue != other.hashValue)
    }
    let twin = Item(1, value: "v", children: [Item(2, value: "w")], sectionName: "s", cellIdentifier: "c")
    #expect(item == twin)
    #expect(item.hashValue == twin.hashValue)
  }

  @Test func aMillionLevelsAreBuiltComparedHashedAndReleased() {
    func chain(_ last: String) -> Item {
      var item = Item(0, value: last)
      for level in 1...1_000_000 { item = Item(level, value: "v", children: [item]) }
      return item
    }
    let one = chain("end")
    let other = chain("end")
    #expect(one == other)
    #expect(one.hashValue == other.hashValue)
    #expect((one == chain("other end")) == false)
    #expect("\(one)" == "1000000: v [1 children]")
  }

  @Test func releasingKeepsWhatOthersHold() {
    do {
      var part: TreeItem<Int, Witness>?
      do {
        let leaf = TreeItem(0, value: Witness())
        part = TreeItem(1, value: Witness(), children: [leaf, TreeItem(2, value: Witness())])
        _ = TreeItem(3, value: Witness(), children: [part!, TreeItem(4, value: Witness())])
      }
      #expect(Witness.living == 3)
      guard case .loaded(let held) = part?.children else { return }
      part = nil
      #expect(Witness.living == 2)
      #expect(held.map(\.id) == [0, 2])
    }
    #expect(Witness.living == 0)
  }
}
