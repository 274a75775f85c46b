import Testing
import TreeKit

@Suite struct DiffTests {
  @Test func oneMovedRowIsOneMove() throws {
    let changes = try TreeChanges(from: [1, 2, 3, 4], to: [2, 3, 4, 1])
    #expect(changes.movedIndexPaths.map { [$0.from.row, $0.to.row] } == [[0, 3]])
    #expect("\(changes)" == "1 moved")
    #expect(try TreeChanges(from: ["a", "b"], to: ["a", "b"]).isEmpty)
  }

  @Test func deletesAndInsertsAreRanges() throws {
    let changes = try TreeChanges(from: ["a", "b", "c", ""], to: ["x", "y", "a", ""])
    #expect(changes.deletedRows == [.init(section: 0, rows: 1..<3)])
    #expect(changes.insertedRows == [.init(section: 0, rows: 0..<2)])
    #expect(try "\(TreeChanges(from: [Int](), to: [1, 2]))" == "2 inserted")
    #expect(try "\(TreeChanges(from: [[1, 2], [3]] as [[UInt8]], to: []))" == "2 deleted")
  }

  @Test func elementsWithRevisionsChange() throws {
    struct Line {
      var name: String
      var version: UInt64
    }
    let changes = try TreeChanges(
      from: [Line(name: "a", version: 1), Line(name: "b", version: 1)],
      to: [Line(name: "b", version: 2), Line(name: "a", version: 1)], id: \.name, revision: \.version)
    #expect(changes.changedIndexPaths.map(\.row) == [0])
    #expect(changes.movedRows.count == 1)
  }

  @Test func aSectionThatGoesGivesItsRowsAway() throws {
    let changes = try TreeChanges(
      fromSections: [TreeSectionRows("S1", rows: ["x"]), TreeSectionRows("S2", rows: ["y"])],
      to: [TreeSectionRows("S2", rows: ["x", "y"])])
    #expect(changes.deletedSections == [0..<1])
    #expect(changes.insertedIndexPaths == [TreeIndexPath(section: 0, row: 0)])
    #expect(try TreeChanges(fromSections: [TreeSectionRows(1, rows: [Int]())], to: []).deletedSections == [0..<1])
  }

  @Test func aRepeatedIdentifierNamesBothPlaces() {
    #expect(throws: TreeDiffError.duplicateRow(inNew: true, first: 0, second: 2)) {
      try TreeChanges(from: [1], to: [5, 6, 5])
    }
    #expect(throws: TreeDiffError.duplicateSection(inNew: false, first: 0, second: 1)) {
      try TreeChanges(fromSections: [TreeSectionRows("s", rows: []), TreeSectionRows("s", rows: ["x"])], to: [])
    }
  }

  @Test func beyondTheLimitItSaysReload() throws {
    #expect(try TreeChanges(from: Array(0..<10), to: Array(20..<30), limit: 5).isReload)
    #expect(try !TreeChanges(from: Array(0..<10), to: Array(0..<11), limit: 5).isReload)
  }
}
