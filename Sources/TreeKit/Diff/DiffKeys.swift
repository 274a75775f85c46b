internal import CTreeCore

/// One of two lists to compare, as flat arrays. Keys of sections stand behind those of rows.
struct DiffKeys {
  private var numbers: [UInt64] = []
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var revisions: [UInt64] = []
  private var sectionRows: [UInt32] = []
  private var rowCount = 0

  init<Element, ID: TreeIdentifier>(
    rows: some Collection<Element>, _ id: (Element) -> ID, _ revision: ((Element) -> UInt64)?
  ) {
    for row in rows {
      add(id(row))
      if let revision { revisions.append(revision(row)) }
    }
    rowCount = rows.count
  }

  init<ID: TreeIdentifier>(sections: [TreeSectionRows<ID, ID>]) {
    for section in sections {
      for row in section.rows { add(row) }
      sectionRows.append(UInt32(section.rows.count))
      rowCount += section.rows.count
    }
    for section in sections { add(section.section) }
  }

  private mutating func add(_ id: some TreeIdentifier) {
    id.withTreeIdentifier { content in
      switch content {
      case .number(let number): numbers.append(number)
      case .bytes(let lent):
        bytes.append(contentsOf: lent)
        ends.append(bytes.count)
      }
    }
  }

  func withList(_ form: TreeIdentifierForm, _ body: (ctree_diff_list) -> Void) {
    bytes.withUnsafeBytes { bytes in
      let ids = form == .number ? [] : ids(bytes)
      ids.withUnsafeBufferPointer { ids in
        numbers.withUnsafeBufferPointer { numbers in
          revisions.withUnsafeBufferPointer { revisions in
            sectionRows.withUnsafeBufferPointer { sectionRows in
              var list = ctree_diff_list()
              list.row_count = UInt32(clamping: rowCount)
              list.section_count = UInt32(clamping: sectionRows.count)
              list.rows = form == .number ? UnsafeRawPointer(numbers.baseAddress) : UnsafeRawPointer(ids.baseAddress)
              if !sectionRows.isEmpty {
                let stride = form == .number ? MemoryLayout<UInt64>.stride : MemoryLayout<ctree_id>.stride
                list.sections = list.rows?.advanced(by: rowCount * stride)
                list.section_rows = sectionRows.baseAddress
              }
              if !revisions.isEmpty { list.revisions = revisions.baseAddress }
              body(list)
            }
          }
        }
      }
    }
  }

  private func ids(_ bytes: UnsafeRawBufferPointer) -> [ctree_id] {
    var start = 0
    return ends.map { end in
      defer { start = end }
      return ctree_id_bytes(bytes.baseAddress.map { $0 + start }, end - start)
    }
  }
}
