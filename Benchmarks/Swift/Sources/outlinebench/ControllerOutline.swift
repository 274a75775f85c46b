import PeerHarness
import TreeKit

/// TreeKit through its Swift layer: a controller, its delegate told of each change.
final class ControllerOutline: Outline, TreeControllerDelegate {
  private let controller = TreeController<Int, Int>()
  private var told = 0

  init(_ tree: peer_tree) {
    var waiting: [Int: [TreeItem<Int, Int>]] = [:]
    var top: [TreeItem<Int, Int>] = []
    for item in stride(from: Int(tree.count) - 1, through: 0, by: -1) {
      let children = waiting.removeValue(forKey: item).map { TreeItem<Int, Int>.Children.loaded($0.reversed()) }
      let made = TreeItem(item, value: item, children: children ?? .leaf)
      if let parent = parent(tree.parents[item]) {
        waiting[parent, default: []].append(made)
      } else {
        top.append(made)
      }
    }
    controller.delegate = self
    try! controller.setItems(top.reversed())
    _ = controller.rowCount
  }

  func controller(_ controller: TreeController<Int, Int>, changed changes: TreeChanges) {
    told += changes.insertedRows.count + changes.deletedRows.count
  }

  private func node(_ item: Int?) -> TreeNode? { item.flatMap { controller.tree.find($0) } }

  var rowCount: Int { controller.rowCount }

  func expandAll() { try! controller.update { tree throws(TreeError) in try tree.expandAll() } }

  func item(atRow row: Int) -> Int {
    let tree = controller.tree
    return try! tree.id(of: tree.node(atRow: row)!)
  }

  func row(of item: Int) -> Int { controller.indexPath(of: item)!.row }

  func setExpanded(_ row: Int, _ isExpanded: Bool) {
    let id = item(atRow: row)
    _ = isExpanded ? try! controller.expand(id) : try! controller.collapse(id)
  }

  func window(_ range: Range<Int>, into out: UnsafeMutablePointer<peer_row>) {
    for (index, row) in controller.rows(in: range).enumerated() {
      out[index] = peer_row(
        handle: UInt64(row.item.id), depth: UInt32(row.level), expandable: row.isExpandable ? 1 : 0,
        expanded: row.isExpanded ? 1 : 0)
    }
  }

  func insert(_ item: Int, under parent: Int?, at ordinal: Int) {
    let under = node(parent)
    _ = try! controller.update { tree throws(TreeError) in
      try tree.insert(TreeItem(item, value: item), under: under, at: ordinal)
    }
  }

  func remove(under parent: Int?, at ordinal: Int) {
    let gone = controller.tree.child(of: node(parent), at: ordinal)!
    try! controller.update { tree throws(TreeError) in try tree.delete(gone) }
  }
}

func controllerPeer() -> peer {
  makePeer("treekit-swift", "TreeKit's TreeController, \(compiler)") { built($0, ControllerOutline.self) }
}
