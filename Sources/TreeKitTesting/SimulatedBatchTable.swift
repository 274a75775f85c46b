public import TreeKit

/// A table that takes all change of its rows at once, as `UITableView` and `UICollectionView` do, and tolerates nothing.
///
/// It draws nothing. It asks your data source for counts and cells whenever a real table may ask: when it is laid out, before
/// an update, inside of it and after it. It applies what it is told to the cells that it shows, and compares.
///
/// ```swift
/// let table = SimulatedBatchTable(of: controller) { Issue.record("\($0)") }
/// controller.target = table
/// try controller.expand("Poems")
/// table.verify()
/// #expect(table.identifiers == [["Essays", "Poems", "Ariel"]])
/// ```
public final class SimulatedBatchTable<ID: Hashable>: SimulatedTable<ID> {
  private var calls = BatchCalls()

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
    super.init(source, onViolation)
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
  /// - Complexity: O(rows).
  public var cells: [[SimulatedCell<ID>]] {
    layoutIfNeeded()
    return shown.sections.map { $0.cells.compactMap { $0 } }
  }

  /// The identifiers of each section's rows that are shown.
  /// - Complexity: O(rows).
  public var identifiers: [[ID]] { cells.map { $0.map(\.id) } }

  /// The headers that are shown; none in a table without.
  /// - Complexity: O(sections), and O(rows) where it was loaded anew.
  public var headers: [SimulatedCell<AnyHashable>] {
    layoutIfNeeded()
    return shown.sections.compactMap(\.header)
  }

  // MARK: Updates

  override func begin() {
    super.begin()
    calls = BatchCalls()
  }

  override func applied(to new: ShownTable<ID>) throws(SimulatedViolation) -> ShownTable<ID> {
    var check = BatchCheck(from: shown, to: new, calls)
    return try check.result()
  }
}

extension SimulatedBatchTable: BatchUpdateTarget {
  /// Notes sections that go, in old numbers.
  /// - Complexity: O(sections).
  public func deleteSections(_ sections: Range<Int>) {
    note("deleteSections") { calls.sections.deletes += sections }
  }

  /// Notes sections that come, in new numbers.
  /// - Complexity: O(sections).
  public func insertSections(_ sections: Range<Int>) {
    note("insertSections") { calls.sections.inserts += sections }
  }

  /// Notes sections that move.
  /// - Complexity: O(sections).
  public func moveSections(_ move: TreeChanges.SectionMove) {
    note("moveSections") {
      calls.sections.moves += (0..<move.count).map { BatchMove(from: move.from + $0, to: move.to + $0) }
    }
  }

  /// Notes sections to draw anew, in old numbers: where others move they must not be told at all.
  /// - Complexity: O(sections).
  public func reloadSections(_ sections: Range<Int>) {
    note("reloadSections") { calls.sections.reloads += sections }
  }

  /// Notes rows that go, in old numbers.
  /// - Complexity: O(sections and rows named).
  public func deleteRows(_ rows: TreeChanges.Rows) {
    note("deleteRows") { calls.rows.deletes += rows.indexPaths }
  }

  /// Notes rows that come, in new numbers.
  /// - Complexity: O(sections and rows named).
  public func insertRows(_ rows: TreeChanges.Rows) {
    note("insertRows") { calls.rows.inserts += rows.indexPaths }
  }

  /// Notes rows that move.
  /// - Complexity: O(sections and rows named).
  public func moveRows(_ move: TreeChanges.RowMove) {
    note("moveRows") {
      calls.rows.moves += move.indexPaths.map { BatchMove(from: $0.from, to: $0.to) }
    }
  }

  /// Notes rows to draw anew, in old numbers: where others move they must not be told at all.
  /// - Complexity: O(sections and rows named).
  public func reloadRows(_ rows: TreeChanges.Rows) {
    note("reloadRows") { calls.rows.reloads += rows.indexPaths }
  }
}
