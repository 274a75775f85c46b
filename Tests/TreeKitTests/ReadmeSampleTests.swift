import Testing
import TreeKit

// What the README shows stands between the two marks, and is run here as it stands.

nonisolated(unsafe) private var printed: [String] = []

private func print(_ what: Any) { printed.append("\(what)") }

@Suite struct ReadmeSampleTests {
  @Test func theSampleOfTheReadmeRuns() throws {
    // README begin
    final class Shelves: TreeControllerDelegate {
      let books = ["Essays": ["Walden"], "Poems": ["Ariel", "Howl"]]
      let controller = TreeController<String, String>()

      init() throws {
        controller.delegate = self
        try controller.setItems(["Essays", "Poems"].map { TreeItem($0, value: "shelf", children: .unloaded) })
      }

      // A row opens and its children are not here yet: hand them in now, or keep the load and do so later.
      func controller(_ controller: TreeController<String, String>, load: TreeLoad<String, String>) {
        load.finish(books[load.item.id, default: []].map { TreeItem($0, value: "book") })
      }

      // The rows have changed: everything that a table needs for one batch of updates.
      func controller(_ controller: TreeController<String, String>, changed changes: TreeChanges) {
        print(changes)  // "reload", then "2 inserted", then "2 deleted"
      }
    }

    let shelves = try Shelves()
    try shelves.controller.expand("Poems")
    for row in shelves.controller.rows(in: 0..<shelves.controller.rowCount) {
      print(String(repeating: "  ", count: row.level) + row.item.id)  // Essays, Poems, Ariel, Howl
    }
    try shelves.controller.collapse("Poems")
    // README end
    #expect(printed == ["reload", "2 inserted", "Essays", "Poems", "  Ariel", "  Howl", "2 deleted"])
  }
}
