import CTreeCore

extension VectorRunner {
  private func each<Element>(_ start: UnsafePointer<Element>?, _ count: UInt32, _ body: (Element) -> Void) {
    for element in UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(count)) { body(element) }
  }

  private func batch(_ b: ctree_batch) {
    if b.reload != 0 { return say("reload") }
    say("rows", b.old_count, b.new_count)
    each(b.deletes, b.delete_count) { say("delete", $0.first, $0.count) }
    each(b.inserts, b.insert_count) { say("insert", $0.first, $0.count) }
    each(b.moves, b.move_count) { say("move", $0.from, $0.to, $0.count) }
    each(b.changes, b.change_count) { say("change", $0.from, $0.to, $0.count) }
  }

  private func batch(_ b: ctree_section_batch) {
    if b.reload != 0 { return say("reload") }
    say("sections", b.old_section_count, b.new_section_count, "rows", b.old_count, b.new_count)
    each(b.section_deletes, b.section_delete_count) { say("section-delete", $0.first, $0.count) }
    each(b.section_inserts, b.section_insert_count) { say("section-insert", $0.first, $0.count) }
    each(b.section_moves, b.section_move_count) { say("section-move", $0.from, $0.to, $0.count) }
    each(b.section_changes, b.section_change_count) { say("section-change", $0.from, $0.to, $0.count) }
    each(b.deletes, b.delete_count) { say("delete", $0.section, $0.first, $0.count) }
    each(b.inserts, b.insert_count) { say("insert", $0.section, $0.first, $0.count) }
    each(b.moves, b.move_count) { say("move", $0.from_section, $0.from, $0.to_section, $0.to, $0.count) }
    each(b.changes, b.change_count) { say("change", $0.from_section, $0.from, $0.to_section, $0.to, $0.count) }
  }

  func runRows() throws(StepFailure) -> Bool {
    switch step.words[0] {
    case "commit":
      var told: UnsafePointer<ctree_batch>?
      try check(ctree_view_commit(views[words[0]], limit, &told))
      batch(told!.pointee)
    case "commit-sections":
      var told: UnsafePointer<ctree_section_batch>?
      try check(ctree_view_commit_sections(views[words[0]], limit, &told))
      batch(told!.pointee)
    case "accept": try check(ctree_view_accept(views[words[0]]))
    case "flatten":
      var made: OpaquePointer?
      let flags = words.contains("lookup") ? UInt32(CTREE_ROWS_LOOKUP) : 0
      try check(withProgress { ctree_rows_flatten(views[words[0]], flags, $0, &made) })
      rows[words[1]] = made
    case "rows-list":
      let list = rows[words[0]]
      sayRows(ctree_rows_nodes(list), ctree_rows_depths(list), ctree_rows_count(list))
    case "rows-section-count": say(ctree_rows_section_count(rows[words[0]]))
    case "rows-section":
      let list = rows[words[0]]
      say(name(ctree_rows_section_node(list, small(1))), ctree_rows_section_start(list, small(1)))
    case "rows-index-path":
      var path = ctree_index_path()
      try check(ctree_rows_index_path(rows[words[0]], small(1), &path))
      say(path.section, path.row)
    case "rows-at":
      let path = ctree_index_path(section: small(1), row: small(2))
      say(rowWord(ctree_rows_at_index_path(rows[words[0]], path)))
    case "rows-node": say(name(ctree_rows_node(rows[words[0]], small(1))))
    case "rows-row": say(rowWord(ctree_rows_row(rows[words[0]], try node(1))))
    case "rows-window":
      let list = rows[words[0]]
      var count = min(small(3), ctree_rows_count(list))
      let found = keep(array: [ctree_row](repeating: ctree_row(), count: Int(count)))
      try check(ctree_rows_window(list, views[words[1]], small(2), &count, found))
      sayWindow(found, count)
    case "rows-free":
      ctree_rows_destroy(rows[words[0]])
      rows[words[0]] = nil
    default: return false
    }
    return true
  }

  // MARK: The diff

  private struct Side {
    var rows: [ctree_id] = []
    var sections: [ctree_id] = []
    var revisions: [UInt64] = []
    var sectionRevisions: [UInt64] = []
    var sectionRows: [UInt32] = []
  }

  private func key(_ word: String) throws(StepFailure) -> ctree_id {
    switch words[0] {
    case "u64": ctree_id(bytes: nil, word: UInt64(word)!)
    case "nodes": ctree_id(bytes: nil, word: try node(word))
    default: bytesID(word)
    }
  }

  private func keys(_ ids: [ctree_id]) -> UnsafeRawPointer? {
    if ids.isEmpty { return nil }
    return words[0] == "ids"
      ? UnsafeRawPointer(keep(array: ids)) : UnsafeRawPointer(keep(array: ids.map(\.word)))
  }

  private func list(_ side: Side) -> ctree_diff_list {
    var list = ctree_diff_list()
    list.rows = keys(side.rows)
    list.row_count = UInt32(side.rows.count)
    list.sections = keys(side.sections)
    list.section_count = UInt32(side.sections.count)
    if !side.revisions.isEmpty { list.revisions = UnsafePointer(keep(array: side.revisions)) }
    if !side.sectionRevisions.isEmpty { list.section_revisions = UnsafePointer(keep(array: side.sectionRevisions)) }
    if !side.sections.isEmpty { list.section_rows = UnsafePointer(keep(array: side.sectionRows)) }
    return list
  }

  private func sides() throws(StepFailure) -> (old: ctree_diff_list, new: ctree_diff_list) {
    var sides = ["old": Side(), "new": Side()]
    for line in step.given {
      let isSection = line[0].hasSuffix("-section")
      let which = String(line[0].prefix(3))
      let key = try key(line[1])
      let revision = line.count > 2 ? [UInt64(line[2])!] : []
      if isSection {
        sides[which]!.sections.append(key)
        sides[which]!.sectionRevisions += revision
        sides[which]!.sectionRows.append(0)
      } else {
        sides[which]!.rows.append(key)
        sides[which]!.revisions += revision
        if let last = sides[which]!.sectionRows.indices.last { sides[which]!.sectionRows[last] += 1 }
      }
    }
    return (list(sides["old"]!), list(sides["new"]!))
  }

  private func head(_ reload: UInt32, _ old: UInt32, _ new: UInt32) -> Bool {
    if reload != 0 { say("reload") } else { say("rows", old, new) }
    return reload == 0
  }

  func runDiff() throws(StepFailure) -> Bool {
    guard step.words[0] == "diff" else { return false }
    var (old, new) = try sides()
    var options = ctree_diff_options()
    options.size = MemoryLayout<ctree_diff_options>.size
    options.keys = ["nodes": CTREE_DIFF_NODES, "u64": CTREE_DIFF_U64, "ids": CTREE_DIFF_IDS][words[0]]!.rawValue
    options.forms = UInt32(
      [
        "batch": CTREE_DIFF_BATCH, "sections": CTREE_DIFF_SECTIONS, "splices": CTREE_DIFF_SPLICES,
        "steps": CTREE_DIFF_STEPS,
      ][
        words[1]]!)
    options.limit = limit
    var twice = ctree_diff_duplicate()
    var made: OpaquePointer?
    let status = withProgress { progress in
      options.progress = progress
      return words.contains("from-nothing")
        ? ctree_diff_create(nil, &new, &options, &twice, &made)
        : ctree_diff_create(&old, &new, &options, &twice, &made)
    }
    if status == CTREE_DUPLICATE {
      let list = twice.in_new != 0 ? "new" : "old"
      throw .says("duplicate \(list) \(twice.in_sections != 0 ? "section" : "row") \(twice.first) \(twice.second)")
    }
    try check(status)
    defer { ctree_diff_destroy(made) }
    switch words[1] {
    case "batch": batch(ctree_diff_batch(made).pointee)
    case "sections": batch(ctree_diff_section_batch(made).pointee)
    case "splices":
      let told = ctree_diff_splices(made).pointee
      if head(told.reload, told.old_count, told.new_count) {
        each(told.splices, told.splice_count) { say("splice", $0.row, $0.removed, $0.inserted) }
      }
    default:
      let told = ctree_diff_steps(made).pointee
      guard head(told.reload, told.old_count, told.new_count) else { break }
      each(told.steps, told.step_count) {
        switch ctree_step_kind(rawValue: $0.kind) {
        case CTREE_STEP_DELETE: say("step-delete", $0.from, $0.count)
        case CTREE_STEP_MOVE: say("step-move", $0.from, $0.to, $0.count)
        default: say("step-insert", $0.to, $0.count)
        }
      }
    }
    return true
  }
}
