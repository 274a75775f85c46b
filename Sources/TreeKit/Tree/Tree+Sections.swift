internal import CTreeCore

// With sections on, the top level of the store holds one node for each section, and the top-level items stand below
// those. No caller ever sees such a node: its value word is 0, which no item's is.

extension Tree {
  var sectionNodes: [ctree_node] {
    (try? childHandles(of: 0)) ?? []
  }

  func isSection(_ node: ctree_node) -> Bool {
    options.hasSections && node != 0 && ctree_store_value(store, node) == 0
  }

  func sectionNode(named name: String?) -> ctree_node {
    withSectionID(name) { ctree_store_find_child(store, 0, $0) }
  }

  func sectionName(ofNode node: ctree_node) -> String? {
    var id = ctree_id()
    return ctree_store_id(store, node, &id) == CTREE_OK ? coding.sectionName(id) : nil
  }

  /// The node for top-level items of a section, made at the end where there is none yet.
  func makeSection(named name: String?) throws(TreeError) -> ctree_node {
    let known = sectionNode(named: name)
    if known != 0 { return known }
    var made: ctree_node = 0
    var initial = ctree_node_init()
    initial.load_state = CTREE_STATE_LOADED.rawValue
    try ensure(edit { withSectionID(name) { ctree_store_insert(store, 0, CTREE_END, $0, &initial, &made) } })
    return made
  }

  /// Removes a section whose last item has left it.
  func removeSectionIfEmpty(_ node: ctree_node) {
    guard isSection(node), ctree_store_child_count(store, node) == 0 else { return }
    _ = edit { ctree_store_remove(store, node) }
  }

  private func withSectionID<Result>(_ name: String?, _ body: (ctree_id) -> Result) -> Result {
    var bytes: [UInt8] = []
    coding.appendSection(name, to: &bytes)
    return bytes.withUnsafeBytes { body(ctree_id_bytes($0.baseAddress, $0.count)) }
  }
}
