/// A view that takes the changes of its rows one after the other, each in the row numbers of its moment, as `NSTableView` or
/// a list in a browser does: what ``TreeChanges/apply(to:limit:switchingModel:)-(StepUpdateTarget,_,_)`` calls.
///
/// Rows are numbered through all sections, whose headers are no rows.
public protocol StepUpdateTarget: AnyObject {
  /// Whether the view can take an update now; one that cannot is loaded anew instead.
  /// - Complexity: O(1) is expected.
  var acceptsUpdates: Bool { get }

  /// Lays out what is shown, as ``BatchUpdateTarget/prepareForUpdate()`` does.
  /// - Complexity: What the view makes of it.
  func prepareForUpdate()

  /// Loads everything anew; the data source answers in new numbers already.
  /// - Complexity: What the view makes of it.
  func reloadData()

  /// Runs an update before it returns. Inside of it the data source begins to answer in new numbers, at once, and then the
  /// steps are told; so rows that came are asked for when the update ends.
  /// - Complexity: What the view makes of it.
  func performUpdate(_ update: @escaping () -> Void)

  /// Takes rows away.
  /// - Complexity: What the view makes of it.
  func removeRows(_ rows: Range<Int>)

  /// Puts rows in, so that the first stands at the lower bound.
  /// - Complexity: What the view makes of it.
  func insertRows(_ rows: Range<Int>)

  /// Takes a row out and puts it in elsewhere.
  ///
  /// - Parameters:
  ///   - row: Where it is.
  ///   - target: Where it is to be, counted when it has been taken out.
  /// - Complexity: What the view makes of it.
  func moveRow(_ row: Int, to target: Int)

  /// Draws rows anew, in an update of its own after all steps.
  /// - Complexity: What the view makes of it.
  func reloadRows(_ rows: Range<Int>)
}

extension StepUpdateTarget {
  /// Always.
  /// - Complexity: O(1).
  public var acceptsUpdates: Bool { true }
}
