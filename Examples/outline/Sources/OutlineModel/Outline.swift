import TreeKit

/// A folder as an outline: the tree, and where its folders come from.
package final class Outline {
  package typealias FileTree = Tree<FileName, FileEntry>

  package let tree: FileTree
  let reader: any FolderReader

  /// Makes an outline of one row, of which `levels` levels are open as they are loaded.
  ///
  /// A symbolic link that is named here is followed: whoever names it wants to see what is there.
  package init(of path: [UInt8], levels: Int, reader: any FolderReader = SystemFolders()) throws {
    self.reader = reader
    tree = FileTree(options: TreeOptions(scope: .siblings, openLevels: levels))
    let entry = try reader.entry(at: path)
    try tree.insert(Self.item(FileName(rawValue: path), entry))
  }

  static func item(_ name: FileName, _ entry: FileEntry) -> FileTree.Item {
    TreeItem(name, value: entry, children: entry == .folder ? .unloaded : .leaf)
  }

  /// The items of a folder, sorted by name.
  package static func items(of path: [UInt8], isRoot: Bool, reader: any FolderReader) throws(FileError) -> [FileTree
    .Item]
  {
    var entries = try reader.entries(of: path, isRoot: isRoot)
    entries.sort { $0.name < $1.name }
    return entries.map { item($0.name, $0.entry) }
  }

  /// Loads every folder that is open and was not loaded yet, and those that open thereby. Returns how many it read.
  @discardableResult
  package func loadWhatIsOpen() throws(TreeError) -> Int {
    var count = 0
    while let node = tree.nextLoadRequest() {
      let ticket = try tree.beginLoad(of: node)
      let isRoot = try tree.parent(of: node) == nil
      do {
        let items = try Self.items(of: path(of: node), isRoot: isRoot, reader: reader)
        try tree.finish(ticket, with: items)
      } catch let error as TreeError {
        throw error
      } catch {
        try tree.fail(ticket, with: error)
      }
      count += 1
    }
    return count
  }

  /// The path of a node's file.
  package func path(of node: TreeNode) throws(TreeError) -> [UInt8] {
    Self.path(try tree.identifiers(downTo: node))
  }

  package static func path(_ names: [FileName]) -> [UInt8] {
    var path: [UInt8] = []
    for name in names {
      if !path.isEmpty, path.last != 0x2f { path.append(0x2f) }
      path.append(contentsOf: name.rawValue)
    }
    return path
  }
}

/// How many rows of each kind there are.
package struct OutlineCounts: Hashable, Sendable {
  package var folders = 0
  package var files = 0
  package var links = 0
  package var others = 0
  package var failed = 0

  package init() {}

  package mutating func add(_ row: TreeRow<FileName, FileEntry>) {
    switch row.item.value {
    case .folder: folders += 1
    case .file: files += 1
    case .link: links += 1
    case .special, .vanished: others += 1
    }
    if row.loadState == .failed { failed += 1 }
  }
}
