import Testing

@testable import TreeKit
@testable import TreeKitTesting

/// A tree of letters, of which some are open: what the data source of an outline answers from.
private final class Letters {
  var children: [String: String]
  var open: String
  var texts: [String: String] = [:]
  private var items: [String: TreeOutlineItem] = [:]

  /// - Parameter children: Of each letter, those of the top level under "".
  init(_ children: [String: String], open: String = "") {
    self.children = children
    self.open = open
  }

  func item(_ letter: String) -> TreeOutlineItem {
    if let item = items[letter] { return item }
    let item = TreeOutlineItem(TreeNode(living: UInt64(items.count + 1)))
    items[letter] = item
    return item
  }

  /// The item is another object from now on.
  func forget(_ letter: String) { items[letter] = nil }

  func letter(_ item: TreeOutlineItem?) -> String { items.first { $0.value === item }?.key ?? "" }

  var source: SimulatedOutlineSource<String> {
    SimulatedOutlineSource(
      numberOfChildren: { self.children[self.letter($0)]?.count ?? 0 },
      child: { self.item(String(Array(self.children[self.letter($1)] ?? "")[$0])) },
      isExpandable: { self.children[self.letter($0)] != nil },
      isExpanded: { self.open.contains(self.letter($0)) },
      cell: {
        let letter = self.letter($0)
        return letter.isEmpty ? nil : SimulatedCell(letter, text: self.texts[letter] ?? letter)
      })
  }
}

/// For each rule of outlines the smallest call that breaks it, and one beside it that does not.
@Suite struct OutlineRuleTests {
  private typealias Outline = SimulatedOutline<String>

  /// A(B C(D)) E, where A and C are open.
  private let letters = Letters(["": "AE", "A": "BC", "C": "D", "E": "F"], open: "AC")
  private let outline: SimulatedOutline<String>

  init() {
    outline = Outline(letters.source) { _ in }
    let open = letters.open
    letters.open = ""
    outline.layoutIfNeeded()
    for letter in open {
      letters.open.append(letter)
      outline.expandItem(letters.item(String(letter)))
    }
    #expect(outline.identifiers == ["A", "B", "C", "D", "E"])
    #expect(outline.cells.map(\.level) == [0, 1, 1, 2, 0])
  }

  private func item(_ letter: String) -> TreeOutlineItem { letters.item(letter) }

  /// The rules that calls break in an update; where none is, what is shown is what the data source has.
  private func broken(_ calls: () -> Void) -> [SimulatedRule] {
    let known = outline.violations.count
    withoutActuallyEscaping(calls) { calls in
      outline.prepareForUpdate()
      outline.performUpdate(calls)
    }
    if outline.violations.count == known { outline.verify() }
    return outline.violations.dropFirst(known).map(\.rule)
  }

  @Test func positionsAreThoseOfTheMoment() {
    #expect(
      broken {
        letters.children["A"] = "BCG"
        outline.insertItems(3..<4, under: item("A"))
      } == [.stepsCountAsTheyGo])
    #expect(
      broken {
        letters.children["A"] = "BCGH"
        outline.insertItems(3..<4, under: item("A"))
      } == [])
    #expect(broken { outline.removeItems(2..<5, under: item("A")) } == [.stepsCountAsTheyGo])
    #expect(
      broken {
        letters.children["A"] = "BH"
        outline.removeItems(1..<3, under: item("A"))
      } == [])
    #expect(outline.identifiers == ["A", "B", "H", "E"])
  }

  @Test func theDataSourceGoesAlongWithEachCall() {
    #expect(
      broken {
        letters.children["A"] = "GBC"
        letters.children[""] = "AEH"
        outline.insertItems(0..<1, under: item("A"))
        outline.insertItems(2..<3, under: nil)
      } == [])
    #expect(
      broken {
        outline.insertItems(0..<1, under: item("A"))
        letters.children["A"] = "IGBC"
      } == [.answersAfterEachCall])
    #expect(
      broken {
        letters.children["A"] = "GBC"
        outline.removeItems(1..<2, under: item("A"))
      } == [.answersAfterEachCall])
    #expect(broken { letters.children[""] = "A" } == [.stepsAddUp])
  }

  @Test func nothingIsToldBelowWhatIsClosed() {
    letters.children["E"] = "FG"
    #expect(broken {} == [])
    #expect(broken { outline.insertItems(1..<2, under: item("E")) } == [.nothingBelowClosedItems])
    #expect(broken { outline.removeItems(0..<1, under: item("F")) } == [.nothingBelowClosedItems])
    #expect(broken { outline.moveItem(0, under: nil, to: 0, under: item("E")) } == [.nothingBelowClosedItems])
    letters.open = "C"
    outline.collapseItem(item("A"))
    #expect(outline.identifiers == ["A", "E"])
    #expect(broken { outline.removeItems(0..<1, under: item("C")) } == [.nothingBelowClosedItems])
  }

  @Test func aRemovalTakesAlongWhatIsShownBelow() {
    #expect(
      broken {
        letters.children[""] = "E"
        letters.open = ""
        outline.removeItems(0..<1, under: nil)
      } == [])
    #expect(outline.identifiers == ["E"])
    #expect(broken { outline.removeItems(0..<1, under: item("C")) } == [.nothingBelowClosedItems])
  }

  @Test func aMoveCountsItsTargetWithoutWhatMoves() {
    #expect(
      broken {
        letters.children["A"] = "CB"
        outline.moveItem(0, under: item("A"), to: 2, under: item("A"))
      } == [.stepsCountAsTheyGo])
    #expect(
      broken {
        letters.children["A"] = "BC"
        outline.moveItem(0, under: item("A"), to: 1, under: item("A"))
      } == [])
    #expect(outline.identifiers == ["A", "B", "C", "D", "E"])
    #expect(broken { outline.moveItem(1, under: nil, to: 1, under: nil) } == [.movesLeadElsewhere])
    #expect(
      broken {
        letters.children["A"] = "B"
        letters.children[""] = "AEC"
        outline.moveItem(1, under: item("A"), to: 2, under: nil)
      } == [])
    #expect(outline.identifiers == ["A", "B", "E", "C", "D"])
  }

  @Test func nothingMovesBelowItself() {
    #expect(broken { outline.moveItem(0, under: nil, to: 0, under: item("A")) } == [.neverBelowItself])
    #expect(
      broken {
        letters.children[""] = "A"
        letters.children["C"] = "DE"
        outline.moveItem(1, under: nil, to: 1, under: item("C"))
      } == [])
    #expect(
      broken {
        letters.children[""] = ""
        letters.children["C"] = "DEA"
        outline.moveItem(0, under: nil, to: 2, under: item("C"))
      } == [.neverBelowItself])
  }

  @Test func itemsComeClosed() {
    letters.children["G"] = "H"
    #expect(
      broken {
        letters.children[""] = "AEG"
        letters.open = "ACG"
        outline.insertItems(2..<3, under: nil)
      } == [.itemsComeClosed])
    letters.children["I"] = "J"
    #expect(
      broken {
        letters.children[""] = "AEGI"
        outline.insertItems(3..<4, under: nil)
      } == [])
    letters.open = "ACGI"
    outline.expandItem(item("I"))
    #expect(outline.verify())
    letters.children["E"] = "K"
    letters.children["K"] = "L"
    letters.open = "ACGIEK"
    outline.expandItem(item("E"))
    #expect(outline.violations.last?.rule == .itemsComeClosed)
  }

  @Test func whatIsClosedOpensAndWhatIsOpenCloses() {
    let wrong: [() -> Void] = [
      { outline.expandItem(item("A")) }, { outline.expandItem(item("B")) }, { outline.expandItem(item("E")) },
      { outline.collapseItem(item("A")) }, { outline.collapseItem(item("E")) },
      { outline.performUpdate { outline.collapseItem(item("A")) } },
    ]
    for call in wrong { call() }
    #expect(outline.violations.map(\.rule) == wrong.map { _ in .opensAndClosesOnce })
    outline.expandItem(item("F"))
    #expect(outline.violations.last?.rule == .nothingBelowClosedItems)
    letters.open = "ACE"
    outline.expandItem(item("E"))
    letters.open = "E"
    outline.collapseItem(item("A"))
    #expect(outline.isExpanded(item("E")) && !outline.isExpanded(item("A")))
    #expect(outline.violations.count == wrong.count + 1)
    // What was not told shows when all is compared.
    #expect(outline.verify())
    letters.open = ""
    #expect(!outline.verify())
  }

  @Test func anItemIsTheSameObjectAsLongAsItIsShown() {
    letters.forget("B")
    #expect(broken {} == [.beginsWithWhatIsShown])
    #expect(
      broken {
        letters.children[""] = "AEB"
        outline.insertItems(2..<3, under: nil)
      } == [.identifiersAreUnique])
  }

  @Test func itemsAreReloadedInAnUpdateOfTheirOwn() {
    letters.texts["B"] = "b"
    #expect(!outline.verify())
    letters.texts["B"] = "bb"
    #expect(broken { outline.reloadItem(item("B")) } == [])
    #expect(
      broken {
        outline.reloadItem(item("B")); outline.reloadItem(item("B"))
      } == [.nothingTwice])
    #expect(broken { outline.reloadItem(item("F")) } == [.stepsCountAsTheyGo])
    #expect(
      broken {
        letters.children["A"] = "B"
        outline.removeItems(1..<2, under: item("A"))
        outline.reloadItem(item("B"))
      } == [.noReloadsBesideSteps])
    #expect(
      broken {
        outline.reloadItem(item("B"))
        letters.children["A"] = ""
        outline.removeItems(0..<1, under: item("A"))
      } == [.noReloadsBesideSteps])
  }

  @Test func nothingSwitchesOutsideOfUpdates() {
    letters.children["A"] = "B"
    outline.prepareForUpdate()
    letters.children["A"] = "C"
    outline.verify()
    letters.children["A"] = "CB"
    #expect(broken {} == [.countsSwitchInside])
    #expect(outline.violations.map(\.rule) == [.countsSwitchInside, .beginsWithWhatIsShown, .countsSwitchInside])
  }

  @Test func changesAreToldInsideOneUpdateAtATime() {
    outline.removeItems(0..<1, under: nil)
    #expect(broken { outline.performUpdate {} } == [.oneUpdateAtATime])
    #expect(broken { outline.reloadData() } == [.oneUpdateAtATime])
    outline.reloadData()
    outline.performUpdate {}
    #expect(
      outline.violations.map(\.rule) == [
        .changesInsideUpdate, .oneUpdateAtATime, .oneUpdateAtATime, .laidOutBeforeUpdate,
      ])
  }
}
