import TreeKit
import TreeKitTesting
import Testing

/// For each rule of a batch the smallest update that breaks it, and one beside it that does not.
@Suite struct BatchRuleTests {
  @Test func deletesCountInOldNumbersAndInsertsInNewOnes() {
    #expect(
      broken([1, 2], [2, 3]) {
        $0.delete(0); $0.insert(1)
      } == [])
    // The order of the calls means nothing.
    #expect(
      broken([1, 2], [2, 3]) {
        $0.insert(1); $0.delete(0)
      } == [])
    // The insert in numbers of before, the delete in those of after an insert.
    #expect(
      broken([1, 2], [2, 3]) {
        $0.delete(0); $0.insert(2)
      } == [.everyPathExists])
    #expect(
      broken([1, 2], [3, 1]) {
        $0.insert(0); $0.delete(2)
      } == [.everyPathExists])
  }

  @Test func everyPathExists() {
    #expect(broken([1], []) { $0.delete(1) } == [.everyPathExists])
    #expect(broken([1], []) { $0.delete(0, in: 1) } == [.everyPathExists])
    #expect(broken([1], []) { $0.delete(0) } == [])
    #expect(broken([1], [1]) { $0.reload(1) } == [.everyPathExists])
    #expect(broken([1], [1]) { $0.reload(0) } == [])
    #expect(broken([Section("a", [])], []) { $0.deleteSections(1..<2) } == [.everyPathExists])
    #expect(broken([Section("a", [])], []) { $0.deleteSections(0..<1) } == [])
    #expect(broken([], [Section("a", [])]) { $0.insertSections(1..<2) } == [.everyPathExists])
    #expect(broken([], [Section("a", [])]) { $0.insertSections(0..<1) } == [])
  }

  @Test func sectionsAddUp() {
    let one = [Section("a", [1])]
    let two = one + [Section("b", [])]
    #expect(broken(one, two) { _ in } == [.sectionsAddUp])
    #expect(broken(one, two) { $0.insertSections(1..<2) } == [])
    #expect(broken(two, one) { $0.deleteSections(0..<2) } == [.sectionsAddUp])
    #expect(broken(two, one) { $0.deleteSections(1..<2) } == [])
  }

  @Test func rowsAddUp() {
    #expect(broken([1, 2], [1, 2, 3]) { _ in } == [.rowsAddUp])
    #expect(
      broken([1, 2], [1, 2, 3]) {
        $0.delete(0); $0.insert(2)
      } == [.rowsAddUp])
    #expect(broken([1, 2], [1, 2, 3]) { $0.insert(2) } == [])
    // A move between sections is one less and one more.
    let old = [Section("a", [1, 2]), Section("b", [3])]
    let new = [Section("a", [2]), Section("b", [3, 1])]
    #expect(
      broken(old, new) {
        $0.delete(0); $0.move(0, to: 1, in: 0, to: 1)
      } == [.oneChangeARow])
    #expect(broken(old, new) { $0.delete(0) } == [.rowsAddUp])
    #expect(broken(old, new) { $0.move(0, to: 1, in: 0, to: 1) } == [])
  }

  @Test func theRestKeepsItsOrder() {
    #expect(broken([1, 2, 3], [2, 1, 3]) { _ in } == [.restKeepsOrder])
    #expect(broken([1, 2, 3], [2, 1, 3]) { $0.move(0, to: 1) } == [])
    #expect(broken([1, 2, 3], [1, 3]) { $0.delete(0) } == [.restKeepsOrder])
    #expect(broken([1, 2, 3], [1, 3]) { $0.delete(1) } == [])
    // A moved row is at the target.
    #expect(broken([1, 2, 3], [3, 1, 2]) { $0.move(1, to: 0) } == [.restKeepsOrder])
    #expect(broken([1, 2, 3], [3, 1, 2]) { $0.move(2, to: 0) } == [])
    let sections = [Section("a", []), Section("b", [])]
    #expect(broken(sections, sections.reversed()) { _ in } == [.restKeepsOrder])
    #expect(broken(sections, sections.reversed()) { $0.move(section: 0, to: 1) } == [])
  }

  @Test func nothingIsToldTwice() {
    #expect(
      broken([1, 2], [2]) {
        $0.delete(0); $0.delete(0)
      } == [.nothingTwice])
    #expect(
      broken([1, 2], []) {
        $0.delete(0); $0.delete(1)
      } == [])
    #expect(
      broken([1], [1, 2]) {
        $0.insert(1); $0.insert(1)
      } == [.nothingTwice])
    #expect(
      broken([1], [1]) {
        $0.reload(0); $0.reload(0)
      } == [.nothingTwice])
    #expect(
      broken([1, 2, 3], [2, 3, 1]) {
        $0.move(0, to: 2); $0.move(0, to: 2)
      } == [.nothingTwice])
    let sections = [Section("a", []), Section("b", [])]
    #expect(
      broken(sections, [sections[1]]) {
        $0.deleteSections(0..<1); $0.deleteSections(0..<1)
      } == [.nothingTwice])
    #expect(
      broken(sections, []) {
        $0.deleteSections(0..<1); $0.deleteSections(1..<2)
      } == [])
  }

  @Test func aRowChangesInOneWay() {
    #expect(
      broken([1, 2], [2]) {
        $0.delete(0); $0.reload(0)
      } == [.oneChangeARow])
    #expect(
      broken([1, 2], [2]) {
        $0.delete(0); $0.reload(1)
      } == [])
    #expect(
      broken([1, 2], [2, 1]) {
        $0.delete(0); $0.move(0, to: 1)
      } == [.oneChangeARow])
    #expect(
      broken([1, 2], [2, 1]) {
        $0.reload(0); $0.move(0, to: 1)
      } == [.oneChangeARow])
    #expect(
      broken([1, 2], [2, 1]) {
        $0.insert(1); $0.move(0, to: 1)
      } == [.oneChangeARow])
    #expect(broken([1, 2], [2, 1]) { $0.move(0, to: 1) } == [])
  }

  @Test func aSectionChangesInOneWay() {
    let old = [Section("a", []), Section("b", [])]
    let swapped: [Section] = old.reversed()
    #expect(
      broken(old, [old[1]]) {
        $0.deleteSections(0..<1); $0.reloadSections(0..<1)
      } == [.oneChangeASection])
    #expect(
      broken(old, [old[1]]) {
        $0.deleteSections(0..<1); $0.reloadSections(1..<2)
      } == [])
    #expect(
      broken(old, swapped) {
        $0.deleteSections(0..<1); $0.move(section: 0, to: 1)
      } == [.oneChangeASection])
    #expect(
      broken(old, swapped) {
        $0.reloadSections(0..<1); $0.move(section: 0, to: 1)
      } == [.oneChangeASection])
    #expect(
      broken(old, swapped) {
        $0.deleteSections(1..<2)
        $0.insertSections(1..<2)
        $0.move(section: 0, to: 1)
      } == [.oneChangeASection])
    #expect(broken(old, swapped) { $0.move(section: 0, to: 1) } == [])
  }

  @Test func noRowChangesInASectionThatDoes() {
    let a = Section("a", [1, 2])
    let b = Section("b", [3])
    #expect(
      broken([a, b], [b]) {
        $0.deleteSections(0..<1); $0.delete(0)
      } == [.noRowsInChangedSections])
    #expect(broken([a, b], [b]) { $0.deleteSections(0..<1) } == [])
    #expect(
      broken([b], [a, b]) {
        $0.insertSections(0..<1); $0.insert(0)
      } == [.noRowsInChangedSections])
    #expect(broken([b], [a, b]) { $0.insertSections(0..<1) } == [])
    #expect(
      broken([a], [Section("a", [1])]) {
        $0.reloadSections(0..<1); $0.delete(1)
      } == [.noRowsInChangedSections])
    #expect(broken([a], [Section("a", [1])]) { $0.reloadSections(0..<1) } == [])
    // What leaves a section that goes is only an insert, and what enters one that comes only a delete.
    let wider = Section("b", [3, 1])
    #expect(
      broken([a, b], [wider]) {
        $0.deleteSections(0..<1)
        $0.move(0, to: 1, in: 0, to: 0)
      } == [.noRowsInChangedSections])
    #expect(
      broken([a, b], [wider]) {
        $0.deleteSections(0..<1); $0.insert(1)
      } == [])
    #expect(
      broken([wider], [a, b]) {
        $0.insertSections(0..<1); $0.delete(1)
      } == [])
  }

  @Test func nothingIsReloadedBesideMoves() {
    let old = [0, 1, 2, 3]
    let new = [3, 0, 2]
    #expect(
      broken(old, new) {
        $0.delete(1)
        $0.move(0, to: 1)
        $0.move(3, to: 0)
        $0.reload(2)
      } == [.noReloadsBesideMoves])
    #expect(
      broken(old, new) {
        $0.delete(1); $0.move(3, to: 0)
      } == [])
    let sections = "abc".map { Section(String($0), []) }
    let moved = [sections[1], sections[0], sections[2]]
    #expect(
      broken(sections, moved) {
        $0.move(section: 0, to: 1); $0.reloadSections(2..<3)
      } == [.noReloadsBesideMoves])
    #expect(broken(sections, moved) { $0.move(section: 0, to: 1) } == [])
  }

  @Test func noRowChangesInASectionThatMoves() {
    let a = Section("a", [1])
    let b = Section("b", [2])
    #expect(
      broken([a, b], [b, Section("a", [])]) {
        $0.move(section: 0, to: 1)
        $0.delete(0, in: 0)
      } == [.noRowsInMovedSections])
    #expect(
      broken([a, b], [b, Section("a", [1, 3])]) {
        $0.move(section: 0, to: 1)
        $0.insert(1, in: 1)
      } == [.noRowsInMovedSections])
    // One that merely shifts may change.
    #expect(
      broken([a, b], [Section("b", [2, 3]), a]) {
        $0.move(section: 0, to: 1)
        $0.insert(1, in: 0)
      } == [])
  }

  @Test func nothingMovesToWhereItWouldStandAnyway() {
    #expect(broken([1, 2], [1, 2]) { $0.move(0, to: 0) } == [.movesLeadElsewhere])
    // A row that merely shifts.
    #expect(
      broken([1, 2, 3], [2, 3]) {
        $0.delete(0); $0.move(1, to: 0)
      } == [.movesLeadElsewhere])
    #expect(
      broken([1, 2, 3], [3, 2]) {
        $0.delete(0); $0.move(1, to: 1)
      } == [])
    let a = Section("a", [])
    let b = Section("b", [])
    #expect(
      broken([a, b], [b]) {
        $0.deleteSections(0..<1); $0.move(section: 1, to: 0)
      } == [.movesLeadElsewhere])
    #expect(broken([a, b], [b]) { $0.deleteSections(0..<1) } == [])
  }

  @Test func identifiersAreUniqueInAllSections() {
    #expect(broken([1], [1, 1]) { $0.insert(1) } == [.identifiersAreUnique])
    #expect(broken([1], [1, 2]) { $0.insert(1) } == [])
    let a = Section("a", [1])
    #expect(broken([a], [a, Section("b", [1])]) { $0.insertSections(1..<2) } == [.identifiersAreUnique])
    #expect(broken([a], [a, Section("a", [2])]) { $0.insertSections(1..<2) } == [.identifiersAreUnique])
    #expect(broken([a], [a, Section("b", [2])]) { $0.insertSections(1..<2) } == [])
    let model = Model([1, 1])
    var source = model.source
    source.hasUniqueIdentifiers = false
    #expect(Table(source) { _ in }.verify())
  }

  @Test func aParentIsThereBeforeItsChild() {
    let model = Model([1, 2, 3])
    model.levels = [2: 1, 3: 2]
    #expect(shownTable(model).violations.isEmpty)
    model.rows = [1, 3, 2]
    #expect(shownTable(model).violations.map(\.rule) == [.parentBeforeChild])
  }
}
