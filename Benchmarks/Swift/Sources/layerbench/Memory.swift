import CTreeCore
import PeerHarness
import TreeKit

/// Bytes that the process takes, as the system counts them.
private func residentBytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 128)
  guard fgets(&line, 128, file) != nil else { return 0 }
  let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
    separator: " ")
  return words.count > 1 ? (Int(words[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
}

/// Builds one tree as its user would: identifiers are made for it and not kept elsewhere.
func measureMemory(_ kind: String, count: Int) {
  // What every way needs and none is charged for.
  let levels = Input(count: count, named: false).levels
  let before = residentBytes()
  let kept: Any
  switch kind {
  case "c-string", "c-int": kept = coreOneByOne(levels, areNumbers: kind == "c-int")
  case "swift-string": kept = tree(levels, Input.name)
  case "swift-int": kept = tree(levels) { Int(truncatingIfNeeded: peer_number(UInt64($0))) }
  case "nested-string": kept = nestedNodes(levels, Input.name)
  case "nested-int": kept = nestedNodes(levels) { Int(truncatingIfNeeded: peer_number(UInt64($0))) }
  default:
    print("one of c-string c-int swift-string swift-int nested-string nested-int")
    exit(2)
  }
  let tenths = (residentBytes() - before) * 10 / count
  withExtendedLifetime(kept) { print("\(kind): \(tenths / 10).\(tenths % 10) bytes a node") }
}

private func tree<ID: TreeIdentifier>(_ levels: [Int], _ id: (Int) -> ID) -> Tree<ID, Int> {
  let tree = Tree<ID, Int>()
  let builder = TreeBuilder(for: tree)
  try! builder.add(contentsOf: levels.indices, id: id, level: { levels[$0] }, value: { $0 })
  try! tree.append(builder)
  return tree
}

private func coreOneByOne(_ levels: [Int], areNumbers: Bool) -> Core {
  let core = Core(areNumbers: areNumbers)
  var path: [ctree_node] = []
  for (item, level) in levels.enumerated() {
    path.removeSubrange(level...)
    var made: ctree_node = 0
    var initial = ctree_node_init()
    initial.value = UInt64(item + 1)
    initial.load_state = CTREE_STATE_LOADED.rawValue
    let parent = path.last ?? 0
    let status: ctree_status
    if areNumbers {
      status = ctree_store_insert(
        core.store, parent, CTREE_END, ctree_id_u64(peer_number(UInt64(item))), &initial, &made)
    } else {
      var name = Input.name(item)
      status = name.withUTF8 {
        ctree_store_insert(core.store, parent, CTREE_END, ctree_id_bytes($0.baseAddress, $0.count), &initial, &made)
      }
    }
    precondition(status == CTREE_OK)
    path.append(made)
  }
  return core
}
