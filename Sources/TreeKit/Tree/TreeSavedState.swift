/// What is open and what is selected in a tree, by identifiers: to be kept beyond the tree's life, and given back to another.
///
/// It can be coded where the identifiers can.
public struct TreeSavedState<ID: Hashable & Sendable>: Hashable, Sendable {
  /// What is kept of one item.
  public struct Entry: Hashable, Sendable {
    /// What names the item: its identifier alone or, where identifiers are unique among siblings only, those from the top level
    /// down to it.
    public var path: [ID]
    /// The name of the item's section, where there are sections and identifiers are unique among siblings only.
    public var section: String?
    /// Whether the item was opened, or closed where it would be open by itself; `nil` for neither.
    public var isExpanded: Bool?
    /// Whether it is selected.
    public var isSelected: Bool

    /// Makes an entry.
    /// - Complexity: O(1).
    public init(path: [ID], section: String? = nil, isExpanded: Bool? = nil, isSelected: Bool = false) {
      self.path = path
      self.section = section
      self.isExpanded = isExpanded
      self.isSelected = isSelected
    }
  }

  /// Entries in no particular order. Where two are of one item, the later counts.
  public var entries: [Entry]

  /// Makes a state.
  /// - Complexity: O(1).
  public init(_ entries: [Entry] = []) {
    self.entries = entries
  }

  /// Makes a state for a tree whose identifiers are unique in it.
  /// - Complexity: O(identifiers).
  public init(expanded: [ID], selected: [ID] = []) {
    let selected = Set(selected)
    let expanded = Set(expanded)
    entries = expanded.union(selected).map {
      Entry(path: [$0], isExpanded: expanded.contains($0) ? true : nil, isSelected: selected.contains($0))
    }
  }
}

extension TreeSavedState.Entry: Codable where ID: Codable {}
extension TreeSavedState: Codable where ID: Codable {}

/// How far a reveal has come.
public enum TreeReveal: Hashable, Sendable {
  /// The item is a row.
  case revealed
  /// It will be one, once the loads of its ancestors have brought them.
  case loading
}
