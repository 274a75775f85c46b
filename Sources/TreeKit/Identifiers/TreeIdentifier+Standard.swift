extension TreeIdentifier where Self: FixedWidthInteger {
  /// Integers are kept as numbers.
  public static var treeIdentifierForm: TreeIdentifierForm { .number }

  /// Lends the integer, negative ones in two's complement.
  public func withTreeIdentifier<Result>(_ body: (TreeIdentifierContent) -> Result) -> Result {
    body(.number(UInt64(truncatingIfNeeded: self)))
  }

  /// Makes the integer again.
  public init?(treeIdentifier content: TreeIdentifierContent) {
    guard case .number(let number) = content else { return nil }
    self.init(truncatingIfNeeded: number)
    guard UInt64(truncatingIfNeeded: self) == number else { return nil }
  }
}

extension Int: TreeIdentifier {}
extension Int8: TreeIdentifier {}
extension Int16: TreeIdentifier {}
extension Int32: TreeIdentifier {}
extension Int64: TreeIdentifier {}
extension UInt: TreeIdentifier {}
extension UInt8: TreeIdentifier {}
extension UInt16: TreeIdentifier {}
extension UInt32: TreeIdentifier {}
extension UInt64: TreeIdentifier {}

extension String: TreeIdentifier {
  /// Strings are kept as the bytes of their UTF-8.
  /// - Complexity: O(1).
  public static var treeIdentifierForm: TreeIdentifierForm { .bytes }

  /// Lends the UTF-8.
  /// - Complexity: O(1); O(bytes) for a string that was bridged.
  public func withTreeIdentifier<Result>(_ body: (TreeIdentifierContent) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable({ body(.bytes(UnsafeRawBufferPointer($0))) }) {
      return result
    }
    // Only strings bridged from Objective-C come here.
    return Array(utf8).withUnsafeBytes { body(.bytes($0)) }
  }

  /// Makes the string again; `nil` for bytes that are not UTF-8.
  /// - Complexity: O(bytes).
  public init?(treeIdentifier content: TreeIdentifierContent) {
    guard case .bytes(let bytes) = content else { return nil }
    self.init(decoding: bytes, as: UTF8.self)
    // Decoding repairs what is not UTF-8, and a repaired name would be another name.
    let isSame = utf8.withContiguousStorageIfAvailable { UnsafeRawBufferPointer($0).elementsEqual(bytes) }
    guard isSame ?? utf8.elementsEqual(bytes) else { return nil }
  }
}

extension Array: TreeIdentifier where Element == UInt8 {
  /// Bytes are kept as they are.
  /// - Complexity: O(1).
  public static var treeIdentifierForm: TreeIdentifierForm { .bytes }

  /// Lends the bytes.
  /// - Complexity: O(1).
  public func withTreeIdentifier<Result>(_ body: (TreeIdentifierContent) -> Result) -> Result {
    withUnsafeBytes { body(.bytes($0)) }
  }

  /// Makes the array again.
  /// - Complexity: O(bytes).
  public init?(treeIdentifier content: TreeIdentifierContent) {
    guard case .bytes(let bytes) = content else { return nil }
    self.init(bytes)
  }
}

extension TreeIdentifier where Self: RawRepresentable, RawValue: TreeIdentifier {
  /// Kept as the raw value is.
  public static var treeIdentifierForm: TreeIdentifierForm { RawValue.treeIdentifierForm }

  /// Lends what the raw value lends.
  public func withTreeIdentifier<Result>(_ body: (TreeIdentifierContent) -> Result) -> Result {
    rawValue.withTreeIdentifier(body)
  }

  /// Makes the raw value again, and from it the identifier.
  public init?(treeIdentifier content: TreeIdentifierContent) {
    guard let rawValue = RawValue(treeIdentifier: content) else { return nil }
    self.init(rawValue: rawValue)
  }
}
