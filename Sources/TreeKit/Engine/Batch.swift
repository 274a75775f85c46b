internal import CTreeCore

extension Tree {
  /// All change since the last `acceptChanges`, put into what is empty: something of this size is copied where it is returned.
  /// Only in a tree that records.
  ///
  /// Cost: O(*c* log *c* + *m*) for *c* edits and *m* rows told.
  func tellChanges(_ changes: inout TreeChanges) {
    if options.hasSections {
      var batch: UnsafePointer<ctree_section_batch>?
      guard ctree_view_commit_sections(view, 0, &batch) == CTREE_OK, let batch = batch?.pointee, batch.reload == 0
      else { return tellReload(&changes) }
      changes.take(batch)
      changes.changedSections = changedSections(batch)
    } else {
      var batch: UnsafePointer<ctree_batch>?
      guard ctree_view_commit(view, 0, &batch) == CTREE_OK, let batch = batch?.pointee, batch.reload == 0
      else { return tellReload(&changes) }
      changes.take(batch)
    }
    if !changes.changedRows.isEmpty {
      changes.changedRows = changes.changedRows.flatMap { run in
        let path = ctree_index_path(section: UInt32(run.to.section), row: UInt32(run.to.row))
        return differing(run, firstRow: Int(ctree_view_row_at_index_path(view, path)))
      }
    }
  }

  /// The same of a tree with sections as if it had none: rows are numbered through all of them.
  ///
  /// Cost: O(*v*).
  func changesWithoutSections() -> TreeChanges {
    var changes = TreeChanges()
    var batch: UnsafePointer<ctree_batch>?
    guard ctree_view_commit(view, 0, &batch) == CTREE_OK, let batch = batch?.pointee, batch.reload == 0 else {
      tellReload(&changes)
      return changes
    }
    changes.take(batch)
    changes.changedRows = changes.changedRows.flatMap { differing($0, firstRow: $0.to.row) }
    return changes
  }

  /// The table shows what is true now.
  func acceptChanges() {
    // Where this finds no memory, the next change says reload, and all is well again.
    _ = ctree_view_accept(view)
    handle.looks?.forget()
  }

  /// Where a row that the table shows stands among the rows as they are now.
  func rowMap() -> RowMap? {
    var batch: UnsafePointer<ctree_batch>?
    guard ctree_view_commit(view, 0, &batch) == CTREE_OK, let batch = batch?.pointee, batch.reload == 0
    else { return nil }
    return RowMap(batch)
  }

  private func tellReload(_ changes: inout TreeChanges) {
    changes.isReload = true
    changes.newRowCount = rowCount
  }

  /// The sections that the table keeps and whose header looks different. The core knows of no counts in headers, since the
  /// rows that they count are shown.
  ///
  /// Cost: O(sections), where rows came or went.
  private func changedSections(_ batch: ctree_section_batch) -> [TreeChanges.SectionMove] {
    guard options.showsChildCounts, let looks = handle.looks, !looks.isEmpty else { return [] }
    let map = RowMap(sectionsOf: batch)
    return sectionNodes.enumerated().compactMap { number, node in
      guard looks.isNoted(node), !looks.isSame(node), let old = map.rowShown(of: number) else { return nil }
      return TreeChanges.SectionMove(from: old, to: number, count: 1)
    }
  }

  /// The parts of a run of changed rows that look different in the end.
  private func differing(_ run: TreeChanges.RowMove, firstRow: Int) -> [TreeChanges.RowMove] {
    guard let looks = handle.looks else { return [run] }
    let first = UInt32(firstRow)
    var parts: [TreeChanges.RowMove] = []
    var length = 0
    for place in 0...run.count {
      if place < run.count, !looks.isSame(ctree_view_node_at(view, first + UInt32(place))) {
        length += 1
      } else if length > 0 {
        var part = run
        part.from.row += place - length
        part.to.row += place - length
        part.count = length
        parts.append(part)
        length = 0
      }
    }
    return parts
  }
}

/// How the rows that a table shows correspond to the rows as they are now, between an edit and its delivery.
struct RowMap {
  private let moves: [ctree_row_run]
  /// Rows that do not stay in their order: in old numbers, and in new ones.
  private let gone: [ctree_row_range]
  private let came: [ctree_row_range]

  init(_ batch: ctree_batch) {
    self.init(
      moves: list(batch.moves, batch.move_count) { $0 }, deletes: list(batch.deletes, batch.delete_count) { $0 },
      inserts: list(batch.inserts, batch.insert_count) { $0 })
  }

  /// Of a change that tells no sections.
  init(_ changes: TreeChanges) {
    self.init(
      moves: changes.movedRows.map {
        ctree_row_run(from: UInt32($0.from.row), to: UInt32($0.to.row), count: UInt32($0.count))
      },
      deletes: changes.deletedRows.map {
        ctree_row_range(first: UInt32($0.rows.lowerBound), count: UInt32($0.rows.count))
      },
      inserts: changes.insertedRows.map {
        ctree_row_range(first: UInt32($0.rows.lowerBound), count: UInt32($0.rows.count))
      })
  }

  /// Of sections instead of rows.
  init(sectionsOf batch: ctree_section_batch) {
    self.init(
      moves: list(batch.section_moves, batch.section_move_count) {
        ctree_row_run(from: $0.from, to: $0.to, count: $0.count)
      },
      deletes: list(batch.section_deletes, batch.section_delete_count) {
        ctree_row_range(first: $0.first, count: $0.count)
      },
      inserts: list(batch.section_inserts, batch.section_insert_count) {
        ctree_row_range(first: $0.first, count: $0.count)
      })
  }

  private init(moves: [ctree_row_run], deletes: [ctree_row_range], inserts: [ctree_row_range]) {
    self.moves = moves
    gone =
      (deletes + moves.map { ctree_row_range(first: $0.from, count: $0.count) })
      .sorted { $0.first < $1.first }
    came =
      (inserts + moves.map { ctree_row_range(first: $0.to, count: $0.count) })
      .sorted { $0.first < $1.first }
  }

  /// The row now of a row that is shown; `nil` where it is gone.
  func rowNow(of shown: Int) -> Int? {
    let row = UInt32(shown)
    for move in moves where row >= move.from && row - move.from < move.count { return Int(move.to + row - move.from) }
    return translate(row, from: gone, to: came)
  }

  /// The row that is shown of a row now; `nil` where it came since.
  func rowShown(of now: Int) -> Int? {
    let row = UInt32(now)
    for move in moves where row >= move.to && row - move.to < move.count { return Int(move.from + row - move.to) }
    return translate(row, from: came, to: gone)
  }

  /// What stays keeps its order: the n-th on one side is the n-th on the other.
  private func translate(_ row: UInt32, from: [ctree_row_range], to: [ctree_row_range]) -> Int? {
    var result = row
    for range in from where range.first <= row {
      if row - range.first < range.count { return nil }
      result -= range.count
    }
    for range in to where range.first <= result { result += range.count }
    return Int(result)
  }
}

extension TreeChanges {
  mutating func take(_ batch: ctree_batch) {
    oldRowCount = Int(batch.old_count)
    newRowCount = Int(batch.new_count)
    deletedRows = list(batch.deletes, batch.delete_count) { rows(0, $0.first, $0.count) }
    insertedRows = list(batch.inserts, batch.insert_count) { rows(0, $0.first, $0.count) }
    movedRows = list(batch.moves, batch.move_count) { move(0, $0.from, 0, $0.to, $0.count) }
    changedRows = list(batch.changes, batch.change_count) { move(0, $0.from, 0, $0.to, $0.count) }
  }

  mutating func take(_ batch: ctree_section_batch) {
    oldRowCount = Int(batch.old_count)
    newRowCount = Int(batch.new_count)
    deletedSections = list(batch.section_deletes, batch.section_delete_count) { range($0.first, $0.count) }
    insertedSections = list(batch.section_inserts, batch.section_insert_count) { range($0.first, $0.count) }
    movedSections = list(batch.section_moves, batch.section_move_count) {
      SectionMove(from: Int($0.from), to: Int($0.to), count: Int($0.count))
    }
    changedSections = list(batch.section_changes, batch.section_change_count) {
      SectionMove(from: Int($0.from), to: Int($0.to), count: Int($0.count))
    }
    deletedRows = list(batch.deletes, batch.delete_count) { rows($0.section, $0.first, $0.count) }
    insertedRows = list(batch.inserts, batch.insert_count) { rows($0.section, $0.first, $0.count) }
    movedRows = list(batch.moves, batch.move_count) { move($0.from_section, $0.from, $0.to_section, $0.to, $0.count) }
    changedRows = list(batch.changes, batch.change_count) {
      move($0.from_section, $0.from, $0.to_section, $0.to, $0.count)
    }
  }
}

private func list<Element, Result>(
  _ start: UnsafePointer<Element>?, _ count: UInt32, _ transform: (Element) -> Result
) -> [Result] {
  count == 0 ? [] : UnsafeBufferPointer(start: start, count: Int(count)).map(transform)
}

private func range(_ first: UInt32, _ count: UInt32) -> Range<Int> {
  Int(first)..<Int(first) + Int(count)
}

private func rows(_ section: UInt32, _ first: UInt32, _ count: UInt32) -> TreeChanges.Rows {
  TreeChanges.Rows(section: Int(section), rows: range(first, count))
}

private func move(
  _ fromSection: UInt32, _ from: UInt32, _ toSection: UInt32, _ to: UInt32, _ count: UInt32
) -> TreeChanges.RowMove {
  TreeChanges.RowMove(
    from: TreeIndexPath(section: Int(fromSection), row: Int(from)),
    to: TreeIndexPath(section: Int(toSection), row: Int(to)), count: Int(count))
}
