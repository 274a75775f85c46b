internal import CTreeCore

/// How the identifiers of a tree go to its store and come back.
///
/// In a tree with sections every identifier is kept as bytes behind a tag, so that the nodes of sections have a name space
/// of their own.
@usableFromInline
struct IdentifierCoding<ID: Hashable & Sendable> {
  private let isTagged: Bool
  private let form: TreeIdentifierForm
  @usableFromInline let shortcut: Shortcut
  private let lend: (ID, (TreeIdentifierContent) -> Void) -> Void
  private let make: (TreeIdentifierContent) -> ID?
  /// Numbers for identifiers that lend nothing themselves.
  private let interning: InternTable<ID>?

  /// The usual identifiers go without the closures: this is code for any type, and each call of one through a closure
  /// costs as much as the look-up that it is for.
  @usableFromInline
  enum Shortcut {
    case none, int, string

    /// The identifier that a store lent, where there is a shortcut: a number, or the address and length of bytes.
    @inlinable
    func id(_ bytes: UnsafeRawPointer?, _ word: UInt64) -> ID? {
      switch self {
      case .int: unsafeBitCast(Int(truncatingIfNeeded: word), to: ID.self)
      case .string:
        unsafeBitCast(
          String(decoding: UnsafeRawBufferPointer(start: bytes, count: Int(word)), as: UTF8.self), to: ID.self)
      case .none: nil
      }
    }
  }

  private static var itemTag: UInt8 { 0 }
  private static var sectionTag: UInt8 { 1 }
  private static var namedTag: UInt8 { 2 }

  init(isTagged: Bool) where ID: TreeIdentifier {
    self.isTagged = isTagged
    form = ID.treeIdentifierForm
    shortcut = isTagged ? .none : ID.self == Int.self ? .int : ID.self == String.self ? .string : .none
    lend = { id, body in id.withTreeIdentifier(body) }
    make = { ID(treeIdentifier: $0) }
    interning = nil
  }

  init(interning table: InternTable<ID>, isTagged: Bool) {
    self.isTagged = isTagged
    form = .number
    shortcut = .none
    lend = { id, body in body(.number(table.number(of: id))) }
    make = { content in
      guard case .number(let number) = content else { return nil }
      return table.id(number)
    }
    interning = table
  }

  var isNumber: Bool { !isTagged && form == .number }
  var kind: ctree_id_kind { isNumber ? CTREE_ID_U64 : CTREE_ID_BYTES }

  /// To be called for every value that is kept for an identifier, before the identifier is lent; gives its number, or 0.
  func hold(_ id: ID) -> UInt64 {
    interning?.hold(id) ?? 0
  }

  /// The node that has an identifier, or 0. Made for the caller's identifiers it is no more than the call of the store.
  @inlinable
  func find(_ id: ID, in handle: StoreHandle) -> UInt64 {
    switch shortcut {
    case .int: return handle.find(UInt64(truncatingIfNeeded: unsafeBitCast(id, to: Int.self)))
    case .string:
      var string = unsafeBitCast(id, to: String.self)
      return string.withUTF8 { handle.find($0) }
    case .none: return findAny(id, in: handle)
    }
  }

  @usableFromInline
  func findAny(_ id: ID, in handle: StoreHandle) -> UInt64 {
    with(id) { ctree_store_find(handle.store, $0) }
  }

  /// The identifier that a store lent: a number, or the address and length of bytes.
  @usableFromInline
  func id(_ bytes: UnsafeRawPointer?, _ word: UInt64) -> ID {
    id(ctree_id(bytes: bytes, word: word))
  }

  func with<Result>(_ id: ID, _ body: (ctree_id) -> Result) -> Result {
    var result: Result?
    if isTagged {
      var bytes: [UInt8] = []
      append(id, to: &bytes)
      result = bytes.withUnsafeBytes { body(ctree_id(bytes: $0.baseAddress, word: UInt64($0.count))) }
    } else {
      lend(id) { content in
        switch content {
        case .number(let number): result = body(ctree_id(bytes: nil, word: number))
        case .bytes(let bytes): result = body(ctree_id_bytes(bytes.baseAddress, bytes.count))
        }
      }
    }
    guard let result else { preconditionFailure("\(ID.self) does not lend its identifier.") }
    return result
  }

  func number(_ id: ID) -> UInt64 {
    var result: UInt64?
    lend(id) { content in
      if case .number(let number) = content { result = number }
    }
    guard let result else {
      preconditionFailure("\(ID.self) says that its identifiers are numbers, and lends something else.")
    }
    return result
  }

  func append(_ id: ID, to bytes: inout [UInt8]) {
    if isTagged { bytes.append(Self.itemTag) }
    lend(id) { content in
      switch content {
      case .number(let number):
        precondition(isTagged, "\(ID.self) says that its identifiers are bytes, and lends a number.")
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
      case .bytes(let lent): bytes.append(contentsOf: lent)
      }
    }
  }

  /// The identifier of a section's node; a section without a name is not the one whose name is empty.
  func appendSection(_ name: String?, to bytes: inout [UInt8]) {
    bytes.append(name == nil ? Self.sectionTag : Self.namedTag)
    bytes.append(contentsOf: (name ?? "").utf8)
  }

  func id(_ lent: ctree_id) -> ID {
    guard let id = decode(lent) else { preconditionFailure("\(ID.self) cannot be made from what it lent.") }
    return id
  }

  private func decode(_ lent: ctree_id) -> ID? {
    if let id = shortcut.id(lent.bytes, lent.word) { return id }
    if isNumber { return make(.number(lent.word)) }
    var bytes = UnsafeRawBufferPointer(start: lent.bytes, count: Int(lent.word))
    if isTagged { bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst()) }
    guard isTagged, form == .number else { return make(.bytes(bytes)) }
    var number: UInt64 = 0
    for byte in bytes { number = number << 8 | UInt64(byte) }
    return make(.number(number))
  }

  /// Whether an identifier is a section's.
  func isSection(_ lent: ctree_id) -> Bool {
    isTagged && UnsafeRawBufferPointer(start: lent.bytes, count: Int(lent.word)).first != Self.itemTag
  }

  /// The name of a section from its node's identifier.
  func sectionName(_ lent: ctree_id) -> String? {
    let bytes = UnsafeRawBufferPointer(start: lent.bytes, count: Int(lent.word))
    return bytes.first == Self.namedTag ? String(decoding: bytes.dropFirst(), as: UTF8.self) : nil
  }
}
