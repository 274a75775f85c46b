/// A tree with a delegate, loads, and the changes of its rows.
///
/// A controller belongs to whichever actor made it. What it says of rows is what was delivered last, so that a table never
/// asks about rows that it was not told of; ``tree`` has what is true now.
public final class TreeController<ID: TreeIdentifier, Value> {
  /// The items of this controller.
  public typealias Item = TreeItem<ID, Value>

  /// Asked and told while nodes open and close.
  public weak var delegate: (any TreeControllerDelegate<ID, Value>)?
  /// Whether closing a node cancels its load. Usually it goes on, and shows when the node is opened again.
  public var cancelsLoadsOnCollapse = false
  /// The tree as it is now. Read from it at any time; edit it within ``update(_:completion:)``.
  public let tree: Tree<ID, Value>

  private var presented: Presentation?
  private var presentedEdits = 0
  private var updatesOpen = 0
  private var isDelivering = false
  private var completions: [() -> Void] = []
  var loads = LoadTasks()
  /// Begins a load by itself, where a source was set.
  var startSource: ((TreeController, Item, TreeTicket) -> Task<Void, Never>)?

  /// Makes a controller of an empty tree.
  ///
  /// - Parameters:
  ///   - options: How it is set up.
  ///   - revision: A number that changes whenever a value looks different. Without it every value that is replaced counts as
  ///     changed.
  public init(options: TreeOptions = TreeOptions(), revision: ((Value) -> UInt64)? = nil) {
    tree = Tree(options: options, revision: revision)
  }

  /// Makes a controller of an empty tree whose values count as changed where they are not equal.
  public init(options: TreeOptions = TreeOptions()) where Value: Equatable {
    tree = Tree(options: options)
  }

  deinit { loads.cancelAll() }

  // MARK: Updates

  /// Edits the tree: however many edits there are, the delegate is told of their changes once, afterwards. Updates may be
  /// nested; the outermost one tells.
  ///
  /// - Parameters:
  ///   - body: Makes the edits.
  ///   - completion: Called once, after the delegate was told; also when the body throws, and when nothing changed.
  /// - Returns: What the body returns.
  @discardableResult
  public func update<Result, Failure: Error>(
    _ body: (Tree<ID, Value>) throws(Failure) -> Result, completion: (() -> Void)? = nil
  ) throws(Failure) -> Result {
    updatesOpen += 1
    defer {
      if let completion { completions.append(completion) }
      updatesOpen -= 1
      if updatesOpen == 0 { deliver() }
    }
    return try body(tree)
  }

  /// Tells what has changed, and what that brings about, until nothing is left. A delegate that edits while it is told is
  /// told of that next.
  private func deliver() {
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    repeat {
      startLoads()
      if presentedEdits != tree.edits {
        let old = presented
        let new = Presentation(of: tree)
        let changes = new.changes(from: old, hasSections: tree.options.hasSections)
        presented = new
        presentedEdits = tree.edits
        loads.sweep(tree)
        if !changes.isEmpty { delegate?.controller(self, changed: changes) }
      }
      let due = completions
      completions = []
      for completion in due { completion() }
    } while presentedEdits != tree.edits || !completions.isEmpty
  }

  // MARK: What is shown

  private var shown: Presentation {
    if let presented { return presented }
    let presented = Presentation(of: tree)
    self.presented = presented
    presentedEdits = tree.edits
    return presented
  }

  /// How many sections were told last.
  public var sectionCount: Int { shown.rows.sectionCount }

  /// How many rows were told last.
  public var rowCount: Int { shown.rows.count }

  /// How many rows of a section were told last.
  public func numberOfRows(inSection section: Int) -> Int { shown.rows.numberOfRows(inSection: section) }

  /// The name of a section.
  public func sectionName(_ section: Int) -> String? { tree.sectionName(section, of: shown.rows) }

  /// The rows of a range, numbered through all sections. A row whose node was removed in an update under way is left out.
  /// - Complexity: O(*w* log *k*) for *w* rows.
  public func rows(in range: Range<Int>) -> [TreeRow<ID, Value>] { tree.rows(in: range, of: shown.rows) }

  /// The row at an index path; `nil` where there is none, and when its node was removed in an update under way.
  /// - Complexity: O(log *k*).
  public func row(at path: TreeIndexPath) -> TreeRow<ID, Value>? {
    guard let row = shown.rows.row(at: path) else { return nil }
    return rows(in: row..<row + 1).first
  }

  /// The item at an index path.
  /// - Complexity: O(log *k*).
  public func item(at path: TreeIndexPath) -> Item? { row(at: path)?.item }

  /// Where an item was shown last; `nil` where it is hidden or unknown.
  /// - Complexity: O(1) expected.
  public func indexPath(of id: ID) -> TreeIndexPath? { tree.find(id).flatMap { indexPath(of: $0) } }

  /// Where a node was shown last; `nil` where it is hidden or gone.
  /// - Complexity: O(log sections).
  public func indexPath(of node: TreeNode) -> TreeIndexPath? { shown.rows.indexPath(of: node) }

  // MARK: Items

  /// The node of an identifier.
  func node(for id: ID) throws(TreeError) -> TreeNode {
    guard let node = tree.find(id) else {
      throw tree.options.scope == .siblings ? .ambiguousScope : .unknownIdentifier
    }
    return node
  }

  /// The item of an identifier, without its children; `nil` where it is unknown.
  /// - Complexity: O(1) expected.
  public func item(for id: ID) -> Item? { tree.find(id).flatMap { try? tree.item(at: $0) } }

  /// Replaces all items. Those that are found again by identifier keep what is open in them.
  /// - Complexity: O(*n*).
  public func setItems(_ items: [Item]) throws(TreeError) {
    try update { tree throws(TreeError) in try tree.setChildren(of: nil, to: items) }
  }

  /// Replaces an item, hidden or not, by a new version of it: value, names, and children as far as the new version says
  /// something of them. It ends a load of the item's children when it has some.
  ///
  /// - Throws: ``TreeError/unknownIdentifier``, and nothing changes.
  /// - Complexity: O(*s*) for *s* items handed in or removed.
  public func setNewVersionOfItem(_ item: Item) throws(TreeError) {
    try setNewVersion(of: node(for: item.id), item)
  }

  /// The same for a node, where identifiers are unique among siblings only.
  public func setNewVersion(of node: TreeNode, _ item: Item) throws(TreeError) {
    try update { tree throws(TreeError) in try tree.replace(node, with: item) }
  }
}

@available(*, unavailable)
extension TreeController: Sendable {}
