// What a controller drives by itself: views that take the changes of its rows.

extension TreeController {
  /// A table that the controller keeps up to date by itself, `UITableView` or `UICollectionView` for example; its data source
  /// answers from what the controller says of rows.
  ///
  /// With each update the table lays out what it shows before the first edit, takes the structure of the change in one update,
  /// inside which the controller begins to answer in new numbers, and then what rows look like in another. The delegate is
  /// told afterwards. A table that is set is loaded anew. It is held weakly.
  ///
  /// - Complexity: O(1).
  public var target: (any BatchUpdateTarget)? {
    get { targets?.driven.table }
    set {
      makeTargets().driven = DrivenTable(table: newValue, isLaidOut: false)
      newValue?.reloadData()
    }
  }

  /// The most rows and sections that targets are told at once, 10,000 unless set: beyond it they are loaded anew, since they
  /// take a path for each of them. The delegate is told all.
  /// - Complexity: O(1).
  public var targetLimit: Int {
    get { targets?.limit ?? Targets().limit }
    set { makeTargets().limit = newValue }
  }

  /// Whether the delegate applies changes to a table itself, with animations of its own for example. Within `changed` the
  /// controller answers in old numbers then, until the delegate calls ``applyChanges(to:)``, or returns. A ``target`` goes
  /// before: where there is one, the changes are shown when the delegate is told of them.
  /// - Complexity: O(1).
  public var delegateAppliesChanges: Bool {
    get { targets?.delegateApplies ?? false }
    set { makeTargets().delegateApplies = newValue }
  }

  private func makeTargets() -> Targets {
    if let targets { return targets }
    let made = Targets()
    targets = made
    return made
  }
}
