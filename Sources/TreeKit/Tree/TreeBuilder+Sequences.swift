extension TreeBuilder {
  /// Adds an item for each element of a flat list whose elements name their parents, in any order.
  ///
  /// ```swift
  /// try builder.add(contentsOf: rows, id: \.key, parent: \.parentKey, value: \.name)
  /// ```
  ///
  /// - Parameters:
  ///   - rows: The elements. They are asked for one by one and not kept.
  ///   - id: What names an element.
  ///   - parent: The identifier of its parent, which may come later; `nil` for topmost ones.
  ///   - value: What it stands for.
  /// - Throws: As ``add(_:value:parent:isLeaf:cellIdentifier:)``; what was added before stays in the builder.
  /// - Complexity: O(*s*) for *s* elements.
  @inlinable
  public func add<Row>(
    contentsOf rows: some Sequence<Row>, id: (Row) -> ID, parent: (Row) -> ID?, value: (Row) -> Value
  ) throws(TreeError) {
    reserveCapacity(count + rows.underestimatedCount)
    for row in rows { try add(id(row), value: value(row), parent: parent(row)) }
  }

  /// Adds an item for each element of a list that says at which level each stands, as the lines of an outline do.
  ///
  /// - Parameters:
  ///   - rows: The elements. They are asked for one by one and not kept.
  ///   - id: What names an element.
  ///   - level: 0 is topmost; at most one more than that of the element before.
  ///   - value: What it stands for.
  /// - Throws: As ``add(_:value:level:isLeaf:cellIdentifier:)``; what was added before stays in the builder.
  /// - Complexity: O(*s*) for *s* elements.
  @inlinable
  public func add<Row>(
    contentsOf rows: some Sequence<Row>, id: (Row) -> ID, level: (Row) -> Int, value: (Row) -> Value
  ) throws(TreeError) {
    reserveCapacity(count + rows.underestimatedCount)
    for row in rows { try add(id(row), value: value(row), level: level(row)) }
  }

  /// Adds elements that have children of their own type, with everything below them, to any depth.
  ///
  /// ```swift
  /// try builder.add(contentsOf: [rootView], id: \.tag, children: \.subviews, value: \.name)
  /// ```
  ///
  /// - Parameters:
  ///   - elements: The topmost elements.
  ///   - id: What names an element.
  ///   - children: The elements below one: a key path, or a function that finds them. `nil` makes a leaf, an empty list an
  ///     unloaded item, as for ``TreeItem``.
  ///   - value: What it stands for.
  /// - Throws: ``TreeError/limit``; what was added before stays in the builder.
  /// - Complexity: O(*s*) for *s* elements; memory beside that for as many lists as there are levels.
  @inlinable
  public func add<Element>(
    contentsOf elements: some Sequence<Element>, id: (Element) -> ID, children: (Element) -> [Element]?,
    value: (Element) -> Value
  ) throws(TreeError) {
    for element in elements {
      // Lists that are under way, and how far each has got: depth costs memory, not stack.
      var open: [(elements: [Element], next: Int)] = [([element], 0)]
      while let last = open.last {
        guard last.next < last.elements.count else {
          open.removeLast()
          continue
        }
        let element = last.elements[last.next]
        open[open.count - 1].next += 1
        let below = children(element)
        try add(id(element), value: value(element), level: open.count - 1, isLeaf: below == nil)
        if let below, !below.isEmpty { open.append((below, 0)) }
      }
    }
  }
}
