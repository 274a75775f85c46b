import OutlineModel
import Testing
import TreeKit

/// The lines of an outline, without the first, which is the path of the temporary folder.
private func lines(_ outline: Outline) -> [String] {
  var all: [UInt8] = []
  _ = outline.print { all += $0 }
  return String(decoding: all, as: UTF8.self).split(separator: "\n").dropFirst().map(String.init)
}

/// Reads as the system does, and refuses where it is told to.
private struct RefusingFolders: FolderReader {
  let code: Int32
  let name: String

  func entry(at path: [UInt8]) throws(FileError) -> FileEntry { try SystemFolders().entry(at: path) }

  func entries(of path: [UInt8], isRoot: Bool) throws(FileError) -> [(name: FileName, entry: FileEntry)] {
    if path.suffix(name.utf8.count).elementsEqual(name.utf8) { throw FileError(code: code) }
    return try SystemFolders().entries(of: path, isRoot: isRoot)
  }
}

@Suite struct PrintTests {
  @Test func aFolderIsListedLevelByLevel() throws {
    let folder = TemporaryFolder()
    folder.folder(bytes("b"))
    folder.folder(bytes("b/c"))
    folder.file(bytes("b/c/deep"))
    folder.file(bytes("a"))
    folder.folder(bytes("empty"))

    let outline = try Outline(of: folder.path, levels: 2)
    #expect(try outline.loadWhatIsOpen() == 3)
    #expect(lines(outline) == ["    a", "  ▾ b", "    ▸ c", "    empty"])

    let all = try Outline(of: folder.path, levels: .max)
    try all.loadWhatIsOpen()
    #expect(lines(all) == ["    a", "  ▾ b", "    ▾ c", "        deep", "    empty"])
  }

  @Test func namesThatAreNoTextAreShownAsEscapes() throws {
    let folder = TemporaryFolder()
    let odd: [UInt8] = [0x66, 0xff, 0x80]
    folder.folder(odd)
    folder.file(odd + bytes("/inside"))
    folder.file(bytes("line\nbreak"))
    folder.file(bytes("tab\u{1b}[2J"))
    folder.file(bytes("木ü\u{202e}x"))
    folder.file(bytes("back\\slash"))

    let outline = try Outline(of: folder.path, levels: .max)
    try outline.loadWhatIsOpen()
    #expect(
      lines(outline) == [
        "    back\\\\slash", "  ▾ f\\xff\\x80", "      inside", "    line\\u{a}break", "    tab\\u{1b}[2J",
        "    木ü\\u{202e}x",
      ])
    let root = try #require(outline.tree.find(FileName(rawValue: folder.path), under: nil))
    let node = try #require(outline.tree.find(FileName(rawValue: odd), under: root))
    #expect(try outline.path(of: node) == folder.path + [0x2f] + odd)
  }

  @Test func linksAreShownAndNotFollowed() throws {
    let folder = TemporaryFolder()
    folder.folder(bytes("sub"))
    folder.link(bytes("sub/up"), to: "..")
    folder.link(bytes("sub/here"), to: ".")
    folder.link(bytes("self"), to: "self")
    folder.link(bytes("one"), to: "two")
    folder.link(bytes("two"), to: "one")
    folder.link(bytes("broken"), to: "no such file")
    folder.link(bytes("fine"), to: "sub")
    folder.pipe(bytes("pipe"))

    let outline = try Outline(of: folder.path, levels: .max)
    try outline.loadWhatIsOpen()
    #expect(
      lines(outline) == [
        "    broken -> no such file [nothing there]", "    fine -> sub", "    one -> two [loop]",
        "    pipe [special]", "    self -> self [loop]", "  ▾ sub", "      here -> . [loop]", "      up -> .. [loop]",
        "    two -> one [loop]",
      ])
  }

  @Test func aFolderThatCannotBeReadSaysWhy() throws {
    let folder = TemporaryFolder()
    folder.folder(bytes("secret"))
    folder.folder(bytes("open"))
    let outline = try Outline(of: folder.path, levels: .max, reader: RefusingFolders(code: 13, name: "secret"))
    try outline.loadWhatIsOpen()
    #expect(lines(outline) == ["    open", "  ▾ secret [no permission]"])
  }

  @Test func aFolderThatVanishedIsSaidToHave() throws {
    let folder = TemporaryFolder()
    folder.folder(bytes("soon gone"))
    let outline = try Outline(of: folder.path, levels: 1)
    try outline.loadWhatIsOpen()
    folder.removeFolder(bytes("soon gone"))
    let root = try #require(outline.tree.node(atRow: 0))
    let node = try #require(outline.tree.child(of: root, at: 0))
    try outline.tree.expand(node)
    try outline.loadWhatIsOpen()
    #expect(lines(outline) == ["  ▾ soon gone [vanished]"])
    #expect(outline.tree.error(of: node) as? FileError == FileError(code: 2))

    // It is a state like others: when the folder is back, opening it again shows it.
    folder.folder(bytes("soon gone"))
    folder.file(bytes("soon gone/back"))
    try outline.tree.collapse(node)
    try outline.tree.expand(node)
    try outline.loadWhatIsOpen()
    #expect(lines(outline) == ["  ▾ soon gone", "      back"])
  }

  @Test func aFolderThatBecameALinkIsNotFollowed() throws {
    let folder = TemporaryFolder()
    folder.folder(bytes("x"))
    folder.folder(bytes("y"))
    folder.file(bytes("y/inside"))
    let outline = try Outline(of: folder.path, levels: 1)
    try outline.loadWhatIsOpen()
    folder.removeFolder(bytes("x"))
    folder.link(bytes("x"), to: "y")
    let root = try #require(outline.tree.node(atRow: 0))
    let node = try #require(outline.tree.child(of: root, at: 0))
    try outline.tree.expand(node)
    try outline.loadWhatIsOpen()
    #expect(lines(outline) == ["  ▾ x [no folder any more]", "  ▸ y"])
  }

  @Test func nothingAtThePathIsAnError() {
    #expect(throws: FileError.self) { try Outline(of: bytes("/no/such/path"), levels: 1) }
  }
}
