// Only where Foundation is part of the system: elsewhere TreeKit would bring it into programs that do without. There, a
// program that uses UUIDs says the same of them by itself, or lets the tree intern them.
#if canImport(Darwin)
  public import struct Foundation.UUID

  extension UUID: TreeIdentifier {
    /// UUIDs are kept as their 16 bytes.
    public static var treeIdentifierForm: TreeIdentifierForm { .bytes }

    /// Lends the bytes.
    public func withTreeIdentifier<Result>(_ body: (TreeIdentifierContent) -> Result) -> Result {
      withUnsafeBytes(of: uuid) { body(.bytes($0)) }
    }

    /// Makes the UUID again.
    public init?(treeIdentifier content: TreeIdentifierContent) {
      guard case .bytes(let bytes) = content, bytes.count == 16 else { return nil }
      self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
  }
#endif
