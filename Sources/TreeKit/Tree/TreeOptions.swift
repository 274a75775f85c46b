/// How a tree is set up.
public struct TreeOptions: Hashable, Sendable {
  /// Where an identifier has to be unique.
  public enum Scope: Hashable, Sendable {
    /// In the whole tree.
    case tree
    /// Among the children of one node, as a file's name is in its folder.
    case siblings
  }

  /// Where an identifier has to be unique.
  public var scope: Scope = .tree
  /// Whether top-level items stand in sections by their ``TreeItem/sectionName``.
  public var hasSections = false
  /// How many levels are open unless they were closed: 0 none, 1 the topmost rows, `Int.max` all.
  public var openLevels = 0
  /// Whether closing a node forgets what was open below it.
  public var forgetsOnCollapse = false
  /// Whether a node that is loaded and has no children still looks as if it could open.
  public var emptyCanOpen = false
  /// Whether the number of children is part of how the row of a closed node and the header of a section look, so that a change
  /// of it is told as a changed row or section.
  public var showsChildCounts = false

  /// Where nothing is said: identifiers unique in the tree, no sections, everything closed.
  /// - Complexity: O(1).
  public init(
    scope: Scope = .tree, hasSections: Bool = false, openLevels: Int = 0, emptyCanOpen: Bool = false
  ) {
    self.scope = scope
    self.hasSections = hasSections
    self.openLevels = openLevels
    self.emptyCanOpen = emptyCanOpen
  }
}
