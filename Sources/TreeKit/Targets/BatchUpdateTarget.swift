/// A view that takes all change of its rows at once, as `UITableView` and `UICollectionView` do: the few calls of theirs that
/// ``TreeChanges/apply(to:limit:switchingModel:)-(BatchUpdateTarget,_,_)`` makes.
///
/// A conforming view passes each call on. What it is told obeys every rule that such views set up; when it is told, and in
/// which numbers, is said with each call. A type that belongs to the main actor conforms in isolation:
/// `extension TableScreen: @MainActor BatchUpdateTarget`.
public protocol BatchUpdateTarget: AnyObject {
  /// Whether the view can take an update now. One that is on no screen cannot: it is loaded anew instead.
  /// - Complexity: O(1) is expected.
  var acceptsUpdates: Bool { get }

  /// Lays out what is shown, so that the view knows the counts from which an update sets out. It comes before the first edit
  /// of an update, and again right before the update itself, when there is nothing left to do.
  /// - Complexity: What the view makes of it.
  func prepareForUpdate()

  /// Loads everything anew; the data source answers in new numbers already.
  /// - Complexity: What the view makes of it.
  func reloadData()

  /// Runs an update before it returns, as `performBatchUpdates` does. Inside of it the data source begins to answer in new
  /// numbers, and the calls below are made.
  /// - Complexity: What the view makes of it.
  func performUpdate(_ update: @escaping () -> Void)

  /// Takes sections away, in old numbers.
  /// - Complexity: What the view makes of it.
  func deleteSections(_ sections: Range<Int>)

  /// Puts sections in, in new numbers.
  /// - Complexity: What the view makes of it.
  func insertSections(_ sections: Range<Int>)

  /// Puts sections elsewhere, from old numbers to new ones.
  /// - Complexity: What the view makes of it.
  func moveSections(_ move: TreeChanges.SectionMove)

  /// Draws sections anew: header and rows. It comes in an update without deletes, inserts and moves, in new numbers.
  /// - Complexity: What the view makes of it.
  func reloadSections(_ sections: Range<Int>)

  /// Takes rows away, in old numbers.
  /// - Complexity: What the view makes of it.
  func deleteRows(_ rows: TreeChanges.Rows)

  /// Puts rows in, in new numbers.
  /// - Complexity: What the view makes of it.
  func insertRows(_ rows: TreeChanges.Rows)

  /// Puts rows elsewhere, from old numbers to new ones.
  /// - Complexity: What the view makes of it.
  func moveRows(_ move: TreeChanges.RowMove)

  /// Draws rows anew. It comes in an update without deletes, inserts and moves, in new numbers, and never for a row of a
  /// section that is reloaded in the same update.
  /// - Complexity: What the view makes of it.
  func reloadRows(_ rows: TreeChanges.Rows)
}

extension BatchUpdateTarget {
  /// Always.
  /// - Complexity: O(1).
  public var acceptsUpdates: Bool { true }
}
