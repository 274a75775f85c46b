public import TreeKit

/// A table that takes all change of its rows at once, as `UITableView` and `UICollectionView` do, and tolerates nothing.
///
/// It draws nothing. It asks your data source for counts and cells whenever a real table may ask: when it is laid out, before
/// an update, inside of it and after it. It applies what it is told to the cells that it shows, and compares. What breaks one of
/// the rules is reported; then it is loaded anew, so that one fault is reported once.
///
/// ```swift
/// let table = SimulatedBatchTable(of: controller) { Issue.record("\($0)") }
/// controller.target = table
/// try controller.expand("Poems")
/// table.verify()
/// #expect(table.identifiers == [["Essays", "Poems", "Ariel"]])
/// ```
public final class SimulatedBatchTable<ID: Hashable> {
  /// What it asks.
  public let source: SimulatedDataSource<ID>
  /// Whether it takes updates; where it does not, it is loaded anew instead.
  public var acceptsUpdates = true
  /// What it has reported, in order.
  /// - Complexity: O(1).
  public private(set) var violations: [SimulatedViolation] = []
  /// How often it was loaded anew by a call.
  /// - Complexity: O(1).
  public private(set) var reloadCount = 0
  /// How many updates it has taken.
  /// - Complexity: O(1).
  public private(set) var updateCount = 0

  private let onViolation: (SimulatedViolation) -> Void
  private var shown = ShownTable<ID>()
  private var needsLayout = true
  private var update: Update?
  /// Runs when all calls of an update have been made, as code of an app may.
  var beforeUpdateEnds: () -> Void = {}

  private struct Update {
    var calls = BatchCalls()
    var switches: Switches<ID>
    var isBroken = false
  }

  /// Makes a table that has not been laid out yet.
  ///
  /// - Parameters:
  ///   - source: What it asks.
  ///   - onViolation: Told of each rule that is broken, at once. The program stops there unless it is given.
  /// - Complexity: O(1).
  public init(
    _ source: SimulatedDataSource<ID>,
    onViolation: @escaping (SimulatedViolation) -> Void = SimulatedViolation.stop
  ) {
    self.source = source
    self.onViolation = onViolation
  }

  /// Makes a table of a controller's rows, whose cells show the values. The controller is held, and holds the table weakly.
  /// - Complexity: O(1).
  public convenience init<Value>(
    of controller: TreeController<ID, Value>,
    onViolation: @escaping (SimulatedViolation) -> Void = SimulatedViolation.stop
  ) {
    self.init(SimulatedDataSource(of: controller), onViolation: onViolation)
  }

  // MARK: What is shown

  /// The cells of each section that are shown.
  /// - Complexity: O(rows); what ``layoutIfNeeded()`` costs where it was loaded anew.
  public var cells: [[SimulatedCell<ID>]] {
    layoutIfNeeded()
    return shown.sections.map { $0.cells.compactMap { $0 } }
  }

  /// The identifiers of each section's rows that are shown.
  /// - Complexity: As ``cells``.
  public var identifiers: [[ID]] { cells.map { $0.map(\.id) } }

  /// The headers that are shown; none in a table without.
  /// - Complexity: O(sections); as ``cells`` where it was loaded anew.
  public var headers: [SimulatedCell<AnyHashable>] {
    layoutIfNeeded()
    return shown.sections.compactMap(\.header)
  }

  /// Asks for all counts and cells, where it was loaded anew since the last time.
  /// - Complexity: O(rows).
  public func layoutIfNeeded() {
    guard needsLayout, update == nil else { return }
    needsLayout = false
    shown = ShownTable(asking: source)
    attempt { () throws(SimulatedViolation) in try shown.checkCells(of: source) }
  }

  /// Compares all that is shown, and how it looks, with what the data source has now. Call it when nothing is under way.
  ///
  /// - Returns: Whether it is the same; what is not has been reported.
  /// - Complexity: O(rows).
  @discardableResult
  public func verify() -> Bool {
    layoutIfNeeded()
    return attempt { () throws(SimulatedViolation) in
      guard update == nil else {
        throw SimulatedViolation(.oneUpdateAtATime, "It was to be compared in the midst of an update.")
      }
      let now = ShownTable(asking: source)
      try now.check(against: shown, .countsSwitchInside, .beginsWithWhatIsShown, "Outside of an update")
      try now.checkCells(of: source)
      try shown.checkLooks(against: now)
    }
  }

  // MARK: Reports

  /// Runs a check, and begins anew where it fails.
  @discardableResult
  private func attempt(_ check: () throws(SimulatedViolation) -> Void) -> Bool {
    do throws(SimulatedViolation) {
      try check()
      return true
    } catch {
      report(error)
      return false
    }
  }

  private func report(_ violation: SimulatedViolation) {
    if update == nil { shown = ShownTable(asking: source) } else { update?.isBroken = true }
    violations.append(violation)
    onViolation(violation)
  }
}

// MARK: - The calls

extension SimulatedBatchTable: BatchUpdateTarget {
  /// Lays out what is to be shown; where that was done before, looks whether the data source still says the same.
  /// - Complexity: O(rows).
  public func prepareForUpdate() {
    guard update == nil else {
      return report(SimulatedViolation(.oneUpdateAtATime, "The table was to be laid out in the midst of an update."))
    }
    guard !needsLayout else { return layoutIfNeeded() }
    attempt(checkNothingHasSwitched)
  }

  private func checkNothingHasSwitched() throws(SimulatedViolation) {
    try ShownTable(asking: source)
      .check(against: shown, .countsSwitchInside, .beginsWithWhatIsShown, "Before the update")
  }

  /// Forgets what is shown; counts and cells are asked for with the next layout.
  /// - Complexity: O(1).
  public func reloadData() {
    guard update == nil else {
      return report(SimulatedViolation(.oneUpdateAtATime, "The table was loaded anew in the midst of an update."))
    }
    reloadCount += 1
    needsLayout = true
  }

  /// Runs an update, and checks it.
  /// - Complexity: O(rows), and O(sections) for each call within.
  public func performUpdate(_ body: @escaping () -> Void) {
    guard update == nil else {
      report(SimulatedViolation(.oneUpdateAtATime, "An update began within another one."))
      return body()
    }
    updateCount += 1
    if needsLayout {
      report(SimulatedViolation(.laidOutBeforeUpdate, "An update began in a table that was never laid out."))
      needsLayout = false
    }
    update = Update(switches: Switches(from: shown))
    attempt(checkNothingHasSwitched)
    body()
    if update?.isBroken == false { attempt(finish) }
    let isBroken = update?.isBroken ?? false
    update = nil
    if isBroken { shown = ShownTable(asking: source) }
  }

  /// All calls have been made, and the data source has switched.
  private func finish() throws(SimulatedViolation) {
    guard var ending = update else { return }
    let new = ShownTable(asking: source)
    try ending.switches.end(with: new)
    var check = BatchCheck(from: shown, to: new, ending.calls)
    let result = try check.result()
    try new.checkIdentifiers(of: source)
    beforeUpdateEnds()
    guard update?.isBroken == false else { return }
    try ShownTable(asking: source)
      .check(against: result, .countsSwitchInside, .countsSwitchInside, "At the end of the update")
    shown = result
  }

  /// One call within an update, at which the data source is asked for its counts.
  private func call(_ name: String, _ note: (inout BatchCalls) -> Void) {
    guard update != nil else {
      return report(SimulatedViolation(.changesInsideUpdate, "There was none when \(name) was called."))
    }
    guard var asking = update, !asking.isBroken else { return }
    note(&asking.calls)
    attempt { () throws(SimulatedViolation) in
      defer { update = asking }
      try asking.switches.ask(source, name)
    }
  }

  /// Notes sections that go, in old numbers.
  /// - Complexity: O(sections).
  public func deleteSections(_ sections: Range<Int>) {
    call("deleteSections") { $0.sections.deletes += sections }
  }

  /// Notes sections that come, in new numbers.
  /// - Complexity: O(sections).
  public func insertSections(_ sections: Range<Int>) {
    call("insertSections") { $0.sections.inserts += sections }
  }

  /// Notes sections that move.
  /// - Complexity: O(sections).
  public func moveSections(_ move: TreeChanges.SectionMove) {
    call("moveSections") { calls in
      calls.sections.moves += (0..<move.count).map { BatchMove(from: move.from + $0, to: move.to + $0) }
    }
  }

  /// Notes sections to draw anew, in old numbers: where others move they must not be told at all.
  /// - Complexity: O(sections).
  public func reloadSections(_ sections: Range<Int>) {
    call("reloadSections") { $0.sections.reloads += sections }
  }

  /// Notes rows that go, in old numbers.
  /// - Complexity: O(sections and rows named).
  public func deleteRows(_ rows: TreeChanges.Rows) {
    call("deleteRows") { $0.rows.deletes += rows.indexPaths }
  }

  /// Notes rows that come, in new numbers.
  /// - Complexity: O(sections and rows named).
  public func insertRows(_ rows: TreeChanges.Rows) {
    call("insertRows") { $0.rows.inserts += rows.indexPaths }
  }

  /// Notes rows that move.
  /// - Complexity: O(sections and rows named).
  public func moveRows(_ move: TreeChanges.RowMove) {
    call("moveRows") { calls in
      calls.rows.moves += move.indexPaths.map { BatchMove(from: $0.from, to: $0.to) }
    }
  }

  /// Notes rows to draw anew, in old numbers: where others move they must not be told at all.
  /// - Complexity: O(sections and rows named).
  public func reloadRows(_ rows: TreeChanges.Rows) {
    call("reloadRows") { $0.rows.reloads += rows.indexPaths }
  }
}
