import TreeKit

extension Outline {
  /// Hands the text of all rows to `write` in pieces of some thousand rows, and counts them.
  package func print(_ write: ([UInt8]) -> Void) -> OutlineCounts {
    var counts = OutlineCounts()
    let total = tree.rowCount
    var text: [UInt8] = []
    for first in stride(from: 0, to: total, by: 4096) {
      text.removeAll(keepingCapacity: true)
      for row in tree.rows(in: first..<min(first + 4096, total)) {
        row.append(to: &text, error: row.loadState == .failed ? tree.error(of: row.node) : nil)
        text.append(0x0a)
        counts.add(row)
      }
      write(text)
    }
    return counts
  }
}
