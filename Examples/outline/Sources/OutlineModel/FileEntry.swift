import TreeKit

/// The name of a file within its folder: bytes, since file systems do not ask that names be text.
package struct FileName: RawRepresentable, TreeIdentifier, Comparable {
  package let rawValue: [UInt8]

  package init(rawValue: [UInt8]) {
    self.rawValue = rawValue
  }

  package init(_ name: String) {
    rawValue = Array(name.utf8)
  }

  package static func < (a: FileName, b: FileName) -> Bool {
    a.rawValue.lexicographicallyPrecedes(b.rawValue)
  }
}

/// What a row of the outline stands for.
package enum FileEntry: Hashable, Sendable {
  case folder
  case file
  /// A symbolic link is shown, never followed.
  case link(target: [UInt8], LinkEnd)
  /// A pipe, a socket, a device.
  case special
  /// It was listed in its folder, and gone when it was looked at.
  case vanished
}

/// What a symbolic link leads to.
package enum LinkEnd: Hashable, Sendable {
  case something
  case nothing
  /// To itself by way of other links, or to a folder that it is in.
  case loop
}

/// Why a folder could not be read.
package struct FileError: Error, Hashable, Sendable {
  /// The number that the system gives for it.
  package let code: Int32

  package init(code: Int32) {
    self.code = code
  }
}

/// Where folders come from. Tests put their own in its place.
package protocol FolderReader: Sendable {
  /// What kind of thing a path leads to, a symbolic link at its end followed.
  func entry(at path: [UInt8]) throws(FileError) -> FileEntry

  /// The entries of a folder, in no particular order.
  func entries(of path: [UInt8], isRoot: Bool) throws(FileError) -> [(name: FileName, entry: FileEntry)]
}
