import TreeKit

package nonisolated struct Part: RawRepresentable, TreeIdentifier {
  package let rawValue: Int

  package init(rawValue: Int) {
    self.rawValue = rawValue
  }
}

/// A screen of an app whose code belongs to the main actor without saying so: the same tree by a delegate and by a source.
package final class Screen {
  private let controller = TreeController<Part, String>()
  private var changes: [TreeChanges] = []

  package init() throws {
    controller.delegate = self
    try controller.setItems([
      TreeItem(Part(rawValue: 1), value: "by delegate", children: .unloaded),
      TreeItem(Part(rawValue: 2), value: "by source", children: .unloaded),
    ])
  }

  /// What is shown when both are open.
  package func run() async throws -> [String] {
    try controller.expand(Part(rawValue: 1))
    controller.setSource { item in
      let number = item.id.rawValue
      return [TreeItem(Part(rawValue: number * 10), value: "late")]
    }
    try controller.expand(Part(rawValue: 2))
    while controller.rowCount < 4 { await Task.yield() }
    return controller.rows(in: 0..<controller.rowCount).map(\.item.value) + changes.map { "\($0)" }
  }
}

extension Screen: TreeControllerDelegate {
  package func controller(
    _ controller: TreeController<Part, String>, load: TreeLoad<Part, String>
  ) {
    load.finish([TreeItem(Part(rawValue: 11), value: "at once")])
  }

  package func controller(_ controller: TreeController<Part, String>, changed changes: TreeChanges) {
    self.changes.append(changes)
  }
}
