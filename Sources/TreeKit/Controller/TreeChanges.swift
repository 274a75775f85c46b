/// All change of the rows between two deliveries, in the coordinates that a table takes for one batch of updates.
///
/// It comes in two stages. Deletes, inserts and moves are the structure, for one update of the table; changed rows and
/// sections are content, for another one after it, in new coordinates. Deletes and the `from` of moves count as the table
/// shows now, inserts and the `to` of moves as it will.
public struct TreeChanges: Hashable, Sendable {
  /// Consecutive rows of one section.
  public struct Rows: Hashable, Sendable {
    /// The section.
    public var section: Int
    /// The rows, counted within the section.
    public var rows: Range<Int>

    /// Makes a range of rows.
    /// - Complexity: O(1).
    public init(section: Int, rows: Range<Int>) {
      self.section = section
      self.rows = rows
    }
  }

  /// Consecutive rows that stay together.
  public struct RowMove: Hashable, Sendable {
    /// Where the first was.
    public var from: TreeIndexPath
    /// Where the first is.
    public var to: TreeIndexPath
    /// How many they are.
    public var count: Int

    /// Makes a move.
    /// - Complexity: O(1).
    public init(from: TreeIndexPath, to: TreeIndexPath, count: Int) {
      self.from = from
      self.to = to
      self.count = count
    }
  }

  /// Consecutive sections that stay together.
  public struct SectionMove: Hashable, Sendable {
    /// Where the first was.
    public var from: Int
    /// Where the first is.
    public var to: Int
    /// How many they are.
    public var count: Int

    /// Makes a move.
    /// - Complexity: O(1).
    public init(from: Int, to: Int, count: Int) {
      self.from = from
      self.to = to
      self.count = count
    }
  }

  /// Whether the table is to be loaded anew, because nothing was shown before; everything else is empty then.
  public var isReload = false
  /// How many rows there were.
  public var oldRowCount = 0
  /// How many rows there are.
  public var newRowCount = 0
  /// Sections that are gone, in old numbers.
  public var deletedSections: [Range<Int>] = []
  /// Sections that came, in new numbers.
  public var insertedSections: [Range<Int>] = []
  /// Sections that stand elsewhere among the others.
  public var movedSections: [SectionMove] = []
  /// Sections whose header looks different, the number of its items for example: where they were, and where they are. Their
  /// rows are told by themselves.
  public var changedSections: [SectionMove] = []
  /// Rows that are gone, in old coordinates.
  public var deletedRows: [Rows] = []
  /// Rows that came, in new coordinates.
  public var insertedRows: [Rows] = []
  /// Rows that stand elsewhere among the others.
  public var movedRows: [RowMove] = []
  /// Rows that look different: where they were, and where they are.
  public var changedRows: [RowMove] = []

  /// No change.
  /// - Complexity: O(1).
  public init() {}

  /// Whether there is nothing to do.
  /// - Complexity: O(1).
  public var isEmpty: Bool { !isReload && !hasStructure && changedRows.isEmpty && changedSections.isEmpty }

  /// Whether rows or sections came, went or moved.
  /// - Complexity: O(1).
  public var hasStructure: Bool {
    !(deletedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty && deletedRows.isEmpty
      && insertedRows.isEmpty && movedRows.isEmpty)
  }
}

extension TreeChanges {
  /// The rows that are gone, one by one, in old coordinates.
  /// - Complexity: O(rows that it names).
  public var deletedIndexPaths: [TreeIndexPath] { deletedRows.flatMap(\.indexPaths) }

  /// The rows that came, one by one, in new coordinates.
  /// - Complexity: O(rows that it names).
  public var insertedIndexPaths: [TreeIndexPath] { insertedRows.flatMap(\.indexPaths) }

  /// The rows that moved, one by one.
  /// - Complexity: O(rows that it names).
  public var movedIndexPaths: [(from: TreeIndexPath, to: TreeIndexPath)] { movedRows.flatMap(\.indexPaths) }

  /// The rows that look different, one by one, in new coordinates.
  /// - Complexity: O(rows that it names).
  public var changedIndexPaths: [TreeIndexPath] { changedRows.flatMap(\.indexPaths).map(\.to) }
}

extension TreeChanges.Rows {
  /// The rows one by one.
  /// - Complexity: O(rows that it names).
  public var indexPaths: [TreeIndexPath] { rows.map { TreeIndexPath(section: section, row: $0) } }
}

extension TreeChanges.RowMove {
  /// The rows one by one.
  /// - Complexity: O(rows that it names).
  public var indexPaths: [(from: TreeIndexPath, to: TreeIndexPath)] {
    (0..<count).map {
      (
        TreeIndexPath(section: from.section, row: from.row + $0),
        TreeIndexPath(section: to.section, row: to.row + $0)
      )
    }
  }
}

extension TreeChanges: CustomStringConvertible {
  /// The counts, as in "2 inserted, 1 moved".
  /// - Complexity: O(runs).
  public var description: String {
    if isReload { return "reload" }
    let counts = [
      (deletedSections.reduce(0) { $0 + $1.count }, "sections deleted"),
      (insertedSections.reduce(0) { $0 + $1.count }, "sections inserted"),
      (movedSections.reduce(0) { $0 + $1.count }, "sections moved"),
      (changedSections.reduce(0) { $0 + $1.count }, "sections changed"),
      (deletedRows.reduce(0) { $0 + $1.rows.count }, "deleted"),
      (insertedRows.reduce(0) { $0 + $1.rows.count }, "inserted"),
      (movedRows.reduce(0) { $0 + $1.count }, "moved"),
      (changedRows.reduce(0) { $0 + $1.count }, "changed"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return parts.isEmpty ? "no change" : parts.joined(separator: ", ")
  }
}
