/// What names an item of a tree.
///
/// A tree keeps identifiers as 64-bit numbers or as bytes, and compares them as such: two identifiers are the same
/// where their numbers or bytes are. For strings this is stricter than `==`: "é" as one character and "é" as a letter
/// with an accent are two identifiers, as they are two names to a file system.
///
/// Integers, `String`, `[UInt8]`, and what is `RawRepresentable` by one of these need no more than the declaration:
///
/// ```swift
/// struct PartNumber: RawRepresentable, TreeIdentifier { var rawValue: Int }
/// ```
public protocol TreeIdentifier: Hashable, Sendable {
  /// Whether the identifiers of this type are numbers or bytes. It is the same for all of them.
  static var treeIdentifierForm: TreeIdentifierForm { get }

  /// Lends the identifier's number or bytes for the length of a call.
  ///
  /// Equal identifiers lend equal content, and different ones different content, always in the same form.
  func withTreeIdentifier<Result>(_ body: (TreeIdentifierContent) -> Result) -> Result

  /// Makes the identifier again from what it lent; `nil` for content that no identifier of this type lends.
  init?(treeIdentifier content: TreeIdentifierContent)
}

/// How the identifiers of a type are kept.
public enum TreeIdentifierForm: Hashable, Sendable {
  /// As 64-bit numbers, in place.
  case number
  /// As up to 4,294,967,295 bytes of any content.
  case bytes
}

/// What an identifier lends. Bytes are good only within the call that lends them.
public enum TreeIdentifierContent {
  /// A 64-bit number.
  case number(UInt64)
  /// Bytes of any content, also none.
  case bytes(UnsafeRawBufferPointer)
}
