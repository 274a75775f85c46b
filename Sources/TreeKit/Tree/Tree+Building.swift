internal import CTreeCore

extension Tree {
  /// Puts what a builder collected behind the last child of a node: all of it, or none.
  ///
  /// - Parameters:
  ///   - builder: A builder for this tree; it is empty afterwards, also when this fails.
  ///   - parent: `nil` is the top level.
  ///   - sectionName: At the top level of a tree with sections, the section of the topmost items.
  /// - Throws: ``TreeError/missingParent(item:)``, ``TreeError/cycle`` for items that are each other's ancestors,
  ///   ``TreeError/duplicate(item:other:)``, ``TreeError/staleNode``.
  /// - Complexity: O(log *k* + *s*) for *s* items.
  public func append(
    _ builder: TreeBuilder<ID, Value>, to parent: TreeNode? = nil, sectionName: String? = nil
  ) throws(TreeError) {
    try insert(builder, under: parent, at: nil, sectionName: sectionName)
  }

  /// Puts what a builder collected among the children of a node: all of it, or none.
  ///
  /// - Parameters:
  ///   - builder: A builder for this tree; it is empty afterwards, also when this fails.
  ///   - parent: `nil` is the top level.
  ///   - position: Before which child; `nil` is behind the last.
  ///   - sectionName: At the top level of a tree with sections, the section of the topmost items, within which the position
  ///     counts.
  /// - Throws: As ``append(_:to:sectionName:)``, and ``TreeError/outOfRange``.
  /// - Complexity: O(log *k* + *s*) for *s* items.
  public func insert(
    _ builder: TreeBuilder<ID, Value>, under parent: TreeNode?, at position: Int?, sectionName: String? = nil
  ) throws(TreeError) {
    let isSection = parent == nil && options.hasSections
    let forest = try builder.take(inSection: isSection ? sectionName : nil, of: self)
    let target: ctree_node
    let at: UInt32
    do throws(TreeError) {
      at = try storePosition(position)
      target = isSection ? try makeSection(named: sectionName) : parent.handle
    } catch {
      forest.discard()
      throw error
    }
    defer { removeSectionIfEmpty(target) }
    try build(forest, below: target, at: at)
  }

  /// Replaces the children of a node, or with `nil` everything, by what a builder collected.
  ///
  /// Items are matched by identifier, as ``replace(childrenOf:using:movesFromElsewhere:)-(_,[Item],_)`` does it: what is found again stays
  /// the same node, with what is open in it.
  ///
  /// - Parameters:
  ///   - node: Whose children are replaced; in a tree with sections not `nil`, where that would be all sections.
  ///   - builder: A builder for this tree; it is empty afterwards, also when this fails.
  ///   - movesFromElsewhere: What to do with an identifier that stands elsewhere in the tree: move the node here, or fail.
  /// - Throws: As ``append(_:to:sectionName:)``.
  /// - Complexity: O(*s*) for *s* items handed in or removed.
  public func replace(
    childrenOf node: TreeNode?, using builder: TreeBuilder<ID, Value>, movesFromElsewhere: Bool = false
  ) throws(TreeError) {
    precondition(
      node != nil || !options.hasSections, "In a tree with sections a builder replaces one section's items.")
    var forest = try builder.take(inSection: nil, of: self)
    try replace(childrenOf: node, using: &forest, movesFromElsewhere)
  }
}
