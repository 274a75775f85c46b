public import TreeKit

/// A table that takes the changes of its rows one after the other, as `NSTableView` does, and tolerates nothing. Rows are numbered
/// through all sections.
///
/// Each step is applied to the rows that are shown, and must be possible at its moment; after the last one they must be those
/// that the data source has.
public final class SimulatedStepTable<ID: Hashable>: SimulatedTable<ID> {
  private var steps = StepUpdate<ID>([])

  /// Makes a table that has not been laid out yet.
  ///
  /// - Parameters:
  ///   - numberOfRows: How many rows there are.
  ///   - onViolation: Told of each rule that is broken, at once. The program stops there unless it is given.
  ///   - cell: The cell of a row; `nil` for one that an update has removed, until the table is told.
  /// - Complexity: O(1).
  public init(
    numberOfRows: @escaping () -> Int,
    onViolation: @escaping (SimulatedViolation) -> Void = SimulatedViolation.stop,
    cell: @escaping (_ row: Int) -> SimulatedCell<ID>?
  ) {
    super.init(
      SimulatedDataSource(numberOfRows: { _ in numberOfRows() }, cell: { cell($0.row) }), onViolation)
  }

  /// Makes a table of a controller's rows, whose cells show the values unless told otherwise. The controller is held, and holds
  /// the table weakly.
  ///
  /// - Parameters:
  ///   - controller: Whose rows are shown.
  ///   - text: What a reader sees of a row.
  ///   - onViolation: Told of each rule that is broken, at once. The program stops there unless it is given.
  /// - Complexity: O(1).
  public init<Value>(
    of controller: TreeController<ID, Value>,
    text: @escaping (TreeRow<ID, Value>) -> String = { "\($0.item.value)" },
    onViolation: @escaping (SimulatedViolation) -> Void = SimulatedViolation.stop
  ) {
    super.init(SimulatedDataSource(ofAllSectionsOf: controller, text), onViolation)
  }

  // MARK: What is shown

  /// The cells that are shown.
  /// - Complexity: O(rows).
  public var cells: [SimulatedCell<ID>] {
    layoutIfNeeded()
    return shown.sections.flatMap(\.cells).compactMap { $0 }
  }

  /// The identifiers of the rows that are shown.
  /// - Complexity: O(rows).
  public var identifiers: [ID] { cells.map(\.id) }

  // MARK: Updates

  override func begin() {
    super.begin()
    steps = StepUpdate(shown.sections.first?.cells ?? [])
  }

  override func applied(to new: ShownTable<ID>) throws(SimulatedViolation) -> ShownTable<ID> {
    ShownTable([ShownSection(header: nil, cells: try steps.result(new.sections[0].cells))])
  }
}

extension SimulatedStepTable: StepUpdateTarget {
  /// Takes rows away.
  /// - Complexity: O(rows).
  public func removeRows(_ rows: Range<Int>) {
    note("removeRows") { () throws(SimulatedViolation) in try steps.remove(rows) }
  }

  /// Puts rows in, whose cells are asked for when the update ends.
  /// - Complexity: O(rows).
  public func insertRows(_ rows: Range<Int>) {
    note("insertRows") { () throws(SimulatedViolation) in try steps.insert(rows) }
  }

  /// Takes a row out and puts it in elsewhere.
  /// - Complexity: O(rows).
  public func moveRow(_ row: Int, to target: Int) {
    note("moveRow") { () throws(SimulatedViolation) in try steps.move(row, to: target) }
  }

  /// Draws rows anew, when the update ends.
  /// - Complexity: O(rows).
  public func reloadRows(_ rows: Range<Int>) {
    note("reloadRows") { () throws(SimulatedViolation) in try steps.reload(rows) }
  }
}
