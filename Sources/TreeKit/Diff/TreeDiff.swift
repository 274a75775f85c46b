internal import CTreeCore

/// Rows of a table in one of its sections.
public struct TreeSectionRows<Section, Row> {
  /// What names the section.
  public var section: Section
  /// Its rows.
  public var rows: [Row]

  /// Makes a section.
  /// - Complexity: O(1).
  public init(_ section: Section, rows: [Row]) {
    self.section = section
    self.rows = rows
  }
}

extension TreeSectionRows: Sendable where Section: Sendable, Row: Sendable {}
extension TreeSectionRows: Equatable where Section: Equatable, Row: Equatable {}

extension TreeChanges {
  /// The change between two lists, without a tree: for those who keep their rows themselves.
  ///
  /// The rows that move are as few as can be, and told in as few runs as can be.
  ///
  /// - Parameters:
  ///   - old: What is shown.
  ///   - new: What is to be shown.
  ///   - limit: The most rows to tell, beyond which the change says reload; `nil` is all of them.
  /// - Throws: An error that names both places where an identifier stands twice.
  /// - Complexity: O(*n*), and O(*x* log *x*) for the *x* runs of rows that are out of order.
  public init<ID: TreeIdentifier>(
    from old: some Collection<ID>, to new: some Collection<ID>, limit: Int? = nil
  ) throws(TreeDiffError) {
    try self.init(from: old, to: new, id: { $0 }, revision: nil, limit: limit)
  }

  /// The change between two lists of elements that have identifiers.
  ///
  /// - Parameters:
  ///   - old: What is shown.
  ///   - new: What is to be shown.
  ///   - id: The identifier of an element.
  ///   - revision: A number that changes when an element looks different; `nil` where none counts as changed.
  ///   - limit: The most rows to tell, beyond which the change says reload; `nil` is all of them.
  /// - Throws: An error that names both places where an identifier stands twice.
  /// - Complexity: As above.
  public init<Element, ID: TreeIdentifier>(
    from old: some Collection<Element>, to new: some Collection<Element>, id: (Element) -> ID,
    revision: ((Element) -> UInt64)?, limit: Int? = nil
  ) throws(TreeDiffError) {
    let old = DiffKeys(rows: old, id, revision)
    let new = DiffKeys(rows: new, id, revision)
    try self.init(old, new, ID.treeIdentifierForm, hasSections: false, limit)
  }

  /// The change between two lists with sections.
  ///
  /// - Parameters:
  ///   - old: What is shown.
  ///   - new: What is to be shown.
  ///   - limit: The most rows and sections to tell, beyond which the change says reload; `nil` is all of them.
  /// - Throws: An error that names both places where an identifier stands twice.
  /// - Complexity: As above.
  public init<ID: TreeIdentifier>(
    fromSections old: [TreeSectionRows<ID, ID>], to new: [TreeSectionRows<ID, ID>], limit: Int? = nil
  ) throws(TreeDiffError) {
    try self.init(DiffKeys(sections: old), DiffKeys(sections: new), ID.treeIdentifierForm, hasSections: true, limit)
  }

  private init(
    _ old: DiffKeys, _ new: DiffKeys, _ form: TreeIdentifierForm, hasSections: Bool, _ limit: Int?
  ) throws(TreeDiffError) {
    self.init()
    let keys = form == .number ? CTREE_DIFF_U64 : CTREE_DIFF_IDS
    var result: Result<DiffHandle, TreeDiffError>?
    old.withList(form) { oldList in
      new.withList(form) { newList in
        do throws(TreeDiffError) {
          result = .success(
            try DiffHandle(from: oldList, to: newList, keys: keys, hasSections: hasSections, limit: limit))
        } catch {
          result = .failure(error)
        }
      }
    }
    guard let result else { return }
    let handle: DiffHandle
    switch result {
    case .success(let made): handle = made
    case .failure(let error): throw error
    }
    if let batch = ctree_diff_section_batch(handle.diff)?.pointee {
      isReload = batch.reload != 0
      take(batch)
    } else if let batch = ctree_diff_batch(handle.diff)?.pointee {
      isReload = batch.reload != 0
      take(batch)
    }
    withExtendedLifetime(handle) {}
  }
}

/// Why two lists could not be compared.
public enum TreeDiffError: Error, Hashable, Sendable {
  /// A row stands twice in one of the lists: the old one, or the new one. Rows are numbered through all sections.
  case duplicateRow(inNew: Bool, first: Int, second: Int)
  /// A section stands twice in one of the lists.
  case duplicateSection(inNew: Bool, first: Int, second: Int)
  /// There are more rows than can be numbered.
  case limit
  /// There is no more memory.
  case noMemory

  init(_ status: ctree_status, _ duplicate: ctree_diff_duplicate) {
    let isNew = duplicate.in_new != 0
    switch status {
    case CTREE_DUPLICATE where duplicate.in_sections != 0:
      self = .duplicateSection(inNew: isNew, first: Int(duplicate.first), second: Int(duplicate.second))
    case CTREE_DUPLICATE:
      self = .duplicateRow(inNew: isNew, first: Int(duplicate.first), second: Int(duplicate.second))
    case CTREE_LIMIT: self = .limit
    default: self = .noMemory
    }
  }
}
