import TreeKit

/// The rows as text, as a table would show them.
@MainActor package class Screen {
  package let controller: CatalogueController
  package private(set) var changes: [TreeChanges] = []

  init() {
    controller = CatalogueController()
  }

  package var lines: [String] {
    controller.rows(in: 0..<controller.rowCount).map { row in
      let mark = row.isExpandable ? (row.isExpanded ? "▾" : "▸") : " "
      let error = row.loadState == .failed ? controller.tree.error(of: row.node) as? DatabaseError : nil
      let state = row.loadState == .loading ? " …" : error.map { " [\($0.text)]" } ?? ""
      return String(repeating: "  ", count: row.level) + "\(mark) \(row.item.value)\(state)"
    }
  }

  func note(_ changes: TreeChanges) { self.changes.append(changes) }
}

/// Asks the database while the node opens: its children are there at once.
@MainActor package final class PromptScreen: Screen {
  package let database: Database
  package private(set) var errors: [DatabaseError] = []

  package init(_ database: Database) throws {
    self.database = database
    super.init()
    controller.delegate = self
    try controller.setItems(database.areas())
  }
}

extension PromptScreen: @MainActor TreeControllerDelegate {
  package func controller(
    _ controller: CatalogueController, willChangeNode item: CatalogueItem, to state: TreeNodeState
  ) -> CatalogueItem? {
    guard state == .expanded, case .unloaded = item.children else { return nil }
    do throws(DatabaseError) {
      return item.copyWithChildren(try database.children(of: item.id))
    } catch {
      errors.append(error)
      return nil
    }
  }

  package func controller(_ controller: CatalogueController, load: TreeLoad<RowID, String>) {
    // Only what failed in `will` comes here; opening it again tries anew.
    load.fail(errors.last ?? DatabaseError(text: "not loaded"))
  }

  package func controller(_ controller: CatalogueController, changed changes: TreeChanges) { note(changes) }
}

/// Asks the database after the node has opened, and hands in the children when they are here.
@MainActor package final class PatientScreen: Screen {
  package let librarian: Librarian
  private var fetches: [Task<Void, Never>] = []

  package init(_ librarian: Librarian, areas: [CatalogueItem]) throws {
    self.librarian = librarian
    super.init()
    controller.delegate = self
    try controller.setItems(areas)
  }

  /// Waits for what was asked for.
  package func settle() async {
    while let fetch = fetches.popLast() { await fetch.value }
  }
}

extension PatientScreen: @MainActor TreeControllerDelegate {
  package func controller(_ controller: CatalogueController, load: TreeLoad<RowID, String>) {
    let id = load.item.id
    fetches.append(
      Task {
        do {
          load.finish(try await librarian.children(of: id))
        } catch {
          load.fail(error)
        }
      })
  }

  package func controller(_ controller: CatalogueController, changed changes: TreeChanges) { note(changes) }
}
