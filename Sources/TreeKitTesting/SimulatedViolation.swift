public import TreeKit

/// A rule that was broken, and where.
public struct SimulatedViolation: Error, Hashable, Sendable {
  /// The rule.
  public let rule: SimulatedRule
  /// What was found.
  public let found: String
  /// The rows in question, in the numbers that `found` speaks of.
  public let rows: [TreeIndexPath]
  /// The sections in question.
  public let sections: [Int]

  /// Makes a violation, for views of your own that report as these do.
  /// - Complexity: O(1).
  public init(_ rule: SimulatedRule, _ found: String, rows: [TreeIndexPath] = [], sections: [Int] = []) {
    self.rule = rule
    self.found = found
    self.rows = rows
    self.sections = sections
  }

  /// Stops the program with the text of a violation: what simulated views do unless they are told otherwise, as real ones
  /// raise an exception.
  /// - Complexity: O(length).
  public static func stop(_ violation: SimulatedViolation) { fatalError("\(violation)") }
}

extension SimulatedViolation: CustomStringConvertible {
  /// The text of the rule, and what was found.
  /// - Complexity: O(length).
  public var description: String { "\(rule.rawValue) \(found)" }
}
