extension TreeChanges {
  /// One step of a change, in the row numbers of its moment.
  public enum Step: Hashable, Sendable {
    /// Rows go.
    case remove(Range<Int>)
    /// Rows are taken out from the first on, and put in so that the first stands at `to`, counted without them.
    case move(from: Int, to: Int, count: Int)
    /// Rows come.
    case insert(Range<Int>)
  }

  /// The structure of a change without sections as steps, in the order in which they apply: rows go from the end on, then rows
  /// move, then rows come from the start on, each at its new number.
  ///
  /// A change that says reload has none, and one with sections must not be asked.
  ///
  /// - Complexity: O(*r* log *r*) for *r* ranges.
  public var steps: [Step] {
    precondition(!hasSections, "Steps are those of a change without sections.")
    var steps = deletedRows.reversed().map { Step.remove($0.rows) }
    if !movedRows.isEmpty { steps += moveSteps }
    return steps + insertedRows.map { Step.insert($0.rows) }
  }

  /// Whether sections, or rows of any but the first one, are told.
  private var hasSections: Bool {
    !(deletedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty && changedSections.isEmpty)
      || deletedRows.contains { $0.section != 0 } || insertedRows.contains { $0.section != 0 }
      || movedRows.contains { $0.from.section != 0 || $0.to.section != 0 }
  }

  /// The moves, between the deletes and the inserts, in the order of their targets. Each run goes right behind what is before
  /// it in the end. So what is settled, rows that stay and runs already moved, is in its final order at all times; and a run
  /// that has not moved yet is still behind the rows that stayed before it.
  private var moveSteps: [Step] {
    let order = movedRows.indices.sorted { movedRows[$0].to < movedRows[$1].to }
    let stayBefore = staying(movedRows.map { ($0.from.row, $0.count) }, except: deletedRows)
    let stayBeforeTarget = staying(order.map { (movedRows[$0].to.row, movedRows[$0].count) }, except: insertedRows)
    var settled = [0]
    var unsettled = Sums(movedRows.map(\.count))
    var steps: [Step] = []
    for (place, run) in order.enumerated() {
      let count = movedRows[run].count
      let before = stayBefore[run]
      let from = before + settled[below(before + 1, in: stayBeforeTarget[..<place])] + unsettled.sum(before: run)
      unsettled.add(-count, at: run)
      let target = stayBeforeTarget[place]
      let to = target + settled[place] + unsettled.sum(before: below(target, in: stayBefore[...]))
      // Others that move may have brought it there.
      if from != to { steps.append(.move(from: from, to: to, count: count)) }
      settled.append(settled[place] + count)
    }
    return steps
  }

  /// How many rows that stay stand before each of some runs, in ascending order, on one side of the change.
  private func staying(_ runs: [(first: Int, count: Int)], except others: [Rows]) -> [Int] {
    var other = 0
    var skipped = 0
    return runs.map { run in
      while other < others.count, others[other].rows.lowerBound < run.first {
        skipped += others[other].rows.count
        other += 1
      }
      defer { skipped += run.count }
      return run.first - skipped
    }
  }

  /// How many of some ascending numbers are below a number.
  private func below(_ number: Int, in numbers: ArraySlice<Int>) -> Int {
    var low = 0
    var high = numbers.count
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Numbers whose sums from the first on are found, and kept true, in logarithmic time: a Fenwick tree.
private struct Sums {
  private var tree: [Int]

  init(_ numbers: [Int]) {
    tree = Array(repeating: 0, count: numbers.count + 1)
    for (place, number) in numbers.enumerated() { add(number, at: place) }
  }

  mutating func add(_ amount: Int, at place: Int) {
    var place = place + 1
    while place < tree.count {
      tree[place] += amount
      place += place & -place
    }
  }

  func sum(before place: Int) -> Int {
    var place = place
    var sum = 0
    while place > 0 {
      sum += tree[place]
      place -= place & -place
    }
    return sum
  }
}

// MARK: - Telling

extension TreeChanges {
  /// Brings a view that takes one step at a time from the old rows to the new ones: first the structure, in one update at whose
  /// beginning the model switches, then the content in another. The change must have no sections.
  ///
  /// - Parameters:
  ///   - target: Shows the old rows.
  ///   - limit: The most rows to tell; beyond it the view is loaded anew.
  ///   - switchingModel: Makes the view's data source answer in new numbers. It is called once, also where nothing changed.
  /// - Complexity: O(*r* log *r*) for *r* ranges, and a call for each range and for each row that moves.
  public func apply(to target: any StepUpdateTarget, limit: Int = .max, switchingModel: @escaping () -> Void) {
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
  func fits(_ target: any StepUpdateTarget, _ limit: Int) -> Bool {
    !isReload && told <= limit && target.acceptsUpdates
  }

  func tellStructure(to target: any StepUpdateTarget, _ switchingModel: @escaping () -> Void) {
    guard hasStructure else { return switchingModel() }
    var hasRun = false
    target.performUpdate {
      hasRun = true
      switchingModel()
      for step in steps {
        switch step {
        case .remove(let rows): target.removeRows(rows)
        case .insert(let rows): target.insertRows(rows)
        case .move(let from, let to, let count):
          // Row by row: forwards each from the same place to the same place, backwards from the first on.
          for row in 0..<count {
            if to > from {
              target.moveRow(from, to: to + count - 1)
            } else {
              target.moveRow(from + row, to: to + row)
            }
          }
        }
      }
    }
    precondition(hasRun, "A view runs an update before performUpdate returns.")
  }

  func tellContent(to target: any StepUpdateTarget) {
    guard !changedRows.isEmpty else { return }
    target.performUpdate {
      for rows in changedRows { target.reloadRows(rows.to.row..<rows.to.row + rows.count) }
    }
  }
}
