internal import CTreeCore

/// What a table shows: the rows of one moment, and for each a number that changes when the row looks different.
struct Presentation {
  let rows: RowsHandle
  fileprivate let looks: [UInt64]
  fileprivate let sections: [ctree_node]
  fileprivate let sectionRows: [UInt32]

  init<ID, Value>(of tree: Tree<ID, Value>) {
    let rows: RowsHandle
    do {
      rows = try RowsHandle(tree.handle)
    } catch {
      // Nobody who asks for rows has a way to hear of this, and Swift's own collections stop here too.
      fatalError("There is no memory for the rows of a tree.")
    }
    self.rows = rows
    let nodes = UnsafeBufferPointer(start: ctree_rows_nodes(rows.rows), count: rows.count)
    looks = nodes.map { tree.look(of: $0) }
    guard tree.options.hasSections else {
      sections = []
      sectionRows = []
      return
    }
    let handle = rows.rows
    sections = (0..<ctree_rows_section_count(handle)).map { ctree_rows_section_node(handle, $0) }
    sectionRows = (0..<ctree_rows_section_count(handle)).map {
      ctree_rows_section_start(handle, $0 + 1) - ctree_rows_section_start(handle, $0)
    }
  }

  /// What has to happen to a table that shows `old` so that it shows this.
  func changes(from old: Presentation?, hasSections: Bool) -> TreeChanges {
    guard let old else {
      var changes = TreeChanges()
      changes.isReload = true
      changes.newRowCount = rows.count
      return changes
    }
    let diff = old.withList { oldList in withList { DiffHandle(from: oldList, to: $0, hasSections: hasSections) } }
    // Without memory for the change there still is the way of showing everything anew.
    guard let diff else { return changes(from: nil, hasSections: hasSections) }
    return hasSections ? diff.sectionedChanges : diff.changes
  }

  private func withList<Result>(_ body: (ctree_diff_list) -> Result) -> Result {
    looks.withUnsafeBufferPointer { looks in
      sections.withUnsafeBufferPointer { sections in
        sectionRows.withUnsafeBufferPointer { sectionRows in
          var list = ctree_diff_list()
          list.rows = UnsafeRawPointer(ctree_rows_nodes(rows.rows))
          list.revisions = looks.baseAddress
          list.row_count = UInt32(rows.count)
          list.sections = UnsafeRawPointer(sections.baseAddress)
          list.section_rows = sectionRows.baseAddress
          list.section_count = UInt32(sections.count)
          return body(list)
        }
      }
    }
  }
}

extension Tree {
  /// A number that stays the same while a node's row looks the same. Whether it is open does not count: whoever opens a row
  /// turns its arrow.
  func look(of handle: ctree_node) -> UInt64 {
    var info = ctree_node_info()
    info.size = MemoryLayout<ctree_node_info>.size
    guard ctree_store_info(store, handle, &info) == CTREE_OK else { return 0 }
    let state = TreeLoadState(info.load_state)
    var bits: UInt64 = ctree_view_is_expandable(view, handle) ? 1 : 0
    if state == .loading { bits |= 2 }
    if state == .failed { bits |= 4 }
    if info.more { bits |= 8 }
    if options.showsChildCounts { bits |= UInt64(info.child_count) << 4 }
    // Two looks that differ meet in one number about once in 2^64.
    return mixed(info.revision) &+ mixed(bits ^ 0x9e37_79b9_7f4a_7c15)
  }

  private func mixed(_ number: UInt64) -> UInt64 {
    var mixed = (number ^ (number >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

extension DiffHandle {
  fileprivate var changes: TreeChanges {
    var changes = TreeChanges()
    guard let batch = ctree_diff_batch(diff)?.pointee else { return changes }
    changes.oldRowCount = Int(batch.old_count)
    changes.newRowCount = Int(batch.new_count)
    changes.deletedRows = list(batch.deletes, batch.delete_count) { Self.rows(0, $0.first, $0.count) }
    changes.insertedRows = list(batch.inserts, batch.insert_count) { Self.rows(0, $0.first, $0.count) }
    changes.movedRows = list(batch.moves, batch.move_count) { Self.move(0, $0.from, 0, $0.to, $0.count) }
    changes.changedRows = list(batch.changes, batch.change_count) { Self.move(0, $0.from, 0, $0.to, $0.count) }
    return changes
  }

  fileprivate var sectionedChanges: TreeChanges {
    var changes = TreeChanges()
    guard let batch = ctree_diff_section_batch(diff)?.pointee else { return changes }
    changes.oldRowCount = Int(batch.old_count)
    changes.newRowCount = Int(batch.new_count)
    changes.deletedSections = list(batch.section_deletes, batch.section_delete_count) {
      Self.range($0.first, $0.count)
    }
    changes.insertedSections = list(batch.section_inserts, batch.section_insert_count) {
      Self.range($0.first, $0.count)
    }
    changes.movedSections = list(batch.section_moves, batch.section_move_count) {
      TreeChanges.SectionMove(from: Int($0.from), to: Int($0.to), count: Int($0.count))
    }
    changes.deletedRows = list(batch.deletes, batch.delete_count) { Self.rows($0.section, $0.first, $0.count) }
    changes.insertedRows = list(batch.inserts, batch.insert_count) { Self.rows($0.section, $0.first, $0.count) }
    changes.movedRows = list(batch.moves, batch.move_count) {
      Self.move($0.from_section, $0.from, $0.to_section, $0.to, $0.count)
    }
    changes.changedRows = list(batch.changes, batch.change_count) {
      Self.move($0.from_section, $0.from, $0.to_section, $0.to, $0.count)
    }
    return changes
  }

  private func list<Element, Result>(
    _ start: UnsafePointer<Element>?, _ count: UInt32, _ transform: (Element) -> Result
  ) -> [Result] {
    UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(count)).map(transform)
  }

  private static func range(_ first: UInt32, _ count: UInt32) -> Range<Int> {
    Int(first)..<Int(first) + Int(count)
  }

  private static func rows(_ section: UInt32, _ first: UInt32, _ count: UInt32) -> TreeChanges.Rows {
    TreeChanges.Rows(section: Int(section), rows: range(first, count))
  }

  private static func move(
    _ fromSection: UInt32, _ from: UInt32, _ toSection: UInt32, _ to: UInt32, _ count: UInt32
  ) -> TreeChanges.RowMove {
    TreeChanges.RowMove(
      from: TreeIndexPath(section: Int(fromSection), row: Int(from)),
      to: TreeIndexPath(section: Int(toSection), row: Int(to)), count: Int(count))
  }
}
