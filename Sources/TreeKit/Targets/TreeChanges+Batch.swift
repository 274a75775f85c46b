extension TreeChanges {
  /// Brings a view that takes all change at once from the old rows to the new ones: first the structure, in one update inside
  /// which the model switches, then the content in another.
  ///
  /// - Parameters:
  ///   - target: Shows the old rows.
  ///   - limit: The most rows and sections to tell; beyond it the view is loaded anew.
  ///   - switchingModel: Makes the view's data source answer in new numbers. It is called once, also where nothing changed.
  /// - Complexity: O(ranges) calls.
  public func apply(
    to target: any BatchUpdateTarget, limit: Int = .max, switchingModel: @escaping () -> Void
  ) {
    guard fits(target, limit) else {
      switchingModel()
      target.reloadData()
      return
    }
    target.prepareForUpdate()
    tellStructure(to: target, switchingModel)
    tellContent(to: target)
  }

  /// Whether the view can be told, instead of being loaded anew.
  func fits(_ target: any BatchUpdateTarget, _ limit: Int) -> Bool {
    !isReload && told <= limit && target.acceptsUpdates
  }

  /// How many rows and sections there are to tell.
  var told: Int {
    deletedSections.reduce(0) { $0 + $1.count } + insertedSections.reduce(0) { $0 + $1.count }
      + movedSections.reduce(0) { $0 + $1.count } + changedSections.reduce(0) { $0 + $1.count }
      + deletedRows.reduce(0) { $0 + $1.rows.count } + insertedRows.reduce(0) { $0 + $1.rows.count }
      + movedRows.reduce(0) { $0 + $1.count } + changedRows.reduce(0) { $0 + $1.count }
  }

  func tellStructure(to target: any BatchUpdateTarget, _ switchingModel: @escaping () -> Void) {
    guard hasStructure else { return switchingModel() }
    var hasRun = false
    target.performUpdate {
      hasRun = true
      switchingModel()
      deletedSections.forEach(target.deleteSections)
      insertedSections.forEach(target.insertSections)
      movedSections.forEach(target.moveSections)
      deletedRows.forEach(target.deleteRows)
      insertedRows.forEach(target.insertRows)
      movedRows.forEach(target.moveRows)
    }
    precondition(hasRun, "A view runs an update before performUpdate returns.")
  }

  func tellContent(to target: any BatchUpdateTarget) {
    guard !(changedSections.isEmpty && changedRows.isEmpty) else { return }
    target.performUpdate {
      for sections in changedSections { target.reloadSections(sections.to..<sections.to + sections.count) }
      for rows in changedRows where !isChanged(section: rows.to.section) {
        target.reloadRows(Rows(section: rows.to.section, rows: rows.to.row..<rows.to.row + rows.count))
      }
    }
  }

  /// Whether a section is drawn anew with all its rows. Changed sections are in ascending order.
  private func isChanged(section: Int) -> Bool {
    var low = 0
    var high = changedSections.count
    while low < high {
      let middle = (low + high) / 2
      if changedSections[middle].to + changedSections[middle].count <= section {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low < changedSections.count && changedSections[low].to <= section
  }
}
