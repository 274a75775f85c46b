internal import CTreeCore

/// How rows looked when the table was told last, for those that an edit since may have changed.
///
/// The store tells of everything that was set; a table wants to know what looks different in the end.
final class LookKeeper {
  private let store: OpaquePointer
  private let view: OpaquePointer
  private let showsChildCounts: Bool
  @exclusivity(unchecked) private var before: [ctree_node: UInt64] = [:]
  /// Those that somebody was shown since with another look, so that nobody knows how they look in the table.
  @exclusivity(unchecked) private var drawn: Set<ctree_node> = []

  init(_ store: OpaquePointer, _ view: OpaquePointer, _ options: TreeOptions) {
    self.store = store
    self.view = view
    showsChildCounts = options.showsChildCounts
  }

  func note(_ node: ctree_node) {
    if node != 0, before[node] == nil { before[node] = look(of: node) }
  }

  /// A row is being read, to be drawn perhaps, before what was set of it is told.
  func noteDrawn(_ node: ctree_node) {
    if let look = before[node], look != self.look(of: node) { drawn.insert(node) }
  }

  /// Whether nothing was set of anything.
  var isEmpty: Bool { before.isEmpty }

  /// Whether something was set of a node, which may look as it did all the same.
  func isNoted(_ node: ctree_node) -> Bool { before[node] != nil }

  /// Whether a row that something was set of looks as it did.
  func isSame(_ node: ctree_node) -> Bool {
    before[node] == look(of: node) && !drawn.contains(node)
  }

  func forget() {
    if !drawn.isEmpty { drawn = [] }
    if before.isEmpty { return }
    before.removeAll(keepingCapacity: before.count < 256)
  }

  /// A number that stays the same while a node's row looks the same. Whether it is open does not count: whoever opens a row
  /// turns its arrow.
  private func look(of node: ctree_node) -> UInt64 {
    var info = ctree_node_info()
    info.size = MemoryLayout<ctree_node_info>.size
    guard ctree_store_info(store, node, &info) == CTREE_OK else { return 0 }
    let state = TreeLoadState(info.load_state)
    var bits: UInt64 = ctree_view_is_expandable(view, node) ? 1 : 0
    if state == .loading { bits |= 2 }
    if state == .failed { bits |= 4 }
    if info.more { bits |= 8 }
    if showsChildCounts { bits |= UInt64(info.child_count) << 4 }
    // Two looks that differ meet in one number about once in 2^64.
    return mixed(info.revision) &+ mixed(bits ^ 0x9e37_79b9_7f4a_7c15)
  }

  private func mixed(_ number: UInt64) -> UInt64 {
    var mixed = (number ^ (number >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

/// A function of the file for the same reason as the one that notes values.
func noteLooks(_ context: UnsafeMutableRawPointer?, _: OpaquePointer?, _ edit: UnsafePointer<ctree_edit>?) {
  guard let context, let edit = edit?.pointee else { return }
  let looks = Unmanaged<LookKeeper>.fromOpaque(context).takeUnretainedValue()
  switch ctree_edit_kind(rawValue: edit.kind) {
  case CTREE_EDIT_CHANGE: looks.note(edit.node)
  case CTREE_EDIT_MOVE:
    looks.note(edit.parent)
    looks.note(edit.to_parent)
  default: looks.note(edit.parent)
  }
}
