public import TreeKit

/// An outline that takes the changes of a tree, as `NSOutlineView` does, and tolerates nothing.
///
/// It keeps which items are open and what their children are, changes that by what it is told alone, and asks your data source for
/// counts, children and cells at every call.
public final class SimulatedOutline<ID: Hashable>: SimulatedView {
  /// What it asks.
  public let source: SimulatedOutlineSource<ID>
  private var shown = ShownItems<ID>()
  private var hasSteps = false
  private var reloaded: Set<TreeOutlineItem> = []

  /// Makes an outline that has not been laid out yet.
  ///
  /// - Parameters:
  ///   - source: What it asks.
  ///   - onViolation: Told of each rule that is broken, at once. The program stops there unless it is given.
  /// - Complexity: O(1).
  public init(
    _ source: SimulatedOutlineSource<ID>,
    onViolation: @escaping (SimulatedViolation) -> Void = SimulatedViolation.stop
  ) {
    self.source = source
    super.init(onViolation)
  }

  // MARK: What is shown

  /// The cells of all rows that are shown, at their levels.
  /// - Complexity: O(rows).
  public var cells: [SimulatedCell<ID>] {
    layoutIfNeeded()
    return shown.rows.compactMap { row in row.cell.map { SimulatedCell($0.id, text: $0.text, level: row.level) } }
  }

  /// The identifiers of all rows that are shown.
  /// - Complexity: O(rows).
  public var identifiers: [ID] { cells.map(\.id) }

  /// Whether an item is shown open.
  /// - Complexity: O(1).
  public func isExpanded(_ item: TreeOutlineItem) -> Bool { shown.isOpen(item) }

  // MARK: Checks

  /// After a reload everything is closed, and what is open is told.
  override func load(afterReload: Bool) { shown = ShownItems(asking: source, areClosed: afterReload) }

  override func checkLoaded() throws(SimulatedViolation) { try shown.checkCells(source, needsCells: true) }

  override func checkNothingHasSwitched(_ when: String) throws(SimulatedViolation) {
    try shown.check(against: source, .beginsWithWhatIsShown, when)
  }

  override func checkAll() throws(SimulatedViolation) {
    try shown.checkCells(source, needsCells: true)
    try shown.checkLooks(source)
    try shown.checkOpen(source)
  }

  override func begin() {
    hasSteps = false
    reloaded = []
  }

  override func end() throws(SimulatedViolation) {
    try shown.check(against: source, .stepsAddUp, "At the end of the update")
    try shown.checkCells(source, needsCells: false)
  }

  override func accept() {
    attempt { () throws(SimulatedViolation) in
      try shown.check(against: source, .countsSwitchInside, "After the update")
    }
  }
}

// MARK: - The calls

extension SimulatedOutline: OutlineUpdateTarget {
  /// Puts items in, and asks for them.
  /// - Complexity: O(children), and what is shown of the items.
  public func insertItems(_ positions: Range<Int>, under parent: TreeOutlineItem?) {
    step("insertItems") { () throws(SimulatedViolation) in try shown.insert(positions, parent, source) }
  }

  /// Takes items away, with all that is shown below them.
  /// - Complexity: O(children), and what is shown of the items.
  public func removeItems(_ positions: Range<Int>, under parent: TreeOutlineItem?) {
    step("removeItems") { () throws(SimulatedViolation) in try shown.remove(positions, parent, source) }
  }

  /// Takes an item out and puts it in elsewhere, with all that is shown below it.
  /// - Complexity: O(children), and the levels above the new place.
  public func moveItem(
    _ position: Int, under parent: TreeOutlineItem?, to target: Int, under newParent: TreeOutlineItem?
  ) {
    step("moveItem") { () throws(SimulatedViolation) in
      try shown.move(position, parent, to: target, newParent, source)
    }
  }

  /// Draws an item anew.
  /// - Complexity: O(1).
  public func reloadItem(_ item: TreeOutlineItem) {
    call("reloadItem") { () throws(SimulatedViolation) in
      guard !hasSteps else {
        throw SimulatedViolation(
          .noReloadsBesideSteps, "\(shown.text(item)) is reloaded in an update that has steps.")
      }
      guard reloaded.insert(item).inserted else {
        throw SimulatedViolation(.nothingTwice, "\(shown.text(item)) is reloaded twice.")
      }
      try shown.reload(item, source)
    }
  }

  /// Opens an item, and asks for its children.
  /// - Complexity: O(children).
  public func expandItem(_ item: TreeOutlineItem) {
    turn("expandItem") { () throws(SimulatedViolation) in try shown.expand(item, source) }
  }

  /// Closes an item, and all below it.
  /// - Complexity: O(what is shown below it).
  public func collapseItem(_ item: TreeOutlineItem) {
    turn("collapseItem") { () throws(SimulatedViolation) in try shown.collapse(item, source) }
  }

  private func step(_ name: String, _ body: () throws(SimulatedViolation) -> Void) {
    call(name) { () throws(SimulatedViolation) in
      guard reloaded.isEmpty else {
        throw SimulatedViolation(.noReloadsBesideSteps, "\(name) was called in an update that reloads items.")
      }
      hasSteps = true
      try body()
    }
  }

  /// What opens or closes does so outside of updates; an outline that is not laid out yet does that first.
  private func turn(_ name: String, _ body: () throws(SimulatedViolation) -> Void) {
    layoutIfNeeded()
    attempt { () throws(SimulatedViolation) in
      guard !isUpdating else {
        throw SimulatedViolation(.opensAndClosesOnce, "\(name) was called in the midst of an update.")
      }
      try body()
    }
  }
}
