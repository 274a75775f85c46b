import TreeKit

@testable import TreeKitTesting

typealias Controller = TreeController<String, Int>
typealias Item = TreeItem<String, Int>

/// An app with a tree, edited at random, and simulated views that show it.
final class RandomScreen: TreeControllerDelegate {
  let controller: Controller
  private(set) var numbers: Numbers
  let table: SimulatedBatchTable<String>
  let list: SimulatedStepTable<String>
  private var loads: [TreeLoad<String, Int>] = []
  private var made = 0
  /// How many edits may still be made in reply to being told of others.
  private var replies = 0
  /// Whether one was made while the present change is told.
  private var hasReplied = false
  /// What was reported, and at which step.
  private(set) var reported: [String] = []
  private var step = 0

  struct Failure: Error {}

  init(seed: UInt64, options: TreeOptions) {
    numbers = Numbers(state: seed)
    controller = Controller(options: options)
    var report: (SimulatedViolation) -> Void = { _ in }
    table = SimulatedBatchTable(
      SimulatedDataSource(of: controller, text: RandomScreen.look), onViolation: { report($0) })
    list = SimulatedStepTable(of: controller, text: RandomScreen.look, onViolation: { report($0) })
    report = { [unowned self] in reported.append("step \(step): \($0)") }
    table.beforeUpdateEnds = { [unowned self] in reply() }
    list.beforeUpdateEnds = { [unowned self] in reply() }
    controller.delegate = self
  }

  /// All that is to be seen of a row.
  static func look(_ row: TreeRow<String, Int>) -> String {
    let isLoading = row.loadState == .loading ? "loading" : row.loadState == .failed ? "failed" : ""
    return "\(row.item.value) \(isLoading) \(row.isExpandable ? "opens" : "") \(row.hasMore ? "more" : "")"
  }

  // MARK: Steps

  func run(_ steps: Int) throws {
    for _ in 0..<steps where reported.isEmpty {
      step += 1
      replies = oneIn(4) ? Int.random(in: 1...3, using: &numbers) : 0
      table.acceptsUpdates = !oneIn(50)
      try act()
      table.verify()
    }
  }

  private func act() throws {
    switch Int.random(in: 0..<20, using: &numbers) {
    case 0: try controller.expandAll(levels: Int.random(in: 1...3, using: &numbers))
    case 1: try controller.collapseAll()
    case 2: try any().map { try controller.collapseAll(under: $0) }
    case 3: try any().map { try controller.reveal($0) }
    case 4...8: try row().map { if controller.tree.isExpandable($0) { try controller.toggle($0) } }
    case 9...11: endLoad()
    case 12: try row().map { if try controller.tree.loadState(of: $0) != .leaf { try controller.reload($0) } }
    case 13:
      controller.targetLimit = oneIn(3) ? Int.random(in: 0..<4, using: &numbers) : 10_000
    default: try edits()
    }
  }

  /// Several edits in one update, some of them in updates within.
  private func edits() throws {
    try controller.update({ tree in
      for _ in 0..<Int.random(in: 1...6, using: &numbers) {
        if oneIn(5) { try controller.update { try edit($0) } } else { try edit(tree) }
      }
    }) { [unowned self] in
      reply()
      hasReplied = false
    }
  }

  private func edit(_ tree: Tree<String, Int>) throws {
    let node = any()
    switch Int.random(in: 0..<18, using: &numbers) {
    case 0...3: try tree.insert(item(), under: oneIn(3) ? nil : node, at: oneIn(2) ? 0 : nil)
    case 4: try tree.append(items(), to: node)
    case 5, 6, 7: if let node, tree.count > 25 || oneIn(3) { try tree.delete(node) }
    case 8, 9, 10:
      let other = oneIn(3) && !tree.options.hasSections ? nil : any()
      guard let node, node != other, other.map({ !tree.isNode($0, below: node) }) ?? true else { return }
      let count = try tree.children(of: other).count
      try tree.move(node, under: other, at: oneIn(2) || count == 0 ? nil : Int.random(in: 0..<count, using: &numbers))
    case 11, 12:
      made += 1
      if let node { try tree.setValue(of: node, to: made) }
    case 13:
      guard let node else { return }
      try tree.replace(node, with: Item(tree.id(of: node), value: made, children: .unchanged, sectionName: section()))
    case 14:
      let parent = oneIn(3) ? nil : node
      var kept = try tree.children(of: parent).shuffled(using: &numbers).map { try tree.item(at: $0) }
      if !kept.isEmpty && oneIn(2) { kept.removeLast() }
      if parent == nil || !kept.isEmpty { try tree.replace(childrenOf: parent, using: kept + [item()]) }
    case 15: try tree.sortChildren(of: node) { $0.value > $1.value }
    case 16: if let node, try tree.loadState(of: node) == .loaded { try tree.drop(node) }
    default: if let node, tree.isExpandable(node) { try tree.toggle(node) }
    }
  }

  private func endLoad() {
    guard let place = loads.indices.randomElement(using: &numbers) else { return }
    let load = loads[place]
    var hasEnded = true
    switch Int.random(in: 0..<6, using: &numbers) {
    case 0: load.fail(Failure())
    case 1: load.cancel()
    case 2, 3:
      load.append(page: items(), more: true)
      hasEnded = false
    default: load.finish(items())
    }
    if hasEnded { loads.remove(at: place) }
  }

  // MARK: Chance

  private func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &numbers) == 0 }

  private func row() -> TreeNode? {
    guard controller.tree.rowCount > 0 else { return nil }
    return controller.tree.node(atRow: Int.random(in: 0..<controller.tree.rowCount, using: &numbers))
  }

  /// A row, or something below it that is hidden.
  private func any() -> TreeNode? {
    guard var node = row() else { return nil }
    while !oneIn(3), let child = try? controller.tree.children(of: node).randomElement(using: &numbers) {
      node = child
    }
    return node
  }

  private func section() -> String? {
    controller.tree.options.hasSections && !oneIn(4) ? "s\(Int.random(in: 0..<4, using: &numbers))" : nil
  }

  private func item(_ depth: Int = 0) -> Item {
    made += 1
    let number = made
    let children: Item.Children =
      switch Int.random(in: 0..<6, using: &numbers) {
      case 0: .unloaded
      case 1, 2:
        depth < 3 ? .loaded((0..<Int.random(in: 0...3, using: &numbers)).map { _ in item(depth + 1) }) : .leaf
      default: .leaf
      }
    return Item("\(number)", value: number % 7, children: children, sectionName: depth == 0 ? section() : nil)
  }

  private func items() -> [Item] { (0..<Int.random(in: 0...4, using: &numbers)).map { _ in item(1) } }

  // MARK: What the controller asks and tells

  /// An edit made where others are being told. After the first one what was hidden stays so: a view that was to draw a row
  /// meanwhile got none, and would have to be told when it is back.
  private func reply() {
    guard replies > 0, oneIn(2) else { return }
    replies -= 1
    do {
      if hasReplied { try additions() } else { try edits() }
    } catch { reported.append("step \(step): \(error)") }
    hasReplied = true
  }

  private func additions() throws {
    try controller.update { tree in
      for _ in 0..<Int.random(in: 1...3, using: &numbers) {
        made += 1
        guard let node = row() else { continue }
        if oneIn(2) { try tree.insert(item(), under: node) } else { try tree.setValue(of: node, to: made % 3) }
      }
    }
  }

  func controller(_ controller: Controller, willChangeNode item: Item, to state: TreeNodeState) -> Item? {
    guard oneIn(4), case .unloaded = item.children, state == .expanded else { return nil }
    return item.copyWithChildren(oneIn(4) ? nil : items())
  }

  func controller(_ controller: Controller, load: TreeLoad<String, Int>) {
    if oneIn(4) { load.finish(items()) } else { loads.append(load) }
  }

  func controller(_ controller: Controller, changed changes: TreeChanges) {
    if controller.delegateAppliesChanges && controller.target == nil {
      if oneIn(3) { reply() }
      controller.applyChanges(to: table)
    }
    reply()
    hasReplied = false
  }
}
