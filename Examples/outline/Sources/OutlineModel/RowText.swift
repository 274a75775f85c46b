import TreeKit

extension TreeRow<FileName, FileEntry> {
  /// Appends the row as it is shown, without a line's end.
  ///
  /// - Parameters:
  ///   - error: Why its folder could not be read.
  ///   - spinner: What stands before a folder that is being read.
  package func append(to text: inout [UInt8], error: (any Error)?, spinner: String = "…") {
    for _ in 0..<level { text.append(contentsOf: [0x20, 0x20]) }
    let mark = loadState == .loading ? spinner : isExpandable ? (isExpanded ? "▾" : "▸") : " "
    text.append(contentsOf: mark.utf8)
    text.append(0x20)
    text.appendShown(item.id.rawValue)
    switch item.value {
    case .folder, .file: break
    case .link(let target, let end):
      text.append(contentsOf: " -> ".utf8)
      text.appendShown(target)
      switch end {
      case .something: break
      case .nothing: text.append(contentsOf: " [nothing there]".utf8)
      case .loop: text.append(contentsOf: " [loop]".utf8)
      }
    case .special: text.append(contentsOf: " [special]".utf8)
    case .vanished: text.append(contentsOf: " [vanished]".utf8)
    }
    if loadState == .failed {
      text.append(contentsOf: " [\((error as? FileError)?.text ?? "failed")]".utf8)
    }
  }
}
