import Testing

@testable import TreeKit

typealias TestController = TreeController<String, Int>
typealias TestItem = TreeItem<String, Int>

func leaf(_ id: String, _ value: Int = 0) -> TestItem { TestItem(id, value: value) }
func folder(_ id: String) -> TestItem { TestItem(id, value: 0, children: .unloaded) }
func loaded(_ id: String, _ children: [TestItem]) -> TestItem { TestItem(id, value: 0, children: .loaded(children)) }

/// A table as it would be driven by a controller: it keeps its own list of rows, changes it by what it is told only, and checks
/// after each time that it shows what the controller has.
final class TableDelegate: TreeControllerDelegate {
  var shown: [String] = []
  /// Off where a test compares by itself, since it costs the whole list at every delivery.
  var comparesAll = true
  var log: [String] = []
  var loads: [TreeLoad<String, Int>] = []
  var should: (TestItem, TreeNodeState) -> Bool = { _, _ in true }
  var will: (TestController, TestItem, TreeNodeState) -> TestItem? = { _, _, _ in nil }
  var did: (TestController, TestItem, TreeNodeState) -> Void = { _, _, _ in }
  var changed: (TestController, TreeChanges) -> Void = { _, _ in }
  var deliveries: [TreeChanges] = []

  func controller(_ controller: TestController, shouldChangeNode item: TestItem, to state: TreeNodeState) -> Bool {
    log.append("should \(item.id) \(state)")
    return should(item, state)
  }

  func controller(_ controller: TestController, willChangeNode item: TestItem, to state: TreeNodeState) -> TestItem? {
    log.append("will \(item.id) \(state)")
    return will(controller, item, state)
  }

  func controller(_ controller: TestController, didChangeNode item: TestItem, to state: TreeNodeState) {
    log.append("did \(item.id) \(state)")
    did(controller, item, state)
  }

  func controller(_ controller: TestController, load: TreeLoad<String, Int>) {
    log.append("load \(load.item.id)")
    loads.append(load)
  }

  func controller(_ controller: TestController, changed changes: TreeChanges) {
    log.append("changed \(changes)")
    deliveries.append(changes)
    apply(changes, of: controller)
    changed(controller, changes)
  }

  private func apply(_ changes: TreeChanges, of controller: TestController) {
    if changes.isReload {
      shown = ids(controller)
      return
    }
    #expect(changes.oldRowCount == shown.count)
    if !controller.delegateAppliesChanges { #expect(changes.newRowCount == controller.rowCount) }
    var result: [String?] = Array(repeating: nil, count: changes.newRowCount)
    var gone = Set(changes.deletedIndexPaths.map(\.row))
    for move in changes.movedIndexPaths {
      gone.insert(move.from.row)
      result[move.to.row] = shown[move.from.row]
    }
    for path in changes.insertedIndexPaths { result[path.row] = controller.item(at: path)?.id }
    var stay = shown.indices.filter { !gone.contains($0) }.map { shown[$0] }[...]
    for row in result.indices where result[row] == nil { result[row] = stay.popFirst() }
    #expect(stay.isEmpty)
    shown = result.compactMap { $0 }
    if comparesAll { #expect(shown == ids(controller)) }
  }

  func ids(_ controller: TestController) -> [String] {
    controller.rows(in: 0..<controller.rowCount).map(\.item.id)
  }
}

/// A controller that a table has shown already.
func shownController(
  _ items: [TestItem], options: TreeOptions = TreeOptions()
) throws -> (TestController, TableDelegate) {
  let controller = TestController(options: options)
  let table = TableDelegate()
  controller.delegate = table
  try controller.setItems(items)
  #expect(table.log == ["changed reload"])
  table.log = []
  table.deliveries = []
  return (controller, table)
}
