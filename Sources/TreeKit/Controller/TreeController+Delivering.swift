extension TreeController {
  /// Edits the tree: however many edits there are, targets and delegate are told of their changes once, afterwards. Updates
  /// may be nested; the outermost one tells.
  ///
  /// - Parameters:
  ///   - body: Makes the edits.
  ///   - completion: Called once, after all were told; also when the body throws, and when nothing changed. It does not wait
  ///     for the animations of a target.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; the edits that it made before stay, and are told.
  /// - Complexity: That of the edits, and for *c* changes O(*c* log *c*) and what the rows that moved cost.
  @discardableResult
  public func update<Result, Failure: Error>(
    _ body: (Tree<ID, Value>) throws(Failure) -> Result, completion: (() -> Void)? = nil
  ) throws(Failure) -> Result {
    beginUpdate()
    defer {
      if let completion { completions.append(completion) }
      endUpdate()
    }
    return try body(tree)
  }

  /// The frame of an update. What it is called for ends with `endUpdate`, whatever happens between.
  @usableFromInline
  func beginUpdate() {
    updatesOpen += 1
    if let targets { prepare(targets) }
  }

  @usableFromInline
  func endUpdate() {
    updatesOpen -= 1
    if updatesOpen == 0 { deliver() }
  }

  /// Tells what has changed, and what that brings about, until nothing is left. Whoever edits while being told is told of
  /// that next.
  private func deliver() {
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    repeat {
      startLoads()
      if shown?.edits != tree.edits {
        if let targets {
          deliver(to: targets)
        } else {
          var changes = TreeChanges()
          tree.tellChanges(&changes)
          tree.acceptChanges()
          shown = Shown(tree, after: shown)
          loads.sweep(tree)
          if !changes.isEmpty { delegate?.controller(self, changed: changes) }
        }
      }
      if completions.isEmpty { continue }
      let due = completions
      completions = []
      for completion in due { completion() }
    } while shown?.edits != tree.edits || !completions.isEmpty
  }

  // MARK: With targets

  /// Has targets lay out what they show while its rows are all there. Only before the first edit since they were told, and
  /// not while they are being told: a table must not be laid out in the midst of an update.
  @inline(never)
  private func prepare(_ targets: Targets) {
    guard updatesOpen == 1, !targets.areBeingTold, let shown, shown.edits == tree.edits else { return }
    targets.driven.isLaidOut = true
    targets.delegated.isLaidOut = true
    targets.driven.table?.prepareForUpdate()
    targets.delegated.table?.prepareForUpdate()
  }

  // A function of its own, so that a tap without targets does not pay for what this works with.
  @inline(never)
  private func deliver(to targets: Targets) {
    let withoutSections = tree.options.hasSections ? tree.changesWithoutSections() : nil
    var changes = TreeChanges()
    tree.tellChanges(&changes)
    tree.acceptChanges()
    let rows = withoutSections ?? changes
    let next = Shown(tree, after: shown)
    loads.sweep(tree)
    targets.delivery = Delivery(changes: changes, rows: rows, next: next, map: RowMap(rows))
    defer { targets.delivery = nil }
    // Where everything is loaded anew nothing is left of what was shown, and nobody asks for it.
    if changes.isReload || changes.isEmpty { showNext() }
    guard !changes.isEmpty else { return }
    if let table = targets.driven.table {
      applyChanges(to: table)
    } else if !targets.delegateApplies {
      showNext()
    }
    delegate?.controller(self, changed: changes)
    showNext()
  }

  /// The rows of the delivery are shown from now on.
  private func showNext() {
    guard let delivery = targets?.delivery, !delivery.isShown else { return }
    targets?.delivery?.isShown = true
    shown = delivery.next
  }

  /// Applies the changes that the delegate is being told of to a table, inside whose update the controller begins to answer
  /// in new numbers. For delegates that do this themselves; see ``delegateAppliesChanges``.
  ///
  /// It may be called only by a delegate, within `changed`, and once.
  ///
  /// - Complexity: As ``TreeChanges/apply(to:limit:switchingModel:)-(BatchUpdateTarget,_,_)``.
  public func applyChanges(to table: any BatchUpdateTarget) {
    guard let targets, let delivery = targets.delivery, !delivery.isShown || delivery.changes.isReload else {
      preconditionFailure("Changes are applied while they are being told, and once: see delegateAppliesChanges.")
    }
    let isDriven = table === targets.driven.table
    if !isDriven && table !== targets.delegated.table { targets.delegated = DrivenTable(table: table) }
    let isLaidOut = isDriven ? targets.driven.isLaidOut : targets.delegated.isLaidOut
    let wereBeingTold = targets.areBeingTold
    targets.areBeingTold = true
    defer { targets.areBeingTold = wereBeingTold }
    guard isLaidOut, delivery.changes.fits(table, targets.limit) else {
      showNext()
      if isDriven { targets.driven.isLaidOut = false } else { targets.delegated.isLaidOut = false }
      return table.reloadData()
    }
    delivery.changes.apply(to: table, limit: targets.limit) { self.showNext() }
  }

  // MARK: What is shown

  /// Whether all edits have been delivered, so that rows are as they are now.
  var isTold: Bool { whatIsShown().edits == tree.edits }

  /// What was told last, for the time between an edit and its delivery.
  func whatIsShown() -> Shown {
    if let shown { return shown }
    // Whoever asks before anything was told gets the rows as they are, and changes count from there.
    tree.acceptChanges()
    let shown = Shown(tree, after: nil)
    self.shown = shown
    return shown
  }

  /// How the rows that are shown correspond to those of the tree now; `nil` where nothing is known of it.
  func rowMap() -> ShownRowMap? {
    guard let delivery = targets?.delivery, !delivery.isShown else {
      return tree.rowMap().map { ShownRowMap(first: $0, then: nil) }
    }
    if delivery.next.edits == tree.edits { return ShownRowMap(first: delivery.map, then: nil) }
    return tree.rowMap().map { ShownRowMap(first: delivery.map, then: $0) }
  }
}

/// What a controller tells beside its delegate.
final class Targets {
  var driven = DrivenTable()
  /// The one that the delegate applied changes to last.
  var delegated = DrivenTable()
  /// The most rows to tell at once.
  var limit = 10_000
  /// Whether the delegate applies changes to a table itself.
  var delegateApplies = false
  /// Whether a target is in the midst of an update.
  var areBeingTold = false
  /// What is being told.
  var delivery: Delivery?
}

/// A table that changes are told to.
struct DrivenTable {
  weak var table: (any BatchUpdateTarget)?
  /// Whether it was laid out since it was loaded anew. One that was not shows nothing that could be changed, and would ask for
  /// rows that an edit has removed since: it is loaded anew once more.
  var isLaidOut = true
}

/// One change on its way to those who show it.
struct Delivery {
  let changes: TreeChanges
  /// The same without sections.
  let rows: TreeChanges
  /// What is shown in the end.
  let next: Shown
  /// From the rows that are shown to those.
  let map: RowMap
  /// Whether it is shown already.
  var isShown = false
}

/// How the rows that are shown correspond to the rows as they are now: through a change that is on its way, and through
/// edits since.
struct ShownRowMap {
  let first: RowMap
  let then: RowMap?

  /// The row now of a row that is shown; `nil` where it is gone.
  func rowNow(of shown: Int) -> Int? {
    let row = first.rowNow(of: shown)
    guard let then else { return row }
    return row.flatMap(then.rowNow)
  }

  /// The row that is shown of a row now; `nil` where it came since.
  func rowShown(of now: Int) -> Int? {
    guard let then else { return first.rowShown(of: now) }
    return then.rowShown(of: now).flatMap(first.rowShown)
  }
}
