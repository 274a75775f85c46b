import TreeKit

/// An outline that a user moves about in: the cursor, the part that is seen, and what the keys do. It knows no terminal.
///
/// Folders are read elsewhere than on the main actor, so that keys are answered while a slow one is read.
@MainActor package final class Browser {
  package typealias Controller = TreeController<FileName, FileEntry>

  package let controller: Controller
  /// The changes of rows, as they were told.
  package private(set) var changes: [TreeChanges] = []
  /// The number of the row under the cursor.
  package private(set) var cursor = 0
  /// The first row that is seen.
  package private(set) var top = 0
  /// How many rows are seen.
  package var height = 20 { didSet { follow() } }
  /// Whether something has changed since the screen was drawn.
  package var needsDisplay = true
  private var cursorNode: TreeNode?

  package init(
    of path: [UInt8], levels: Int, reader: any FolderReader = SystemFolders(), delay: Duration = .zero
  ) throws {
    controller = Controller(options: TreeOptions(scope: .siblings, openLevels: levels))
    controller.delegate = self
    controller.setSource { _, names in
      if delay > .zero { try await Task.sleep(for: delay) }
      return try Outline.items(of: Outline.path(names), isRoot: names.count == 1, reader: reader)
    }
    try controller.setItems([Outline.item(FileName(rawValue: path), reader.entry(at: path))])
    moveCursor(to: 0)
  }

  /// What a key asks for.
  package enum Command: Sendable {
    case up, down, pageUp, pageDown, home, end
    case open, close, toggle, reload
  }

  package func perform(_ command: Command) {
    switch command {
    case .up: moveCursor(to: cursor - 1)
    case .down: moveCursor(to: cursor + 1)
    case .pageUp: moveCursor(to: cursor - height)
    case .pageDown: moveCursor(to: cursor + height)
    case .home: moveCursor(to: 0)
    case .end: moveCursor(to: controller.rowCount - 1)
    case .open: open()
    case .close: close()
    case .toggle: if let row = cursorRow, row.isExpandable { _ = try? controller.toggle(row.node) }
    case .reload: if let row = cursorRow, row.isExpanded { try? controller.reload(row.node) }
    }
  }

  /// Opens what is closed; of what is open goes to the first child.
  private func open() {
    guard let row = cursorRow, row.isExpandable else { return }
    if !row.isExpanded || row.loadState == .failed {
      _ = try? controller.expand(row.node)
    } else if controller.tree.childCount(of: row.node) > 0 {
      moveCursor(to: cursor + 1)
    }
  }

  /// Closes what is open; of all else goes to the parent.
  private func close() {
    guard let row = cursorRow else { return }
    if row.isExpandable, row.isExpanded {
      _ = try? controller.collapse(row.node)
    } else if let parent = try? controller.tree.parent(of: row.node), let path = controller.indexPath(of: parent) {
      moveCursor(to: path.row)
    }
  }

  /// The rows that are seen.
  package var rows: [TreeRow<FileName, FileEntry>] {
    controller.rows(in: top..<min(top + height, controller.rowCount))
  }

  package var cursorRow: TreeRow<FileName, FileEntry>? {
    controller.row(at: TreeIndexPath(section: 0, row: cursor))
  }

  private func moveCursor(to row: Int) {
    cursor = max(0, min(row, controller.rowCount - 1))
    cursorNode = cursorRow?.node
    follow()
  }

  /// Keeps the cursor among the rows that are seen.
  private func follow() {
    top = max(0, min(top, controller.rowCount - height))
    top = min(max(top, cursor - height + 1), cursor)
    needsDisplay = true
  }
}

extension Browser: @MainActor TreeControllerDelegate {
  package func controller(_ controller: Controller, changed changes: TreeChanges) {
    self.changes.append(changes)
    // The cursor stays on its row; where that is gone, on what came in its place.
    let row = cursorNode.flatMap { controller.indexPath(of: $0)?.row }
    if let row {
      // And so does the row on the screen, as far as there are rows above.
      top += row - cursor
      moveCursor(to: row)
    } else {
      moveCursor(to: cursor)
    }
  }
}
