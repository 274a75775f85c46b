import CTreeCore

private func noteSplice(
  _ context: UnsafeMutableRawPointer?, _ view: OpaquePointer?, _ splice: UnsafePointer<ctree_splice>?
) {
  let runner = Unmanaged<VectorRunner>.fromOpaque(context!).takeUnretainedValue()
  let told = splice!.pointee
  runner.splices[view!, default: []].append("\(told.row) \(told.removed) \(told.inserted)")
}

private func noteSaved(_ context: UnsafeMutableRawPointer?, _ entry: UnsafePointer<ctree_saved>?) -> Bool {
  let runner = Unmanaged<VectorRunner>.fromOpaque(context!).takeUnretainedValue()
  let entry = entry!.pointee
  let path = UnsafeBufferPointer(start: entry.path, count: Int(entry.length)).map { runner.idWord($0) }
  let held = zip(VectorRunner.saved, [1, 2, 4] as [UInt32]).filter { entry.what & $1 != 0 }.map(\.0)
  runner.out.append(([path.joined(separator: "/")] + held).joined(separator: " "))
  return true
}

extension VectorRunner {
  static let saved = ["expanded", "collapsed", "selected"]

  private var view: OpaquePointer { views[words[0]]! }

  private func open() throws(StepFailure) {
    var options = ctree_view_options()
    options.size = MemoryLayout<ctree_view_options>.size
    let flags = [
      ("sections", CTREE_VIEW_SECTIONS), ("forgets", CTREE_VIEW_FORGETS),
      ("empty-can-open", CTREE_VIEW_EMPTY_CAN_OPEN),
      ("records", CTREE_VIEW_RECORDS),
    ]
    for (word, flag) in flags where words.contains(word) { options.flags |= UInt32(flag) }
    options.default_depth = levels(words[1])
    var made: OpaquePointer?
    try check(ctree_view_create(store, &options, &made))
    views[words[0]] = made
  }

  func sayRows(_ nodes: UnsafePointer<Node>?, _ depths: UnsafePointer<UInt32>?, _ count: UInt32) {
    for row in 0..<Int(count) { say(depths![row], name(nodes![row])) }
  }

  func sayWindow(_ rows: UnsafePointer<ctree_row>, _ count: UInt32) {
    for row in UnsafeBufferPointer(start: rows, count: Int(count)) {
      say(
        row.depth, name(row.node), row.position, row.sibling_count, Self.states[Int(row.load_state)],
        row.expandable ? "expandable" : "-", row.expanded ? "expanded" : "-", row.more ? "more" : "-")
    }
  }

  private func nodesFrom(_ first: UInt32, _ count: UInt32) throws(StepFailure) {
    var count = min(count, ctree_view_row_count(view))
    let nodes = keep(array: [Node](repeating: 0, count: Int(count)))
    let depths = keep(array: [UInt32](repeating: 0, count: Int(count)))
    try check(ctree_view_nodes_from(view, first, &count, nodes, depths))
    sayRows(nodes, depths, count)
  }

  private func selection() throws(StepFailure) {
    var count = ctree_view_selected_count(view)
    let found = keep(array: [Node](repeating: 0, count: Int(count)))
    try check(ctree_view_selected(view, &count, found))
    let nodes = UnsafeBufferPointer(start: found, count: Int(count))
    let isRow = { (node: Node) in ctree_view_row_of(self.view, node) != UInt32.max }
    let hidden = nodes.filter { !isRow($0) }.map(name).sorted {
      Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8))
    }
    out.append(([String(count)] + nodes.filter(isRow).map(name) + hidden).joined(separator: " "))
  }

  private func bits(_ words: ArraySlice<String>) -> UInt32 {
    words.reduce(0) { $0 | 1 << UInt32(Self.saved.firstIndex(of: $1)!) }
  }

  private func restore() throws(StepFailure) {
    let entries = step.given.map { line in
      let path = parts(line[0]).map { id($0) }
      return ctree_saved(path: keep(array: path), length: UInt32(path.count), what: bits(line.dropFirst()))
    }
    try check(ctree_view_restore(view, keep(array: entries), entries.count))
  }

  private func revealPath() throws(StepFailure) {
    let path = parts(words[1]).map { id($0) }
    var found: Node = 0
    let status = ctree_view_reveal_path(view, keep(array: path), UInt32(path.count), &found)
    if status != CTREE_LOADING { try check(status) }
    say(status == CTREE_OK ? "ok" : "loading", name(found))
  }

  func runViews() throws(StepFailure) -> Bool {
    switch step.words[0] {
    case "view": try open()
    case "close-view":
      ctree_view_destroy(view)
      splices[view] = nil
      views[words[0]] = nil
    case "view-store": say(yes(ctree_view_store(view) == store))
    case "expand": try check(ctree_view_expand(view, node(1)))
    case "collapse": try check(ctree_view_collapse(view, node(1)))
    case "toggle": try check(ctree_view_toggle(view, node(1)))
    case "reveal": try check(ctree_view_reveal(view, node(1)))
    case "expand-all":
      let node = try node(1)
      try check(withProgress { ctree_view_expand_all(view, node, levels(words[2]), $0) })
    case "collapse-all": try check(ctree_view_collapse_all(view, node(1)))
    case "expanded": say(yes(ctree_view_is_expanded(view, try node(1))))
    case "visible": say(yes(ctree_view_is_visible(view, try node(1))))
    case "expandable": say(yes(ctree_view_is_expandable(view, try node(1))))
    case "rows": try nodesFrom(0, UInt32.max)
    case "nodes-from": try nodesFrom(small(1), small(2))
    case "window":
      var count = min(small(2), ctree_view_row_count(view))
      let rows = keep(array: [ctree_row](repeating: ctree_row(), count: Int(count)))
      try check(ctree_view_window(view, small(1), &count, rows))
      sayWindow(rows, count)
    case "row-count": say(ctree_view_row_count(view))
    case "node-at": say(name(ctree_view_node_at(view, small(1))))
    case "row-of": say(rowWord(ctree_view_row_of(view, try node(1))))
    case "nodes-at":
      let rows = words.dropFirst().map { UInt32($0)! }
      let found = keep(array: [Node](repeating: 0, count: rows.count))
      try check(ctree_view_nodes_at(view, keep(array: rows), rows.count, found))
      list(Array(UnsafeBufferPointer(start: found, count: rows.count)))
    case "rows-of":
      var nodes: [Node] = []
      for word in words.dropFirst() { nodes.append(try node(word)) }
      let found = keep(array: [UInt32](repeating: 0, count: nodes.count))
      try check(ctree_view_rows_of(view, keep(array: nodes), nodes.count, found))
      let rows = UnsafeBufferPointer(start: found, count: nodes.count).map(rowWord)
      out.append(([String(nodes.count)] + rows).joined(separator: " "))
    case "ancestors":
      let node = try node(1)
      var room: UInt32 = 0
      let status = ctree_view_ancestors(view, node, &room, nil)
      if status != CTREE_RANGE { try check(status) }
      let found = keep(array: [Node](repeating: 0, count: Int(room)))
      try check(ctree_view_ancestors(view, node, &room, found))
      list(Array(UnsafeBufferPointer(start: found, count: Int(room))))
    case "section-count": say(ctree_view_section_count(view))
    case "section": say(name(ctree_view_section_node(view, small(1))), ctree_view_section_rows(view, small(1)))
    case "index-path":
      var path = ctree_index_path()
      try check(ctree_view_index_path(view, small(1), &path))
      say(path.section, path.row)
    case "row-at":
      say(rowWord(ctree_view_row_at_index_path(view, ctree_index_path(section: small(1), row: small(2)))))
    case "view-memory": if ctree_view_memory(view) == 0 { throw .says("no memory") }
    case "trim": try check(ctree_view_trim(view))
    case "compact": try check(ctree_view_compact(view))
    case "validate-view": try check(ctree_view_validate(view, nil))
    case "select": try check(ctree_view_select(view, node(1), words[2] == "yes"))
    case "select-rows": try check(ctree_view_select_rows(view, small(1), small(2), words[3] == "yes"))
    case "deselect-all": try check(ctree_view_deselect_all(view))
    case "selected": say(yes(ctree_view_is_selected(view, try node(1))))
    case "selected-count": say(ctree_view_selected_count(view))
    case "selection": try selection()
    case "watch": try check(ctree_view_watch(view, noteSplice, context))
    case "unwatch": try check(ctree_view_watch(view, nil, nil))
    case "splices":
      out = splices[view] ?? []
      splices[view] = []
    case "save":
      try check(ctree_view_save(view, bits(words.dropFirst()), noteSaved, context))
      out.sort { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    case "restore": try restore()
    case "waiting": say(ctree_view_waiting_count(view))
    case "forget-waiting": try check(ctree_view_forget_waiting(view))
    case "reveal-path": try revealPath()
    default: return false
    }
    return true
  }
}
