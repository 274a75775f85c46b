/// What a simulated view shows in one place: whose cell it is, and what a reader sees in it.
public struct SimulatedCell<ID: Hashable>: Identifiable, Hashable {
  /// Whose cell it is: the same before and after an update for what stays, and nobody else's.
  public let id: ID
  /// What a reader sees. Where it becomes another one the view must have been told to draw the cell anew.
  public let text: String
  /// How deep it stands, counted from 0.
  public let level: Int

  /// Makes a cell.
  /// - Complexity: O(1).
  public init(_ id: ID, text: String = "", level: Int = 0) {
    self.id = id
    self.text = text
    self.level = level
  }
}

extension SimulatedCell: Sendable where ID: Sendable {}

extension SimulatedCell: CustomStringConvertible {
  /// The identifier, and the text where there is one.
  /// - Complexity: O(length).
  public var description: String { text.isEmpty ? "\(id)" : "\(id) '\(text)'" }
}
