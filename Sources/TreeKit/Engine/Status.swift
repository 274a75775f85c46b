internal import CTreeCore

extension TreeError {
  /// What a status means where nothing more is known. Only failures come here.
  init(_ status: ctree_status) {
    switch status {
    case CTREE_NO_MEMORY: self = .noMemory
    case CTREE_STALE, CTREE_NOT_FOUND: self = .staleNode
    case CTREE_RANGE: self = .outOfRange
    case CTREE_DUPLICATE: self = .duplicate(item: [], other: .unknown)
    case CTREE_LIMIT: self = .limit
    case CTREE_LEAF: self = .leaf
    case CTREE_CYCLE: self = .cycle
    case CTREE_BUSY: self = .busy
    case CTREE_CANCELLED: self = .cancelled
    case CTREE_SUPERSEDED: self = .superseded
    case CTREE_LOADING: self = .loading
    default: preconditionFailure("TreeKit called its core wrongly: \(String(cString: ctree_status_name(status))).")
    }
  }
}

func ensure(_ status: ctree_status) throws(TreeError) {
  if status != CTREE_OK { throw TreeError(status) }
}

extension TreeLoadState {
  init(_ state: UInt32) {
    switch ctree_load_state(rawValue: state) {
    case CTREE_STATE_UNLOADED: self = .unloaded
    case CTREE_STATE_LOADING: self = .loading
    case CTREE_STATE_LOADED: self = .loaded
    case CTREE_STATE_FAILED: self = .failed
    default: self = .leaf
    }
  }
}
