internal import CTreeCore

/// How the identifiers of a tree go to its store and come back.
///
/// In a tree with sections every identifier is kept as bytes behind a tag, so that the nodes of sections have a name space
/// of their own.
struct IdentifierCoding<ID: TreeIdentifier> {
  let isTagged: Bool

  private static var itemTag: UInt8 { 0 }
  private static var sectionTag: UInt8 { 1 }
  private static var namedTag: UInt8 { 2 }

  var isNumber: Bool { !isTagged && ID.treeIdentifierForm == .number }
  var kind: ctree_id_kind { isNumber ? CTREE_ID_U64 : CTREE_ID_BYTES }

  func with<Result>(_ id: ID, _ body: (ctree_id) -> Result) -> Result {
    if isTagged {
      var bytes: [UInt8] = []
      append(id, to: &bytes)
      return bytes.withUnsafeBytes { body(ctree_id(bytes: $0.baseAddress, word: UInt64($0.count))) }
    }
    return id.withTreeIdentifier { content in
      switch content {
      case .number(let number): body(ctree_id(bytes: nil, word: number))
      case .bytes(let bytes): body(ctree_id_bytes(bytes.baseAddress, bytes.count))
      }
    }
  }

  func number(_ id: ID) -> UInt64 {
    id.withTreeIdentifier { content in
      guard case .number(let number) = content else {
        preconditionFailure("\(ID.self) says that its identifiers are numbers, and lends bytes.")
      }
      return number
    }
  }

  func append(_ id: ID, to bytes: inout [UInt8]) {
    if isTagged { bytes.append(Self.itemTag) }
    id.withTreeIdentifier { content in
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
    if isNumber { return ID(treeIdentifier: .number(lent.word)) }
    var bytes = UnsafeRawBufferPointer(start: lent.bytes, count: Int(lent.word))
    if isTagged { bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst()) }
    guard isTagged, ID.treeIdentifierForm == .number else { return ID(treeIdentifier: .bytes(bytes)) }
    var number: UInt64 = 0
    for byte in bytes { number = number << 8 | UInt64(byte) }
    return ID(treeIdentifier: .number(number))
  }

  /// The name of a section from its node's identifier.
  func sectionName(_ lent: ctree_id) -> String? {
    let bytes = UnsafeRawBufferPointer(start: lent.bytes, count: Int(lent.word))
    return bytes.first == Self.namedTag ? String(decoding: bytes.dropFirst(), as: UTF8.self) : nil
  }
}
