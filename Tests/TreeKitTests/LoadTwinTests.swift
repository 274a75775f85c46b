import Testing

@testable import TreeKit

/// The tree as plain values, in the simplest form that could be right.
private final class Twin {
  var children: [String: [String]] = ["": []]
  var parents: [String: String] = [:]
  var states: [String: TreeLoadState] = [:]
  /// What a cancel goes back to.
  var before: [String: TreeLoadState] = [:]
  var open: Set<String> = []

  func begin(_ id: String) {
    if states[id] != .loading { before[id] = states[id] }
    states[id] = .loading
  }

  func insert(_ id: String, under parent: String) {
    children[parent, default: []].append(id)
    parents[id] = parent
    states[id] = .unloaded
    children[id] = []
  }

  func remove(_ id: String) {
    for child in children[id] ?? [] { remove(child) }
    children[parents[id] ?? ""]?.removeAll { $0 == id }
    children[id] = nil
    parents[id] = nil
    states[id] = nil
    open.remove(id)
  }

  var rows: [String] {
    var rows: [String] = []
    func walk(_ parent: String) {
      for child in children[parent] ?? [] {
        rows.append(child)
        if open.contains(child) { walk(child) }
      }
    }
    walk("")
    return rows
  }
}

@Suite struct LoadTwinTests {
  @Test func aThousandLoadsInAnyOrderEndAsTheirTwin() throws {
    var numbers = Numbers.ofRun("loads")
    let twin = Twin()
    let folders = (0..<1000).map { "f\($0)" }
    for id in folders { twin.insert(id, under: "") }
    let (controller, table) = try shownController(folders.map(folder))
    table.comparesAll = false

    // All at once.
    try controller.update { _ in
      for id in folders {
        try controller.expand(id)
        twin.begin(id)
        twin.open.insert(id)
      }
    }
    #expect(table.loads.count == 1000)
    // Of each node the load that counts; others are superseded.
    var current = Dictionary(uniqueKeysWithValues: table.loads.map { ($0.item.id, $0) })
    var pending = table.loads
    var cancelled: Set<TreeTicket> = []
    var applied = 0

    while !pending.isEmpty {
      let load = pending.remove(at: Int.random(in: 0..<pending.count, using: &numbers))
      let id = load.item.id
      let isThere = twin.states[id] != nil
      let isCurrent = current[id] === load
      let expected: TreeLoadOutcome =
        if !isThere {
          .gone
        } else if cancelled.contains(load.ticket) {
          .cancelled
        } else if !isCurrent {
          .superseded
        } else {
          twin.open.contains(id) ? .applied : .hidden
        }
      let isGood = expected == .applied || expected == .hidden
      switch Int.random(in: 0..<10, using: &numbers) {
      case 0...5:
        let new = (0..<Int.random(in: 0..<4, using: &numbers)).map { "\(id).\(applied).\($0)" }
        #expect(load.finish(new.map { leaf($0) }) == expected)
        if isGood {
          for child in twin.children[id] ?? [] { twin.remove(child) }
          for child in new { twin.insert(child, under: id) }
          twin.states[id] = .loaded
          current[id] = nil
          applied += 1
        }
      case 6:
        #expect(load.fail(CancellationError()) == expected)
        if isGood {
          twin.states[id] = .failed
          current[id] = nil
        }
      case 7:
        #expect(load.cancel() == expected)
        if isGood {
          twin.states[id] = twin.before[id]
          current[id] = nil
          cancelled.insert(load.ticket)
        }
      case 8 where isThere:
        // A newer load of the same node, and the old one comes too late.
        try controller.reload(id)
        let newer = try #require(table.loads.last)
        pending += [newer, load]
        current[id] = newer
        cancelled.remove(load.ticket)
        twin.begin(id)
      default:
        pending.append(load)
      }
      // Meanwhile the user goes on.
      let other = folders[Int.random(in: 0..<folders.count, using: &numbers)]
      guard twin.states[other] != nil else { continue }
      switch Int.random(in: 0..<12, using: &numbers) {
      case 0...2:
        try controller.collapse(other)
        twin.open.remove(other)
      case 3:
        try controller.update { tree in try tree.delete(#require(tree.find(other))) }
        twin.remove(other)
      case 4:
        let count = table.loads.count
        try controller.expand(other)
        twin.open.insert(other)
        if twin.states[other] == .unloaded || twin.states[other] == .failed {
          twin.begin(other)
          #expect(table.loads.count == count + 1)
          let load = try #require(table.loads.last)
          pending.append(load)
          current[other] = load
        } else {
          #expect(table.loads.count == count)
        }
      default: break
      }
    }
    #expect(table.shown == twin.rows)
    #expect(table.ids(controller) == twin.rows)
    for (id, state) in twin.states where !id.contains(".") {
      #expect(try controller.tree.loadState(of: #require(controller.tree.find(id))) == state)
    }
    #expect(applied > 300)
  }
}
