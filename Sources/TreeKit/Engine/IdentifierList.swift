internal import CTreeCore

/// Identifiers one behind the other, in the form in which the store takes many.
@usableFromInline
struct IdentifierList<ID: Hashable & Sendable> {
  private let coding: IdentifierCoding<ID>
  @usableFromInline let shortcut: IdentifierCoding<ID>.Shortcut
  @usableFromInline var numbers: [UInt64] = []
  @usableFromInline var bytes: [UInt8] = []
  @usableFromInline var offsets: [UInt64] = [0]

  init(_ coding: IdentifierCoding<ID>) {
    self.coding = coding
    shortcut = coding.shortcut
  }

  var count: Int { coding.isNumber ? numbers.count : offsets.count - 1 }

  mutating func reserveCapacity(_ count: Int) {
    if coding.isNumber {
      numbers.reserveCapacity(count)
    } else {
      offsets.reserveCapacity(count + 1)
      // Room that is not used is never touched.
      bytes.reserveCapacity(24 * count)
    }
  }

  @inlinable
  mutating func append(_ id: ID) {
    switch shortcut {
    case .int: numbers.append(UInt64(truncatingIfNeeded: unsafeBitCast(id, to: Int.self)))
    case .string:
      bytes.append(contentsOf: unsafeBitCast(id, to: String.self).utf8)
      offsets.append(UInt64(bytes.count))
    case .none: appendAny(id)
    }
  }

  @usableFromInline
  mutating func appendAny(_ id: ID) {
    if coding.isNumber {
      numbers.append(coding.number(id))
    } else {
      coding.append(id, to: &bytes)
      offsets.append(UInt64(bytes.count))
    }
  }

  /// Appends an identifier as the store of this coding lends it.
  mutating func append(lent id: ctree_id) {
    if coding.isNumber {
      numbers.append(id.word)
    } else {
      bytes.append(contentsOf: UnsafeRawBufferPointer(start: id.bytes, count: Int(id.word)))
      offsets.append(UInt64(bytes.count))
    }
  }

  mutating func appendSection(_ name: String?) {
    coding.appendSection(name, to: &bytes)
    offsets.append(UInt64(bytes.count))
  }

  func with<Result>(_ position: Int, _ body: (ctree_id) -> Result) -> Result {
    if coding.isNumber { return body(ctree_id(bytes: nil, word: numbers[position])) }
    return bytes.withUnsafeBytes { body(lend(position, of: $0)) }
  }

  private func lend(_ position: Int, of bytes: UnsafeRawBufferPointer) -> ctree_id {
    let range = Int(offsets[position])..<Int(offsets[position + 1])
    return ctree_id_bytes(UnsafeRawBufferPointer(rebasing: bytes[range]).baseAddress, range.count)
  }

  /// A forest that names the items and says nothing else of them.
  func withForest<Result>(_ body: (inout ctree_forest) -> Result) -> Result {
    var forest = ctree_forest()
    forest.size = MemoryLayout<ctree_forest>.size
    forest.count = UInt64(count)
    return numbers.withUnsafeBufferPointer { numbers in
      bytes.withUnsafeBytes { bytes in
        offsets.withUnsafeBufferPointer { offsets in
          // An array without elements may have no address, and the store tells from it what the identifiers are.
          if coding.isNumber {
            forest.numbers = numbers.baseAddress ?? offsets.baseAddress
          } else {
            forest.bytes = bytes.baseAddress ?? UnsafeRawPointer(offsets.baseAddress)
            forest.offsets = offsets.baseAddress
          }
          return body(&forest)
        }
      }
    }
  }

  /// Where in this list the identifiers of another stand; `nil` for those that are not in it.
  ///
  /// A store says so, since it knows what makes two identifiers the same: their bytes.
  /// - Throws: ``TreeError/duplicate(item:other:)`` where an identifier stands twice in this list.
  func positions(of wanted: IdentifierList) throws(TreeError) -> [Int?] {
    let index = try IndexHandle(coding.kind)
    var fault = ctree_fault()
    fault.size = MemoryLayout<ctree_fault>.size
    let numbers = Array(0..<UInt64(count))
    let status = withForest { forest in
      numbers.withUnsafeBufferPointer { numbers in
        forest.values = numbers.baseAddress
        return ctree_store_build(index.store, 0, CTREE_END, &forest, nil, nil, &fault)
      }
    }
    if status == CTREE_DUPLICATE {
      throw .duplicate(item: [Int(fault.item)], other: .items([Int(fault.other_item)]))
    }
    try ensure(status)
    var positions: [Int?] = []
    positions.reserveCapacity(wanted.count)
    // A thousand at a time: the store looks for many at once while the processor waits for the first.
    var ids: [ctree_id] = []
    var found: [ctree_node] = Array(repeating: 0, count: 1024)
    var next = 0
    while next < wanted.count {
      let end = min(wanted.count, next + found.count)
      try ensure(
        wanted.bytes.withUnsafeBytes { bytes in
          ids.removeAll(keepingCapacity: true)
          for position in next..<end {
            ids.append(
              coding.isNumber
                ? ctree_id(bytes: nil, word: wanted.numbers[position]) : wanted.lend(position, of: bytes))
          }
          return ctree_store_find_many(index.store, nil, ids, ids.count, &found)
        })
      for node in found[..<(end - next)] {
        positions.append(node == 0 ? nil : Int(ctree_store_value(index.store, node)))
      }
      next = end
    }
    return positions
  }
}
