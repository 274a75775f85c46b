import CTreeCore

/// What a step throws instead of printing: a status, or a node that is not there.
enum StepFailure: Error {
  case unknown
  case says(String)
}

/// Runs one scenario.
final class VectorRunner {
  typealias Node = ctree_node

  var store: OpaquePointer?
  var isBytes = false
  var isScoped = false
  var isClosed = false
  var handles: [String: Node] = [:]
  var tickets: [String: UInt64] = [:]
  var views: [String: OpaquePointer] = [:]
  var rows: [String: OpaquePointer] = [:]
  var values: [UInt64] = []
  var heard: [String] = []
  var splices: [OpaquePointer: [String]] = [:]
  var listener: UInt64 = 0
  /// Bytes that C looks at within a step.
  var kept: [UnsafeMutableRawPointer] = []
  var out: [String] = []
  var step = Scenario.Step(line: 0, words: [])
  var words: [String] { Array(step.words.dropFirst()) }

  /// The lines that a step prints.
  func run(_ step: Scenario.Step) -> [String] {
    self.step = step
    out = []
    defer {
      for block in kept { block.deallocate() }
      kept = []
    }
    do {
      if try runStore() { return out }
      if try runEdits() { return out }
      if try runLoads() { return out }
      if try runViews() { return out }
      if try runRows() { return out }
      if try runDiff() { return out }
      return ["no such verb: \(step.words[0])"]
    } catch {
      switch error {
      case .unknown: return ["unknown"]
      case .says(let text): return [text]
      }
    }
  }

  func close() {
    for view in views.values { ctree_view_destroy(view) }
    for list in rows.values { ctree_rows_destroy(list) }
    if !isClosed { ctree_store_destroy(store) }
  }

  // MARK: Words

  func say(_ parts: Any...) { out.append(parts.map { "\($0)" }.joined(separator: " ")) }
  func list(_ nodes: [Node]) { out.append(([String(nodes.count)] + nodes.map(name)).joined(separator: " ")) }
  func yes(_ flag: Bool) -> String { flag ? "yes" : "no" }
  func number(_ place: Int) -> UInt64 { UInt64(words[place])! }
  func small(_ place: Int) -> UInt32 { UInt32(words[place])! }
  func place(_ word: String) -> UInt32 { word == "end" ? UInt32.max : UInt32(word)! }
  func levels(_ word: String) -> UInt32 { word == "all" ? UInt32.max : UInt32(word)! }
  func rowWord(_ row: UInt32) -> String { row == UInt32.max ? "-" : String(row) }

  var limit: UInt64 {
    guard let at = words.firstIndex(of: "limit") else { return 0 }
    return UInt64(words[at + 1])!
  }

  static let statuses = [
    "ok", "no-memory", "invalid", "stale", "range", "duplicate", "limit", "leaf", "cycle", "busy", "closed",
    "cancelled",
    "superseded", "not-found", "loading", "corrupt",
  ]
  static let states = ["leaf", "unloaded", "loading", "loaded", "failed", "keep"]

  func check(_ status: ctree_status) throws(StepFailure) {
    if status != CTREE_OK { throw .says(Self.statuses[Int(status.rawValue)]) }
  }

  /// A call that says which item is at fault.
  func bulk(_ call: (UnsafeMutablePointer<ctree_fault>) -> ctree_status) throws(StepFailure) {
    var fault = ctree_fault()
    fault.size = MemoryLayout<ctree_fault>.size
    fault.item = UInt64.max
    fault.other_item = UInt64.max
    let status = call(&fault)
    if status == CTREE_OK { return }
    func item(_ place: UInt64) -> String { place == UInt64.max ? "-" : String(place) }
    throw .says(
      "\(Self.statuses[Int(status.rawValue)]) item \(item(fault.item)) other \(item(fault.other_item)) node \(name(fault.node))"
    )
  }

  /// With a progress that stops at once, where the step says so.
  func withProgress<Result>(_ body: (UnsafePointer<ctree_progress>?) throws -> Result) rethrows -> Result {
    guard words.last == "stop" else { return try body(nil) }
    var progress = ctree_progress(context: nil, keep_going: { _, _, _ in false })
    return try body(&progress)
  }

  func keep(_ bytes: [UInt8]) -> UnsafeRawPointer {
    let block = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
    block.copyMemory(from: bytes, byteCount: bytes.count)
    kept.append(block)
    return UnsafeRawPointer(block)
  }

  func keep<Element: BitwiseCopyable>(array: [Element]) -> UnsafeMutablePointer<Element> {
    let block = UnsafeMutablePointer<Element>.allocate(capacity: max(1, array.count))
    block.initialize(from: array, count: array.count)
    kept.append(UnsafeMutableRawPointer(block))
    return block
  }

  static func unquoted(_ word: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(word.utf8).dropFirst().dropLast()
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\") {
        bytes.append(UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16)!)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  static func quoted(_ bytes: UnsafeRawBufferPointer) -> String {
    var word = "\""
    for byte in bytes {
      if byte > 0x20, byte < 0x7f, !"\"\\/".utf8.contains(byte) {
        word.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16)
        word += "\\x" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return word + "\""
  }

  func bytesID(_ word: String) -> ctree_id {
    let bytes = Self.unquoted(word)
    return ctree_id(bytes: keep(bytes), word: UInt64(bytes.count))
  }

  func id(_ word: String) -> ctree_id { isBytes ? bytesID(word) : ctree_id(bytes: nil, word: UInt64(word)!) }

  func idWord(_ id: ctree_id) -> String {
    isBytes ? Self.quoted(UnsafeRawBufferPointer(start: id.bytes, count: Int(id.word))) : String(id.word)
  }

  func parts(_ word: String) -> [String] {
    word.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  }

  func node(_ word: String) throws(StepFailure) -> Node {
    if word == "-" { return 0 }
    if word.hasPrefix("$") { return handles[word]! }
    var found: Node = 0
    if !isScoped {
      found = ctree_store_find(store, id(word))
    } else {
      for part in parts(word) {
        found = ctree_store_find_child(store, found, id(part))
        if found == 0 { break }
      }
    }
    if found == 0 { throw .unknown }
    return found
  }

  func node(_ place: Int) throws(StepFailure) -> Node { try node(words[place]) }

  func name(_ node: Node) -> String {
    if node == 0 { return "-" }
    if !ctree_store_contains(store, node) { return "gone" }
    var names: [String] = []
    var at = node
    while at != 0 {
      var id = ctree_id()
      guard ctree_store_id(store, at, &id) == CTREE_OK else { return "without an identifier" }
      names.append(idWord(id))
      var parent: Node = 0
      if isScoped { _ = ctree_store_parent(store, at, &parent) }
      at = parent
    }
    return names.reversed().joined(separator: "/")
  }

  /// The struct and all that it points to live until the end of the step.
  func forest() -> ctree_forest {
    let given = step.given
    let above = Set(given.map { $0[0] })
    var forest = ctree_forest()
    forest.size = MemoryLayout<ctree_forest>.size
    forest.count = UInt64(given.count)
    forest.ids = UnsafePointer(keep(array: given.map { id($0[1]) }))
    forest.parents = UnsafePointer(keep(array: given.map { UInt32($0[0]) ?? UInt32.max }))
    forest.values = UnsafePointer(keep(array: given.map { $0.count > 2 ? UInt64($0[2])! : 0 }))
    forest.revisions = UnsafePointer(keep(array: given.map { $0.count > 3 ? UInt64($0[3])! : 0 }))
    if given.contains(where: { $0.count > 4 && $0[4] != "auto" }) {
      let states = given.enumerated().map { place, line -> UInt8 in
        if line.count > 4, line[4] != "auto" { return UInt8(Self.states.firstIndex(of: line[4])!) }
        return above.contains(String(place)) ? UInt8(CTREE_STATE_LOADED.rawValue) : UInt8(CTREE_STATE_LEAF.rawValue)
      }
      forest.states = UnsafePointer(keep(array: states))
    }
    return forest
  }
}
