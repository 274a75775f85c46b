import CTreeCore

private func runner(_ context: UnsafeMutableRawPointer?) -> VectorRunner {
  Unmanaged<VectorRunner>.fromOpaque(context!).takeUnretainedValue()
}

private func noteReleased(
  _ context: UnsafeMutableRawPointer?, _: UnsafePointer<ctree_node>?, _ values: UnsafePointer<UInt64>?, _ count: Int
) {
  runner(context).values.append(contentsOf: UnsafeBufferPointer(start: values, count: count))
}

extension VectorRunner {
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  private func children(_ parent: Node, _ first: UInt32, _ count: UInt32) throws(StepFailure) -> [Node] {
    var room = count
    let all = ctree_store_child_count(store, parent)
    if room > all { room = all }
    let found = keep(array: [Node](repeating: 0, count: Int(room) + 1))
    try check(ctree_store_children(store, parent, first, &room, found))
    return Array(UnsafeBufferPointer(start: found, count: Int(room)))
  }

  private func findMany() throws(StepFailure) {
    let parent = try node(0)
    let ids = words.dropFirst().map { id($0) }
    let parents = isScoped ? UnsafePointer(keep(array: [Node](repeating: parent, count: ids.count))) : nil
    let found = keep(array: [Node](repeating: 0, count: ids.count))
    if step.words[0] == "find-many" {
      try check(ctree_store_find_many(store, parents, keep(array: ids), ids.count, found))
    } else {
      try check(ctree_store_find_many_u64(store, parents, keep(array: ids.map(\.word)), ids.count, found))
    }
    list(Array(UnsafeBufferPointer(start: found, count: ids.count)))
  }

  private func walk() throws(StepFailure) {
    let root = try node(0)
    var nodes = root == 0 ? [] : [root]
    var at = ctree_store_next(store, root, root, false)
    while at != 0 {
      nodes.append(at)
      at = ctree_store_next(store, at, root, false)
    }
    list(nodes)
  }

  private func info() throws(StepFailure) {
    var info = ctree_node_info()
    info.size = MemoryLayout<ctree_node_info>.size
    try check(ctree_store_info(store, node(0), &info))
    say(
      "parent", name(info.parent), "value", info.value, "revision", info.revision, "state",
      Self.states[Int(info.load_state)], "children", info.child_count, "more", yes(info.more))
  }

  private func path() throws(StepFailure) {
    var room: UInt32 = 0
    let node = try node(0)
    let status = ctree_store_path(store, node, &room, nil)
    if status != CTREE_RANGE { try check(status) }
    let found = keep(array: [UInt32](repeating: 0, count: Int(room)))
    try check(ctree_store_path(store, node, &room, found))
    let ordinals = UnsafeBufferPointer(start: found, count: Int(room)).map(String.init)
    out.append(([String(room)] + ordinals).joined(separator: " "))
  }

  func runStore() throws(StepFailure) -> Bool {
    switch step.words[0] {
    case "store":
      var options = ctree_store_options()
      options.size = MemoryLayout<ctree_store_options>.size
      isBytes = words[0] == "bytes"
      isScoped = words[1] == "siblings"
      options.id_kind = isBytes ? CTREE_ID_BYTES.rawValue : CTREE_ID_U64.rawValue
      options.id_scope = isScoped ? CTREE_SCOPE_SIBLINGS.rawValue : CTREE_SCOPE_STORE.rawValue
      options.node_limit = limit
      options.release = noteReleased
      options.release_context = context
      try check(ctree_store_create(&options, &store))
    case "close":
      ctree_store_destroy(store)
      isClosed = true
    case "kinds":
      let kind = ctree_store_id_kind(store) == CTREE_ID_U64 ? "u64" : "bytes"
      say(kind, ctree_store_id_scope(store) == CTREE_SCOPE_STORE ? "store" : "siblings")
    case "count": say(ctree_store_count(store))
    case "memory":
      var memory = ctree_memory()
      memory.size = MemoryLayout<ctree_memory>.size
      try check(ctree_store_memory(store, &memory))
      if memory.total == 0 { throw .says("no memory") }
    case "validate": try check(ctree_validate(store, nil))
    case "find": say(name(ctree_store_find(store, id(words[0]))))
    case "find-child": say(name(ctree_store_find_child(store, try node(0), id(words[1]))))
    case "find-many", "find-many-u64": try findMany()
    case "name": handles[words[0]] = try node(1)
    case "contains": say(yes(ctree_store_contains(store, try node(0))))
    case "node": try info()
    case "parent":
      var parent: Node = 0
      try check(ctree_store_parent(store, node(0), &parent))
      say(name(parent))
    case "id":
      var id = ctree_id()
      try check(ctree_store_id(store, node(0), &id))
      say(idWord(id))
    case "value": say(ctree_store_value(store, try node(0)))
    case "revision": say(ctree_store_revision(store, try node(0)))
    case "state": say(Self.states[Int(ctree_store_load_state(store, try node(0)).rawValue)])
    case "child-count": say(ctree_store_child_count(store, try node(0)))
    case "child-at": say(name(ctree_store_child_at(store, try node(0), small(1))))
    case "children": list(try children(node(0), small(1), small(2)))
    case "ordinal":
      var ordinal: UInt32 = 0
      try check(ctree_store_ordinal(store, node(0), &ordinal))
      say(ordinal)
    case "depth":
      var depth: UInt32 = 0
      try check(ctree_store_depth(store, node(0), &depth))
      say(depth)
    case "below": say(yes(ctree_store_is_below(store, try node(0), try node(1))))
    case "path": try path()
    case "at-path":
      let ordinals = words.map { UInt32($0)! }
      say(name(ctree_store_node_at_path(store, keep(array: ordinals), UInt32(ordinals.count))))
    case "next": say(name(ctree_store_next(store, try node(0), try node(1), words[2] == "yes")))
    case "walk": try walk()
    case "subtree-count": say(ctree_store_subtree_count(store, try node(0)))
    case "version":
      let parts = String(cString: ctree_version_string()).split(separator: ".").map { UInt32($0)! }
      let isSame = ctree_version() == parts[0] * 1_000_000 + parts[1] * 1000 + parts[2]
      if !isSame || ctree_abi_version() != UInt32(CTREE_ABI_VERSION) { throw .says("versions differ") }
    case "status-name": say(String(cString: ctree_status_name(ctree_status(rawValue: small(0)))))
    default: return false
    }
    return true
  }

  // MARK: Edits

  private func insert() throws(StepFailure) {
    var initial = ctree_node_init()
    if words.count > 3 { initial.value = number(3) }
    if words.count > 4 { initial.revision = number(4) }
    if words.count > 5 { initial.load_state = UInt32(Self.states.firstIndex(of: words[5])!) }
    var made: Node = 0
    let status = ctree_store_insert(store, try node(0), place(words[1]), id(words[2]), &initial, &made)
    if status == CTREE_DUPLICATE { throw .says("duplicate \(name(made))") }
    try check(status)
  }

  private func graft() throws(StepFailure) {
    var options = ctree_store_options()
    options.size = MemoryLayout<ctree_store_options>.size
    options.id_kind = ctree_store_id_kind(store).rawValue
    options.id_scope = ctree_store_id_scope(store).rawValue
    var other: OpaquePointer?
    try check(ctree_store_create(&options, &other))
    defer { ctree_store_destroy(other) }
    var forest = forest()
    try bulk { ctree_store_build(other, 0, UInt32.max, &forest, nil, nil, $0) }
    let parent = try node(0)
    var result: StepFailure?
    do throws(StepFailure) {
      try bulk { fault in
        withProgress { ctree_store_graft(store, parent, place(words[1]), other, $0, fault) }
      }
    } catch {
      result = error
    }
    let left = ctree_store_count(other)
    if left != (result == nil ? 0 : forest.count) { throw .says("a graft left \(left) nodes") }
    if let result { throw result }
  }

  private func listen() throws(StepFailure) {
    var listener = ctree_listener()
    listener.context = context
    listener.before = { runner($0).hear("before", $2!.pointee) }
    listener.after = {
      let runner = runner($0)
      runner.hear("after", $2!.pointee)
      if ctree_store_begin(runner.store) != CTREE_BUSY { runner.heard.append("not busy") }
    }
    listener.settled = { context, _ in runner(context).heard.append("settled") }
    try check(ctree_store_add_listener(store, &listener, &self.listener))
  }

  func hear(_ when: String, _ edit: ctree_edit) {
    var line = [when]
    let kind = ctree_edit_kind(rawValue: edit.kind)
    switch kind {
    case CTREE_EDIT_INSERT: line.append("insert")
    case CTREE_EDIT_REMOVE: line.append("remove")
    case CTREE_EDIT_MOVE: line.append("move")
    default: line.append("change")
    }
    if kind == CTREE_EDIT_CHANGE {
      line.append(name(edit.node))
      if edit.changed & UInt32(CTREE_CHANGED_VALUE) != 0 { line.append("value") }
      if edit.changed & UInt32(CTREE_CHANGED_REVISION) != 0 { line.append("revision") }
      if edit.changed & UInt32(CTREE_CHANGED_LOAD_STATE) != 0 { line.append("load-state") }
    } else {
      line += [name(edit.parent), String(edit.first), String(edit.count)]
    }
    if kind == CTREE_EDIT_MOVE { line += [name(edit.to_parent), String(edit.to_first)] }
    heard.append(line.joined(separator: " "))
  }

  func runEdits() throws(StepFailure) -> Bool {
    switch step.words[0] {
    case "insert": try insert()
    case "remove": try check(ctree_store_remove(store, node(0)))
    case "remove-children": try check(ctree_store_remove_children(store, node(0), small(1), small(2)))
    case "move": try check(ctree_store_move(store, node(0), node(1), place(words[2])))
    case "set": try check(ctree_store_set_value(store, node(0), number(1), number(2)))
    case "set-leaf": try check(ctree_store_set_leaf(store, node(0), words[1] == "yes"))
    case "build":
      let parent = try node(0)
      var forest = forest()
      try bulk { fault in
        withProgress { ctree_store_build(store, parent, place(words[1]), &forest, $0, nil, fault) }
      }
    case "graft": try graft()
    case "reconcile":
      let parent = try node(0)
      var forest = forest()
      let elsewhere = words[1] == "moves" ? CTREE_ELSEWHERE_MOVES : CTREE_ELSEWHERE_FAILS
      try bulk { fault in
        withProgress { ctree_store_reconcile(store, parent, &forest, elsewhere.rawValue, $0, nil, fault) }
      }
    case "begin": try check(ctree_store_begin(store))
    case "end": try check(ctree_store_end(store))
    case "listen": try listen()
    case "unlisten": try check(ctree_store_remove_listener(store, listener))
    case "heard":
      out = heard
      heard = []
    case "released":
      out.append(([String(values.count)] + values.sorted().map(String.init)).joined(separator: " "))
      values = []
    default: return false
    }
    return true
  }

  // MARK: Loading

  func runLoads() throws(StepFailure) -> Bool {
    switch step.words[0] {
    case "request": try check(ctree_load_request(store, node(0)))
    case "next-request": say(name(ctree_load_next_request(store)))
    case "requests":
      var nodes: [Node] = []
      while case let next = ctree_load_next_request(store), next != 0 { nodes.append(next) }
      list(nodes)
    case "load":
      var ticket: UInt64 = 0
      let flags = words.dropFirst(2).contains("reload") ? UInt32(CTREE_LOAD_RELOAD) : 0
      let status = ctree_load_begin(store, try node(0), flags, &ticket)
      if status == CTREE_OK || status == CTREE_LOADING { tickets[words[1]] = ticket }
      try check(status)
    case "check":
      let status = ctree_load_check(store, try node(0), tickets[words[1]]!)
      say(Self.statuses[Int(status.rawValue)])
    case "finish":
      let node = try node(0)
      var forest = forest()
      let elsewhere = words[2] == "moves" ? CTREE_ELSEWHERE_MOVES : CTREE_ELSEWHERE_FAILS
      try bulk { ctree_load_finish(store, node, tickets[words[1]]!, &forest, elsewhere.rawValue, nil, $0) }
    case "append":
      let node = try node(0)
      var forest = forest()
      try bulk { ctree_load_append(store, node, tickets[words[1]]!, &forest, words[2] == "more", nil, $0) }
    case "fail": try check(ctree_load_fail(store, node(0), tickets[words[1]]!, number(2)))
    case "cancel": try check(ctree_load_cancel(store, node(0), tickets[words[1]]!))
    case "error": say(ctree_load_error(store, try node(0)))
    case "drop": try check(ctree_load_drop(store, node(0)))
    default: return false
    }
    return true
  }
}
