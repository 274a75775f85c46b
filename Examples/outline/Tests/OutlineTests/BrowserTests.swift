import OutlineModel
import Testing
import TreeKit

/// Folders by their paths; a name that ends in "/" is a folder.
private struct PaperFolders: FolderReader {
  let folders: [String: [String]]

  func entry(at path: [UInt8]) throws(FileError) -> FileEntry { .folder }

  func entries(of path: [UInt8], isRoot: Bool) throws(FileError) -> [(name: FileName, entry: FileEntry)] {
    guard let names = folders[String(decoding: path, as: UTF8.self)] else { throw FileError(code: 13) }
    return names.map { $0.hasSuffix("/") ? (FileName(String($0.dropLast())), .folder) : (FileName($0), .file) }
  }
}

@MainActor @Suite struct BrowserTests {
  private let browser: Browser

  init() async throws {
    let folders = PaperFolders(folders: [
      "r": ["a/", "b/", "c"], "r/a": ["1", "2"], "r/b": (1...50).map { "f\($0)" },
    ])
    browser = try Browser(of: bytes("r"), levels: 1, reader: folders)
    await rows(4)
  }

  private func rows(_ count: Int) async {
    while browser.controller.rowCount != count { await Task.yield() }
  }

  private var cursorName: String? { browser.cursorRow?.item.id.shown }

  @Test func theCursorStaysOnItsRowWhenRowsComeAbove() async {
    browser.perform(.down)
    browser.perform(.open)
    browser.perform(.end)
    #expect(cursorName == "c")
    await rows(6)
    #expect(cursorName == "c")
    #expect(browser.cursor == 5)
  }

  @Test func closingGoesToTheParentWhereThereIsNothingToClose() async {
    browser.perform(.down)
    browser.perform(.open)
    await rows(6)
    browser.perform(.open)
    #expect(cursorName == "1")
    browser.perform(.close)
    #expect(cursorName == "a")
    browser.perform(.close)
    #expect(browser.controller.rowCount == 4)
    #expect(cursorName == "a")
  }

  @Test func theCursorIsAlwaysSeen() async {
    browser.height = 10
    browser.perform(.down)
    browser.perform(.down)
    browser.perform(.toggle)
    await rows(54)
    for command in [Browser.Command.end, .up, .pageUp, .pageUp, .pageDown, .home, .down] {
      browser.perform(command)
      #expect(browser.rows.contains { $0.node == browser.cursorRow?.node })
      #expect(browser.rows.count == 10)
    }
    browser.perform(.end)
    browser.height = 3
    #expect(browser.rows.last?.item.id.shown == "c")
  }

  @Test func aCursorWhoseRowGoesStaysAsNearAsCanBe() async {
    browser.perform(.down)
    browser.perform(.open)
    await rows(6)
    browser.perform(.open)
    browser.controller.update { tree in
      if let node = tree.node(atRow: 1) { _ = try? tree.collapse(node) }
    }
    #expect(cursorName == "b")
  }

  @Test func changesAreToldAsRangesOfRows() async {
    browser.perform(.down)
    browser.perform(.toggle)
    await rows(6)
    #expect(browser.changes.last?.detail == "inserted 2-3; changed 1")
    browser.perform(.toggle)
    #expect(browser.changes.last?.detail == "deleted 2-3")
  }
}
