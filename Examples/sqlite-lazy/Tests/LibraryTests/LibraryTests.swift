import Foundation
import Library
import Testing
import TreeKit

@MainActor @Suite final class LibraryTests {
  private let path = NSTemporaryDirectory() + "sqlite-lazy-\(UUID().uuidString).db"
  private let database: Database

  init() throws {
    database = try Database(at: path)
    try database.fill()
  }

  deinit { unlink(path) }

  @Test func eachLevelIsQueriedWhenItIsOpened() throws {
    let screen = try PromptScreen(database)
    #expect(screen.lines.count == 10)
    #expect(database.queries == 1)
    try screen.controller.expand(RowID(.area, 2))
    try screen.controller.expand(RowID(.shelf, 13))
    #expect(database.queries == 3)
    #expect(screen.controller.tree.count == 30)
    #expect(
      screen.lines[1...6] == [
        "▾ Area 2", "  ▸ Shelf 11", "  ▸ Shelf 12", "  ▾ Shelf 13", "      Book 121", "      Book 122",
      ])
    #expect(screen.changes.map { "\($0)" } == ["reload", "10 inserted", "10 inserted"])

    // What was loaded once is not asked for again.
    try screen.controller.collapse(RowID(.area, 2))
    try screen.controller.expand(RowID(.area, 2))
    #expect(database.queries == 3)
    #expect(screen.lines.count == 30)
  }

  @Test func aQueryThatFailsAtOnceIsTriedAgain() throws {
    let other = try Database(at: path)
    let screen = try PromptScreen(database)
    try other.execute("BEGIN EXCLUSIVE")
    try screen.controller.expand(RowID(.area, 1))
    #expect(screen.lines.first == "▾ Area 1 [database is locked]")
    try other.execute("COMMIT")
    try screen.controller.collapse(RowID(.area, 1))
    try screen.controller.expand(RowID(.area, 1))
    #expect(screen.lines.prefix(2) == ["▾ Area 1", "  ▸ Shelf 1"])
  }

  @Test func childrenMayComeLaterAndAFailureMayBeTriedAgain() async throws {
    let screen = try PatientScreen(Librarian(at: path), areas: database.areas())
    try screen.controller.expand(RowID(.area, 1))
    #expect(screen.lines.first == "▾ Area 1 …")
    await screen.settle()
    #expect(screen.lines.prefix(2) == ["▾ Area 1", "  ▸ Shelf 1"])

    try database.execute("BEGIN EXCLUSIVE")
    try screen.controller.expand(RowID(.shelf, 1))
    await screen.settle()
    #expect(screen.lines[1] == "  ▾ Shelf 1 [database is locked]")
    try database.execute("COMMIT")
    try screen.controller.expand(RowID(.shelf, 1))
    await screen.settle()
    #expect(screen.lines[1...2] == ["  ▾ Shelf 1", "      Book 1"])
    #expect(await screen.librarian.queries == 3)
  }

  @Test func everyBookIsReachedAndAllAreLoadedOnlyThen() async throws {
    let screen = try PatientScreen(Librarian(at: path), areas: database.areas())
    while true {
      let closed = screen.controller.rows(in: 0..<screen.controller.rowCount).filter {
        $0.isExpandable && !$0.isExpanded
      }
      if closed.isEmpty { break }
      for row in closed { try screen.controller.expand(row.node) }
      await screen.settle()
    }
    #expect(screen.controller.rowCount == 1110)
    #expect(await screen.librarian.queries == 110)
  }
}
