#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The folders of the system that this runs on.
package struct SystemFolders: FolderReader {
  package init() {}

  package func entry(at path: [UInt8]) throws(FileError) -> FileEntry {
    var status = stat()
    guard stat(cString(path), &status) == 0 else { throw FileError(code: errno) }
    return kind(of: status.st_mode)
  }

  package func entries(of path: [UInt8], isRoot: Bool) throws(FileError) -> [(name: FileName, entry: FileEntry)] {
    // A folder that became a link since it was listed is not followed either.
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (isRoot ? 0 : O_NOFOLLOW)
    let descriptor = open(cString(path), flags)
    guard descriptor >= 0 else { throw FileError(code: errno) }
    guard let folder = fdopendir(descriptor) else {
      let code = errno
      close(descriptor)
      throw FileError(code: code)
    }
    defer { closedir(folder) }
    var above = FoldersAbove(path)
    var entries: [(name: FileName, entry: FileEntry)] = []
    while true {
      errno = 0
      guard let next = readdir(folder) else {
        if errno != 0 { throw FileError(code: errno) }
        return entries
      }
      let bytes = name(of: next)
      if bytes == [0x2e] || bytes == [0x2e, 0x2e] { continue }
      entries.append((FileName(rawValue: bytes), entry(next, bytes, dirfd(folder), &above)))
    }
  }

  private func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    // By its offset: the field is imported as a tuple of as many elements as the longest name may have.
    let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
    let start = UnsafeRawPointer(entry) + offset
    let length = strlen(start.assumingMemoryBound(to: CChar.self))
    return Array(UnsafeRawBufferPointer(start: start, count: length))
  }

  private func entry(
    _ entry: UnsafeMutablePointer<dirent>, _ name: [UInt8], _ folder: Int32, _ above: inout FoldersAbove
  ) -> FileEntry {
    switch Int32(entry.pointee.d_type) {
    case Int32(DT_DIR): return .folder
    case Int32(DT_REG): return .file
    case Int32(DT_LNK): return link(name, folder, &above)
    case Int32(DT_UNKNOWN):
      var status = stat()
      guard fstatat(folder, cString(name), &status, AT_SYMLINK_NOFOLLOW) == 0 else { return .vanished }
      return status.st_mode & S_IFMT == S_IFLNK ? link(name, folder, &above) : kind(of: status.st_mode)
    default: return .special
    }
  }

  private func link(_ name: [UInt8], _ folder: Int32, _ above: inout FoldersAbove) -> FileEntry {
    var target = [CChar](repeating: 0, count: 4096)
    let length = readlinkat(folder, cString(name), &target, target.count)
    guard length >= 0 else { return .vanished }
    let bytes = target.prefix(length).map { UInt8(bitPattern: $0) }
    var status = stat()
    guard fstatat(folder, cString(name), &status, 0) == 0 else {
      return .link(target: bytes, errno == ELOOP ? .loop : .nothing)
    }
    let leadsUp = status.st_mode & S_IFMT == S_IFDIR && above.contain(status)
    return .link(target: bytes, leadsUp ? .loop : .something)
  }

  private func kind(of mode: mode_t) -> FileEntry {
    switch mode & S_IFMT {
    case S_IFDIR: .folder
    case S_IFREG: .file
    default: .special
    }
  }
}

/// A folder and those that it is in, looked up when the first link to a folder asks.
private struct FoldersAbove {
  private struct Identity: Hashable {
    let device: UInt64
    let number: UInt64

    init(_ status: stat) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  private let path: [UInt8]
  private var identities: Set<Identity>?

  init(_ path: [UInt8]) {
    self.path = path
  }

  mutating func contain(_ status: stat) -> Bool {
    let known = identities ?? lookUp()
    identities = known
    return known.contains(Identity(status))
  }

  private func lookUp() -> Set<Identity> {
    var found: Set<Identity> = []
    var ends = path.indices.filter { path[$0] == 0x2f && $0 > 0 }
    ends.append(path.count)
    for end in ends {
      var status = stat()
      if stat(cString(Array(path[..<end])), &status) == 0 { found.insert(Identity(status)) }
    }
    return found
  }
}

private func cString(_ bytes: [UInt8]) -> [CChar] {
  bytes.map { CChar(bitPattern: $0) } + [0]
}

extension FileError {
  /// What went wrong, in a word or two.
  package var text: String {
    switch code {
    case ENOENT: "vanished"
    case EACCES, EPERM: "no permission"
    case ENOTDIR, ELOOP: "no folder any more"
    case ENAMETOOLONG: "path too long"
    default: String(cString: strerror(code))
    }
  }
}
