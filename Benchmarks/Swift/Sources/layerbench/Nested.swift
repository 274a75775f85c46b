import PeerHarness
import TreeKit

/// What an app would write: structs within structs.
struct NestedNode<ID: Hashable> {
  let id: ID
  var value: Int
  var isExpanded = false
  var children: [NestedNode] = []

  func flatten(into rows: inout [ID]) {
    rows.append(id)
    if isExpanded { for child in children { child.flatten(into: &rows) } }
  }
}

func nestedNodes<ID: Hashable>(_ levels: [Int], _ id: (Int) -> ID) -> [NestedNode<ID>] {
  var open: [[NestedNode<ID>]] = [[]]
  func close(to level: Int) {
    while open.count > level + 1 {
      let children = open.removeLast()
      open[open.count - 1][open[open.count - 1].count - 1].children = children
    }
  }
  for (item, level) in levels.enumerated() {
    close(to: level)
    if open.count == level { open.append([]) }
    open[level].append(NestedNode(id: id(item), value: item))
    if levels.indices.contains(item + 1), levels[item + 1] > level { open.append([]) }
  }
  close(to: 0)
  return open[0]
}

/// Hears what a table hears.
private final class Table: TreeControllerDelegate {
  var rows = 0
  func controller(_ controller: TreeController<String, Int>, changed changes: TreeChanges) {
    rows += changes.deletedRowCount
  }
}

extension TreeChanges {
  fileprivate var deletedRowCount: Int { oldRowCount - newRowCount }
}

/// Closing one node of 100 rows and opening it again, with everything open, until the table can be told.
func compareNested(rows: Int) {
  let input = Input(count: rows)
  var nodes = nestedNodes(input.levels, { input.names[$0] })
  func open(_ nodes: inout [NestedNode<String>]) {
    for index in nodes.indices where !nodes[index].children.isEmpty {
      nodes[index].isExpanded = true
      open(&nodes[index].children)
    }
  }
  open(&nodes)
  var shown: [String] = []
  for node in nodes { node.flatten(into: &shown) }
  precondition(shown.count == rows)
  var told = 0
  let nested = least(of: 3) {
    for isExpanded in [false, true] {
      nodes[0].children[0].children[0].isExpanded = isExpanded
      var now: [String] = []
      for node in nodes { node.flatten(into: &now) }
      told += now.difference(from: shown).count
      shown = now
    }
  }

  let controller = TreeController<String, Int>()
  let table = Table()
  controller.delegate = table
  controller.update { tree in
    let builder = TreeBuilder(for: tree)
    try! builder.add(
      contentsOf: input.levels.indices, id: { input.names[$0] }, level: { input.levels[$0] }, value: { $0 })
    try! tree.append(builder)
    try! tree.expandAll()
  }
  precondition(controller.rowCount == rows)
  let id = nodes[0].children[0].children[0].id
  let treeKit = least(of: 100) {
    try! controller.collapse(id)
    try! controller.expand(id)
  }
  precondition(told == 600)
  print(
    "close and open 100 of \(rows) rows: nested structs and difference(from:) \(Int(nested / 2000)) us each,",
    terminator: " ")
  print("TreeController \(Int(treeKit / 2)) ns each")
}
