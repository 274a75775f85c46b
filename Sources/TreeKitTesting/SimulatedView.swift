/// What simulated views have in common: they ask a data source for counts and cells, keep what they show, and report what breaks
/// a rule. Make a ``SimulatedBatchTable``, a ``SimulatedStepTable`` or a ``SimulatedOutline``.
///
/// After a report a view is loaded anew, so that one fault is reported once.
public class SimulatedView {
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
  private var needsLayout = true
  private(set) var isUpdating = false
  /// Whether a rule was broken since an update began. Nothing is looked at any more then.
  private var isBroken = false
  /// Runs when all calls of an update have been made, as code of an app may.
  var beforeUpdateEnds: () -> Void = {}

  init(_ onViolation: @escaping (SimulatedViolation) -> Void) { self.onViolation = onViolation }

  // MARK: What each kind of view does

  /// Shows what there is, whatever was shown before: after a reload, or after a report.
  func load(afterReload: Bool) {}
  /// Looks at what was just loaded.
  func checkLoaded() throws(SimulatedViolation) {}
  /// Looks whether the data source still says what is shown.
  func checkNothingHasSwitched(_ when: String) throws(SimulatedViolation) {}
  /// Looks whether all that is shown is as the data source says, looks included.
  func checkAll() throws(SimulatedViolation) {}
  /// An update begins.
  func begin() {}
  /// All calls of an update have been made, and the data source has switched.
  func end() throws(SimulatedViolation) {}
  /// The update is over, and nothing was broken.
  func accept() {}

  // MARK: Looking

  /// Asks for all counts and cells, where it was loaded anew since the last time.
  /// - Complexity: O(rows).
  public func layoutIfNeeded() {
    guard needsLayout, !isUpdating else { return }
    needsLayout = false
    load(afterReload: true)
    attempt(checkLoaded)
  }

  /// Compares all that is shown, and how it looks, with what the data source has now. Call it when nothing is under way.
  ///
  /// - Returns: Whether it is the same; what is not has been reported.
  /// - Complexity: O(rows).
  @discardableResult
  public func verify() -> Bool {
    layoutIfNeeded()
    return attempt { () throws(SimulatedViolation) in
      guard !isUpdating else {
        throw SimulatedViolation(.oneUpdateAtATime, "It was to be compared in the midst of an update.")
      }
      try checkNothingHasSwitched("Outside of an update")
      try checkAll()
    }
  }

  // MARK: Reports

  /// Runs a check, and begins anew where it fails.
  @discardableResult
  func attempt(_ check: () throws(SimulatedViolation) -> Void) -> Bool {
    do throws(SimulatedViolation) {
      try check()
      return true
    } catch {
      report(error)
      return false
    }
  }

  private func report(_ violation: SimulatedViolation) {
    if isUpdating { isBroken = true } else { load(afterReload: false) }
    violations.append(violation)
    onViolation(violation)
  }

  // MARK: Being told

  /// Lays out what is to be shown; where that was done before, looks whether the data source still says the same.
  /// - Complexity: O(rows).
  public func prepareForUpdate() {
    guard !isUpdating else {
      return report(SimulatedViolation(.oneUpdateAtATime, "The view was to be laid out in the midst of an update."))
    }
    guard !needsLayout else { return layoutIfNeeded() }
    attempt { () throws(SimulatedViolation) in try checkNothingHasSwitched("Before the update") }
  }

  /// Forgets what is shown; counts and cells are asked for with the next layout.
  /// - Complexity: O(1).
  public func reloadData() {
    guard !isUpdating else {
      return report(SimulatedViolation(.oneUpdateAtATime, "The view was loaded anew in the midst of an update."))
    }
    reloadCount += 1
    needsLayout = true
  }

  /// Runs an update, and checks it.
  /// - Complexity: O(rows), and what the calls within cost.
  public func performUpdate(_ body: @escaping () -> Void) {
    guard !isUpdating else {
      report(SimulatedViolation(.oneUpdateAtATime, "An update began within another one."))
      return body()
    }
    updateCount += 1
    if needsLayout {
      report(SimulatedViolation(.laidOutBeforeUpdate, "An update began in a view that was never laid out."))
      needsLayout = false
    }
    isUpdating = true
    isBroken = false
    attempt { () throws(SimulatedViolation) in try checkNothingHasSwitched("Before the update") }
    begin()
    body()
    if !isBroken { attempt(end) }
    if !isBroken { beforeUpdateEnds() }
    if !isBroken { accept() }
    isUpdating = false
    if isBroken { load(afterReload: false) }
  }

  /// One call within an update.
  func call(_ name: String, _ body: () throws(SimulatedViolation) -> Void) {
    guard isUpdating else {
      return report(SimulatedViolation(.changesInsideUpdate, "There was none when \(name) was called."))
    }
    if !isBroken { attempt(body) }
  }
}
