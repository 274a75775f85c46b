import PeerHarness

/// What one would write first: structs within structs, and all rows listed anew, by recursion, after each change.
struct NestedNode {
  let id: Int
  var isExpanded = false
  var children: [NestedNode] = []
}

struct NestedRow {
  let id: Int
  let depth: Int
  let isExpandable: Bool
  let isExpanded: Bool
}

final class NestedOutline: Outline {
  private var top: [NestedNode] = []
  private var rows: [NestedRow] = []

  init(_ tree: peer_tree) {
    top = Self.nodes(tree)
    flatten()
  }

  /// From the last item to the first, so that the children of each are there before it.
  private static func nodes(_ tree: peer_tree) -> [NestedNode] {
    var waiting: [Int: [NestedNode]] = [:]
    var top: [NestedNode] = []
    for item in stride(from: Int(tree.count) - 1, through: 0, by: -1) {
      let node = NestedNode(id: item, children: waiting.removeValue(forKey: item)?.reversed() ?? [])
      if let parent = parent(tree.parents[item]) {
        waiting[parent, default: []].append(node)
      } else {
        top.append(node)
      }
    }
    return top.reversed()
  }

  private func flatten() {
    rows.removeAll(keepingCapacity: true)
    append(top, depth: 0)
  }

  private func append(_ nodes: [NestedNode], depth: Int) {
    for node in nodes {
      rows.append(
        NestedRow(
          id: node.id, depth: depth, isExpandable: !node.children.isEmpty, isExpanded: node.isExpanded))
      if node.isExpanded { append(node.children, depth: depth + 1) }
    }
  }

  @discardableResult
  private func change(_ id: Int, in nodes: inout [NestedNode], _ body: (inout NestedNode) -> Void) -> Bool {
    for index in nodes.indices {
      if nodes[index].id == id {
        body(&nodes[index])
        return true
      }
      if change(id, in: &nodes[index].children, body) { return true }
    }
    return false
  }

  private func expandAll(_ nodes: inout [NestedNode]) {
    for index in nodes.indices where !nodes[index].children.isEmpty {
      nodes[index].isExpanded = true
      expandAll(&nodes[index].children)
    }
  }

  var rowCount: Int { rows.count }

  func expandAll() {
    expandAll(&top)
    flatten()
  }

  func item(atRow row: Int) -> Int { rows[row].id }

  func row(of item: Int) -> Int { rows.firstIndex { $0.id == item }! }

  func setExpanded(_ row: Int, _ isExpanded: Bool) {
    change(rows[row].id, in: &top) { $0.isExpanded = isExpanded }
    flatten()
  }

  func window(_ range: Range<Int>, into out: UnsafeMutablePointer<peer_row>) {
    for (index, row) in rows[range].enumerated() {
      out[index] = peer_row(
        handle: UInt64(row.id), depth: UInt32(row.depth), expandable: row.isExpandable ? 1 : 0,
        expanded: row.isExpanded ? 1 : 0)
    }
  }

  func insert(_ item: Int, under parent: Int?, at ordinal: Int) {
    let node = NestedNode(id: item)
    if let parent {
      change(parent, in: &top) { $0.children.insert(node, at: ordinal) }
    } else {
      top.insert(node, at: ordinal)
    }
    flatten()
  }

  func remove(under parent: Int?, at ordinal: Int) {
    if let parent {
      change(parent, in: &top) { $0.children.remove(at: ordinal) }
    } else {
      top.remove(at: ordinal)
    }
    flatten()
  }
}

func nestedPeer() -> peer {
  makePeer("swift-nested", "\(compiler): structs in structs, flattened by recursion") {
    built($0, NestedOutline.self)
  }
}
