internal import CTreeCore

// The one file that ends what C began: a store with its view, an index, a diff.

/// Keeps what the nodes of a store point to. The store tells it which values were let go; they are released by `drain`,
/// once the call that let them go has returned, since releasing an object can run any code.
@usableFromInline
class ValueKeeper {
  /// Value words that no node has any more.
  @exclusivity(unchecked) final var released: [UInt64] = []
  /// Set when everything is about to go: nothing needs to be noted then.
  final var isClosing = false
}

/// It is a function of the file, since a closure of an actor would check its isolation at every call.
private func noteReleased(
  _ context: UnsafeMutableRawPointer?, _: UnsafePointer<ctree_node>?, _ values: UnsafePointer<UInt64>?, _ count: Int
) {
  guard let context, let values else { return }
  let keeper = Unmanaged<ValueKeeper>.fromOpaque(context).takeUnretainedValue()
  if !keeper.isClosing { keeper.released.append(contentsOf: UnsafeBufferPointer(start: values, count: count)) }
}

/// What opening and closing asks of a node.
@usableFromInline
struct NodeLook {
  @usableFromInline let state: TreeLoadState
  @usableFromInline let isExpanded: Bool
}

/// A store and a view of it.
@usableFromInline
final class StoreHandle {
  let store: OpaquePointer
  let view: OpaquePointer
  private let keeper: ValueKeeper
  /// How rows looked, where changes are recorded.
  let looks: LookKeeper?

  /// - Parameter records: Whether the view records its changes.
  init(_ options: TreeOptions, idKind: ctree_id_kind, keeper: ValueKeeper, records: Bool) throws(TreeError) {
    var storeOptions = ctree_store_options()
    storeOptions.size = MemoryLayout<ctree_store_options>.size
    storeOptions.id_kind = idKind.rawValue
    storeOptions.id_scope = (options.scope == .tree ? CTREE_SCOPE_STORE : CTREE_SCOPE_SIBLINGS).rawValue
    storeOptions.release = noteReleased
    storeOptions.release_context = Unmanaged.passUnretained(keeper).toOpaque()
    var store: OpaquePointer?
    try ensure(ctree_store_create(&storeOptions, &store))

    var viewOptions = ctree_view_options()
    viewOptions.size = MemoryLayout<ctree_view_options>.size
    if options.hasSections { viewOptions.flags |= UInt32(CTREE_VIEW_SECTIONS) }
    if options.forgetsOnCollapse { viewOptions.flags |= UInt32(CTREE_VIEW_FORGETS) }
    if options.emptyCanOpen { viewOptions.flags |= UInt32(CTREE_VIEW_EMPTY_CAN_OPEN) }
    if records { viewOptions.flags |= UInt32(CTREE_VIEW_RECORDS) }
    viewOptions.default_depth = UInt32(clamping: options.openLevels)
    var view: OpaquePointer?
    let status = ctree_view_create(store, &viewOptions, &view)
    guard status == CTREE_OK, let store, let view else {
      ctree_store_destroy(store)
      throw TreeError(status)
    }
    looks = records ? LookKeeper(store, view, options) : nil
    if let looks {
      var listener = ctree_listener()
      listener.context = Unmanaged.passUnretained(looks).toOpaque()
      listener.before = noteLooks
      var token: UInt64 = 0
      let status = ctree_store_add_listener(store, &listener, &token)
      guard status == CTREE_OK else {
        ctree_view_destroy(view)
        ctree_store_destroy(store)
        throw TreeError(status)
      }
    }
    self.store = store
    self.view = view
    self.keeper = keeper
  }

  @usableFromInline
  func look(at node: TreeNode) throws(TreeError) -> NodeLook {
    let state = TreeLoadState(ctree_store_load_state(store, node.handle).rawValue)
    // A node that is gone passes for a leaf here; only then need it be asked for.
    if state == .leaf, !ctree_store_contains(store, node.handle) { throw .staleNode }
    return NodeLook(state: state, isExpanded: ctree_view_is_expanded(view, node.handle))
  }

  /// The value word of a node that is there.
  @usableFromInline
  func value(of node: TreeNode) -> UInt64 { ctree_store_value(store, node.handle) }

  @usableFromInline
  func hasChildren(_ node: TreeNode) -> Bool { ctree_store_child_count(store, node.handle) != 0 }

  @usableFromInline
  func find(_ number: UInt64) -> UInt64 {
    ctree_store_find(store, ctree_id(bytes: nil, word: number))
  }

  @usableFromInline
  func find(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    ctree_store_find(store, ctree_id_bytes(bytes.baseAddress, bytes.count))
  }

  deinit {
    keeper.isClosing = true
    ctree_view_destroy(view)
    ctree_store_destroy(store)
  }
}

/// A store that only finds identifiers, for the length of a call.
final class IndexHandle {
  let store: OpaquePointer

  init(_ kind: ctree_id_kind) throws(TreeError) {
    var options = ctree_store_options()
    options.size = MemoryLayout<ctree_store_options>.size
    options.id_kind = kind.rawValue
    var store: OpaquePointer?
    let status = ctree_store_create(&options, &store)
    guard status == CTREE_OK, let store else { throw TreeError(status) }
    self.store = store
  }

  deinit { ctree_store_destroy(store) }
}

/// The change from one list of rows to another.
final class DiffHandle {
  let diff: OpaquePointer

  init(
    from old: ctree_diff_list, to new: ctree_diff_list, keys: ctree_diff_keys, hasSections: Bool, limit: Int?
  ) throws(TreeDiffError) {
    var options = ctree_diff_options()
    options.size = MemoryLayout<ctree_diff_options>.size
    options.keys = keys.rawValue
    options.forms = UInt32(hasSections ? CTREE_DIFF_SECTIONS : CTREE_DIFF_BATCH)
    options.limit = UInt64(max(0, limit ?? 0))
    var old = old
    var new = new
    var duplicate = ctree_diff_duplicate()
    var diff: OpaquePointer?
    let status = ctree_diff_create(&old, &new, &options, &duplicate, &diff)
    guard status == CTREE_OK, let diff else { throw TreeDiffError(status, duplicate) }
    self.diff = diff
  }

  deinit { ctree_diff_destroy(diff) }
}
