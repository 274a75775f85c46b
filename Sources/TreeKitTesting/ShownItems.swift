import TreeKit

/// What an outline shows: the children of each item that is open, and the cells of all.
struct ShownItems<ID: Hashable> {
  /// Of the top level, `nil`, and of what is open.
  private var children: [TreeOutlineItem?: [TreeOutlineItem]] = [:]
  private var parents: [TreeOutlineItem: TreeOutlineItem?] = [:]
  /// Of all that is shown. A cell is `nil` where its item had been removed already when it was to be drawn.
  private var cells: [TreeOutlineItem: SimulatedCell<ID>?] = [:]

  init() {}

  /// Shows what the data source has: the top level, and what is to be open unless all are closed.
  init(asking source: SimulatedOutlineSource<ID>, areClosed: Bool) {
    var rest: [TreeOutlineItem?] = [nil]
    while let item = rest.popLast() {
      let found = source.children(of: item)
      take(found, below: item, source)
      children[item] = found
      if !areClosed { rest += found.filter(source.isExpanded) }
    }
  }

  private mutating func take(
    _ items: [TreeOutlineItem], below parent: TreeOutlineItem?, _ source: SimulatedOutlineSource<ID>
  ) {
    for item in items {
      parents.updateValue(parent, forKey: item)
      cells.updateValue(source.cell(item), forKey: item)
    }
  }

  // MARK: Reading

  func isOpen(_ item: TreeOutlineItem?) -> Bool { children[item] != nil }

  /// All rows from the top.
  var rows: [(item: TreeOutlineItem, cell: SimulatedCell<ID>?, level: Int)] {
    var found: [(TreeOutlineItem, SimulatedCell<ID>?, Int)] = []
    var rest = (children[nil] ?? []).reversed().map { ($0, 0) }
    while let (item, level) = rest.popLast() {
      found.append((item, cells[item] ?? nil, level))
      rest += (children[item] ?? []).reversed().map { ($0, level + 1) }
    }
    return found
  }

  func text(_ item: TreeOutlineItem?) -> String {
    guard let item else { return "The top level" }
    guard let cell = cells[item] else { return "An item that is not shown" }
    return "Item " + (cell.map { "\($0)" } ?? "without a cell")
  }

  // MARK: Steps

  mutating func insert(
    _ positions: Range<Int>, _ parent: TreeOutlineItem?, _ source: SimulatedOutlineSource<ID>
  ) throws(SimulatedViolation) {
    let count = try list(parent).count
    try check("inserted", positions, parent, within: count + positions.count)
    try checkCount(count + positions.count, parent, source)
    let new = positions.map { source.child($0, parent) }
    try checkNew(new, source)
    children[parent]?.insert(contentsOf: new, at: positions.lowerBound)
    take(new, below: parent, source)
    try check(parent, against: source, .answersAfterEachCall, "After an insert")
  }

  mutating func remove(
    _ positions: Range<Int>, _ parent: TreeOutlineItem?, _ source: SimulatedOutlineSource<ID>
  ) throws(SimulatedViolation) {
    let old = try list(parent)
    try check("removed", positions, parent, within: old.count)
    children[parent]?.removeSubrange(positions)
    for item in old[positions] {
      forget(below: item)
      parents[item] = nil
      cells[item] = nil
    }
    try check(parent, against: source, .answersAfterEachCall, "After a removal")
  }

  mutating func move(
    _ position: Int, _ parent: TreeOutlineItem?, to target: Int, _ newParent: TreeOutlineItem?,
    _ source: SimulatedOutlineSource<ID>
  ) throws(SimulatedViolation) {
    let old = try list(parent)
    let new = try list(newParent)
    try check("moved", position..<position + 1, parent, within: old.count)
    // The target counts without what is taken out.
    try check("moved to", target..<target + 1, newParent, within: new.count + (parent == newParent ? 0 : 1))
    let item = old[position]
    guard parent != newParent || position != target else {
      throw SimulatedViolation(
        .movesLeadElsewhere, "\(text(item)) moves from \(position) to \(target) of its parent.")
    }
    var above = newParent
    while let at = above {
      guard at != item else {
        throw SimulatedViolation(.neverBelowItself, "\(text(item)) moves below \(text(newParent)).")
      }
      above = parents[at] ?? nil
    }
    children[parent]?.remove(at: position)
    children[newParent]?.insert(item, at: target)
    parents.updateValue(newParent, forKey: item)
    try check(parent, against: source, .answersAfterEachCall, "After a move")
    try check(newParent, against: source, .answersAfterEachCall, "After a move")
  }

  mutating func reload(_ item: TreeOutlineItem, _ source: SimulatedOutlineSource<ID>) throws(SimulatedViolation) {
    guard let was = cells[item] else {
      throw SimulatedViolation(.stepsCountAsTheyGo, "An item is reloaded that is not shown.")
    }
    let now = source.cell(item)
    if let was, let now, was.id != now.id {
      throw SimulatedViolation(.beginsWithWhatIsShown, "\(text(item)) has become \(now).")
    }
    if let now { cells.updateValue(now, forKey: item) }
  }

  // MARK: Opening and closing

  mutating func expand(_ item: TreeOutlineItem, _ source: SimulatedOutlineSource<ID>) throws(SimulatedViolation) {
    guard cells[item] != nil else {
      throw SimulatedViolation(.nothingBelowClosedItems, "An item opens that is not shown.")
    }
    guard !isOpen(item), source.isExpandable(item), source.isExpanded(item) else {
      throw SimulatedViolation(
        .opensAndClosesOnce,
        "\(text(item)) opens, which \(isOpen(item) ? "is open already" : "the data source says is not to be open").")
    }
    let new = source.children(of: item)
    try checkNew(new, source)
    children[item] = new
    take(new, below: item, source)
  }

  mutating func collapse(_ item: TreeOutlineItem, _ source: SimulatedOutlineSource<ID>) throws(SimulatedViolation) {
    guard isOpen(item), !source.isExpanded(item) else {
      throw SimulatedViolation(
        .opensAndClosesOnce,
        "\(text(item)) closes, which \(isOpen(item) ? "the data source says is open" : "is closed already").")
    }
    forget(below: item)
  }

  /// Nothing below an item is shown any more.
  private mutating func forget(below item: TreeOutlineItem) {
    var rest = [item]
    while let next = rest.popLast() {
      for child in children.removeValue(forKey: next) ?? [] {
        parents[child] = nil
        cells[child] = nil
        rest.append(child)
      }
    }
  }
}

// MARK: - Checks

extension ShownItems {
  /// The children of an item that is open.
  private func list(_ parent: TreeOutlineItem?) throws(SimulatedViolation) -> [TreeOutlineItem] {
    if let list = children[parent] { return list }
    throw SimulatedViolation(.nothingBelowClosedItems, "\(text(parent)) is closed, and children of it are told.")
  }

  private func check(
    _ what: String, _ positions: Range<Int>, _ parent: TreeOutlineItem?, within count: Int
  ) throws(SimulatedViolation) {
    guard positions.lowerBound < 0 || positions.upperBound > count else { return }
    throw SimulatedViolation(
      .stepsCountAsTheyGo,
      "Children \(positions) are \(what), where \(text(parent)) has \(children[parent]?.count ?? 0).")
  }

  private func checkCount(
    _ count: Int, _ parent: TreeOutlineItem?, _ source: SimulatedOutlineSource<ID>
  ) throws(SimulatedViolation) {
    let now = source.numberOfChildren(parent)
    guard now != count else { return }
    throw SimulatedViolation(
      .answersAfterEachCall, "\(text(parent)) has \(now) children, and \(count) after the call.")
  }

  /// What comes is not shown anywhere, and closed.
  private func checkNew(_ new: [TreeOutlineItem], _ source: SimulatedOutlineSource<ID>) throws(SimulatedViolation) {
    guard Set(new).count == new.count, !new.contains(where: { cells[$0] != nil }) else {
      throw SimulatedViolation(.identifiersAreUnique, "An item comes that is shown already.")
    }
    guard let open = new.first(where: source.isExpanded) else { return }
    throw SimulatedViolation(
      .itemsComeClosed, "\(source.cell(open).map { "\($0)" } ?? "An item") comes, and is to be open.")
  }

  /// That an item has the children that the data source says, as the same objects.
  private func check(
    _ item: TreeOutlineItem?, against source: SimulatedOutlineSource<ID>, _ rule: SimulatedRule, _ when: String
  ) throws(SimulatedViolation) {
    let now = source.children(of: item)
    let list = children[item] ?? []
    guard now != list else { return }
    let place = zip(now, list).enumerated().first { $1.0 != $1.1 }?.offset
    throw SimulatedViolation(
      now.count == list.count ? rule : (rule == .beginsWithWhatIsShown ? .countsSwitchInside : rule),
      place.map { "\(when) \(text(item)) has another child at \($0) than is shown, \(text(list[$0]))." }
        ?? "\(when) \(text(item)) has \(now.count) children, and \(list.count) are shown.")
  }

  /// The same of all that is open.
  func check(
    against source: SimulatedOutlineSource<ID>, _ rule: SimulatedRule, _ when: String
  ) throws(SimulatedViolation) {
    for item in children.keys { try check(item, against: source, rule, when) }
  }

  /// That every item has a cell, and no identifier is there twice.
  func checkCells(_ source: SimulatedOutlineSource<ID>, needsCells: Bool) throws(SimulatedViolation) {
    var known: Set<ID> = []
    for row in rows {
      guard let cell = source.cell(row.item) else {
        if needsCells {
          throw SimulatedViolation(.everyRowHasACell, "\(text(row.item)) has none.")
        }
        continue
      }
      if source.hasUniqueIdentifiers, !known.insert(cell.id).inserted {
        throw SimulatedViolation(.identifiersAreUnique, "Two items are both \(cell.id).")
      }
    }
  }

  func checkLooks(_ source: SimulatedOutlineSource<ID>) throws(SimulatedViolation) {
    for row in rows where row.cell?.text != source.cell(row.item)?.text {
      throw SimulatedViolation(
        .whatChangedIsReloaded, "\(text(row.item)) is \(source.cell(row.item).map { "\($0)" } ?? "gone").")
    }
  }

  /// That what is open is what is to be open, and the rows are those of the data source, where it says them.
  func checkOpen(_ source: SimulatedOutlineSource<ID>) throws(SimulatedViolation) {
    for row in rows where isOpen(row.item) != source.isExpanded(row.item) {
      throw SimulatedViolation(
        .opensAndClosesOnce, "\(text(row.item)) is shown \(isOpen(row.item) ? "open" : "closed"), and is not.")
    }
    guard let expected = source.rows?() else { return }
    let found = rows.compactMap { row in row.cell.map { SimulatedCell($0.id, level: row.level) } }
    guard found != expected else { return }
    throw SimulatedViolation(.rowsFollow, "They are \(found), and should be \(expected).")
  }
}
