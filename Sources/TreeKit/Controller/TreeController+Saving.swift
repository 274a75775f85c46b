extension TreeController {
  /// What is open and what is selected, by identifiers; see ``Tree/savedState()``.
  /// - Throws: ``TreeError/noMemory``.
  /// - Complexity: O(*n*), and O(identifiers) where they are unique among siblings only.
  public func savedState() throws(TreeError) -> TreeSavedState<ID> { try tree.savedState() }

  /// Gives back what was open and selected, to what is there at once and to the rest as it arrives; what is opened so has its
  /// load asked for, once. Closing an item ends what waits below it. See ``Tree/restore(_:)``.
  /// - Throws: ``TreeError/noMemory``, ``TreeError/limit``, ``TreeError/busy``; nothing has changed then.
  /// - Complexity: O(identifiers) expected, and one change of rows now and with each load.
  public func restore(_ state: TreeSavedState<ID>) throws(TreeError) {
    try update { tree throws(TreeError) in try tree.restore(state) }
  }
}
