import TreeKit

extension TreeChanges {
  /// The changes row by row, as ranges of row numbers.
  package var detail: String {
    if isReload { return "all \(newRowCount) rows anew" }
    var parts: [String] = []
    if !deletedRows.isEmpty { parts.append("deleted \(text(deletedRows))") }
    if !insertedRows.isEmpty { parts.append("inserted \(text(insertedRows))") }
    if !movedRows.isEmpty {
      let moves = movedRows.map { "\(text($0.from.row, $0.count)) to \(text($0.to.row, $0.count))" }
      parts.append("moved \(moves.joined(separator: ", "))")
    }
    if !changedRows.isEmpty {
      parts.append("changed \(changedRows.map { text($0.to.row, $0.count) }.joined(separator: ", "))")
    }
    return parts.joined(separator: "; ")
  }

  private func text(_ rows: [Rows]) -> String {
    rows.map { text($0.rows.lowerBound, $0.rows.count) }.joined(separator: ", ")
  }

  private func text(_ first: Int, _ count: Int) -> String {
    count == 1 ? "\(first)" : "\(first)-\(first + count - 1)"
  }
}
