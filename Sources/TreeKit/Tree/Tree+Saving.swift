internal import CTreeCore

extension Tree {
  /// What is open and what is selected, by identifiers, with what was restored and still waits for its items.
  /// - Throws: ``TreeError/noMemory``.
  /// - Complexity: O(*n*), and O(identifiers) where they are unique among siblings only.
  public func savedState() throws(TreeError) -> TreeSavedState<ID> {
    var state = TreeSavedState<ID>()
    let taker = EntryTaker { [coding, options] entry in
      var path = UnsafeBufferPointer(start: entry.path, count: Int(entry.length))[...]
      var section: String?
      // Sections have identifiers of their own, and are always open.
      if options.hasSections, let first = path.first, coding.isSection(first) {
        section = coding.sectionName(first)
        path.removeFirst()
      }
      if path.isEmpty { return }
      let isOpen = entry.what & UInt32(CTREE_SAVED_EXPANDED) != 0
      let isClosed = entry.what & UInt32(CTREE_SAVED_COLLAPSED) != 0
      state.entries.append(
        TreeSavedState.Entry(
          path: path.map(coding.id), section: section, isExpanded: isOpen ? true : isClosed ? false : nil,
          isSelected: entry.what & UInt32(CTREE_SAVED_SELECTED) != 0))
    }
    let status = withExtendedLifetime(taker) {
      ctree_view_save(view, UInt32(CTREE_SAVED_ALL), takeEntry, Unmanaged.passUnretained(taker).toOpaque())
    }
    try ensure(status)
    return state
  }

  /// Gives back what was open and selected, in addition to what is now: to items that are there at once, to the others as they
  /// arrive. Entries of leaves, and of items that never come, do no harm.
  ///
  /// What a caller does outranks what waits: closing an item ends what waits below it, as far as paths lead through it, and
  /// closing all ends all that waits to be opened.
  ///
  /// - Throws: ``TreeError/noMemory``, ``TreeError/limit``, ``TreeError/busy``; nothing has changed then. In a tree whose
  ///   identifiers are unique a path of more than one is ``TreeError/ambiguousScope``.
  /// - Complexity: O(identifiers) expected, and that of opening what is there.
  public func restore(_ state: TreeSavedState<ID>) throws(TreeError) {
    let needsSection = options.hasSections && options.scope == .siblings
    var ids = IDList(coding)
    var what: [(length: Int, bits: UInt32)] = []
    for entry in state.entries where !entry.path.isEmpty {
      if options.scope == .tree, entry.path.count > 1 { throw .ambiguousScope }
      var bits: UInt32 = 0
      if let isExpanded = entry.isExpanded {
        bits |= UInt32(isExpanded ? CTREE_SAVED_EXPANDED : CTREE_SAVED_COLLAPSED)
      }
      if entry.isSelected { bits |= UInt32(CTREE_SAVED_SELECTED) }
      if bits == 0 { continue }
      if needsSection { ids.append(section: entry.section) }
      for id in entry.path { ids.append(holding: id) }
      what.append((entry.path.count + (needsSection ? 1 : 0), bits))
    }
    let status = ids.withIDs { ids in
      var entries: [ctree_saved] = []
      entries.reserveCapacity(what.count)
      var next = ids.baseAddress
      for (length, bits) in what {
        entries.append(ctree_saved(path: next, length: UInt32(length), what: bits))
        next = next.map { $0 + length }
      }
      return edit { ctree_view_restore(view, entries, entries.count) }
    }
    try ensure(status)
  }

  /// For how many items something that was restored still waits.
  /// - Complexity: O(1).
  public var waitingCount: Int { Int(ctree_view_waiting_count(view)) }

  /// Gives up what was restored and still waits, and reveals under way.
  /// - Throws: ``TreeError/busy``.
  /// - Complexity: O(waiting entries).
  public func forgetWaiting() throws(TreeError) { try ensure(ctree_view_forget_waiting(view)) }

  /// Opens every ancestor of an item that may yet have to be loaded: those that are there at once, the others as they arrive.
  /// The load of each that is unloaded is requested, once; a load under way is joined.
  ///
  /// - Parameters:
  ///   - path: The identifiers from the top level down to the item.
  ///   - section: The name of the section that the topmost one is in, in a tree with sections.
  /// - Returns: Whether the item is a row, or will be one once loads are in. Calling again tells how far it is.
  /// - Throws: ``TreeError/unknownIdentifier`` where an ancestor is a leaf, or all its children are there and this is none of
  ///   them (a topmost item is always waited for), ``TreeError/noMemory``,
  ///   ``TreeError/busy``; nothing has changed then.
  /// - Complexity: O(*d* log *v*), and O(rows that appear for the first time).
  @discardableResult
  public func reveal(path: [ID], inSection section: String? = nil) throws(TreeError) -> TreeReveal {
    if path.isEmpty { throw .unknownIdentifier }
    var ids = IDList(coding)
    if options.hasSections { ids.append(section: section) }
    for id in path { ids.append(holding: id) }
    let status = ids.withIDs { ids in
      edit { ctree_view_reveal_path(view, ids.baseAddress, UInt32(ids.count), nil) }
    }
    switch status {
    case CTREE_LOADING: return .loading
    case CTREE_NOT_FOUND: throw .unknownIdentifier
    default: try ensure(status)
    }
    return .revealed
  }
}

/// Takes entries to a closure that a C function cannot hold itself.
private final class EntryTaker {
  let take: (ctree_saved) -> Void

  init(_ take: @escaping (ctree_saved) -> Void) { self.take = take }
}

private func takeEntry(_ context: UnsafeMutableRawPointer?, _ entry: UnsafePointer<ctree_saved>?) -> Bool {
  guard let context, let entry else { return false }
  Unmanaged<EntryTaker>.fromOpaque(context).takeUnretainedValue().take(entry.pointee)
  return true
}

/// Identifiers that are handed to the core together.
private struct IDList<ID: Hashable & Sendable> {
  private let coding: IdentifierCoding<ID>
  private var bytes: [UInt8] = []
  /// Numbers, or where the bytes of each end.
  private var words: [UInt64] = []

  init(_ coding: IdentifierCoding<ID>) { self.coding = coding }

  /// An identifier that the tree keeps a number for is held for good: what waits goes by that number.
  mutating func append(holding id: ID) {
    let number = coding.hold(id)
    if coding.isNumber {
      words.append(number != 0 ? number : coding.number(id))
    } else {
      coding.append(id, to: &bytes)
      words.append(UInt64(bytes.count))
    }
  }

  mutating func append(section: String?) {
    coding.appendSection(section, to: &bytes)
    words.append(UInt64(bytes.count))
  }

  func withIDs<Result>(_ body: (UnsafeBufferPointer<ctree_id>) -> Result) -> Result {
    bytes.withUnsafeBytes { bytes in
      var start = 0
      let ids = words.map { word in
        if coding.isNumber { return ctree_id(bytes: nil, word: word) }
        defer { start = Int(word) }
        return ctree_id_bytes(bytes.baseAddress.map { $0 + start }, Int(word) - start)
      }
      return ids.withUnsafeBufferPointer(body)
    }
  }
}
