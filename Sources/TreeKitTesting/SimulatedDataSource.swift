public import TreeKit

/// Where a simulated table gets counts and cells: your data source, asked as a real table asks it.
///
/// ```swift
/// let source = SimulatedDataSource(
///   numberOfSections: { screen.sections.count },
///   numberOfRows: { screen.sections[$0].rows.count },
///   cell: { SimulatedCell(screen.row(at: $0).id, text: screen.row(at: $0).title) })
/// ```
public struct SimulatedDataSource<ID: Hashable> {
  /// How many sections there are.
  public var numberOfSections: () -> Int
  /// How many rows a section has.
  public var numberOfRows: (_ section: Int) -> Int
  /// The cell of a row; `nil` for one that an update has removed, until the table is told.
  public var cell: (TreeIndexPath) -> SimulatedCell<ID>?
  /// The header of a section; `nil` where sections have none, and any of them may stand for any other.
  public var header: (_ section: Int) -> SimulatedCell<AnyHashable>?
  /// Whether no two rows have the same identifier, in whichever section.
  public var hasUniqueIdentifiers = true

  /// Makes a data source of the questions that it answers.
  ///
  /// - Parameters:
  ///   - numberOfSections: How many sections there are; one unless given.
  ///   - numberOfRows: How many rows a section has.
  ///   - cell: The cell of a row; `nil` for one that an update has removed, until the table is told.
  ///   - header: The header of a section; `nil` where there is none.
  /// - Complexity: O(1).
  public init(
    numberOfSections: @escaping () -> Int = { 1 },
    numberOfRows: @escaping (_ section: Int) -> Int,
    cell: @escaping (TreeIndexPath) -> SimulatedCell<ID>?,
    header: @escaping (_ section: Int) -> SimulatedCell<AnyHashable>? = { _ in nil }
  ) {
    self.numberOfSections = numberOfSections
    self.numberOfRows = numberOfRows
    self.cell = cell
    self.header = header
  }

  /// Makes a data source of what a controller says of its rows. The controller is held.
  ///
  /// - Parameters:
  ///   - controller: Whose rows are shown.
  ///   - text: What a reader sees of a row; its value unless given.
  /// - Complexity: O(1); each answer costs what the controller's costs.
  public init<Value>(
    of controller: TreeController<ID, Value>,
    text: @escaping (TreeRow<ID, Value>) -> String = { "\($0.item.value)" }
  ) {
    self.init(
      numberOfSections: { controller.sectionCount },
      numberOfRows: { controller.numberOfRows(inSection: $0) },
      cell: { path in
        controller.row(at: path).map { SimulatedCell($0.item.id, text: text($0), level: $0.level) }
      },
      header: { SimulatedCell(AnyHashable(controller.sectionName($0))) })
    hasUniqueIdentifiers = controller.tree.options.scope != .siblings
  }
  /// The same with rows numbered through all sections.
  init<Value>(ofAllSectionsOf controller: TreeController<ID, Value>, _ text: @escaping (TreeRow<ID, Value>) -> String)
  {
    self.init(
      numberOfRows: { _ in controller.rowCount },
      cell: { path in
        controller.rows(in: path.row..<path.row + 1).first.map {
          SimulatedCell($0.item.id, text: text($0), level: $0.level)
        }
      })
    hasUniqueIdentifiers = controller.tree.options.scope != .siblings
  }
}
