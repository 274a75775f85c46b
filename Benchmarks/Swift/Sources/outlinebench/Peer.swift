import PeerHarness

#if canImport(Glibc)
  @_exported import Glibc
#else
  @_exported import Darwin
#endif

/// An outline as the harness sees it. Items are named by their numbers.
protocol Outline: AnyObject {
  init(_ tree: peer_tree)
  var rowCount: Int { get }
  func expandAll()
  func item(atRow row: Int) -> Int
  func row(of item: Int) -> Int
  func setExpanded(_ row: Int, _ isExpanded: Bool)
  func window(_ rows: Range<Int>, into out: UnsafeMutablePointer<peer_row>)
  func insert(_ item: Int, under parent: Int?, at ordinal: Int)
  func remove(under parent: Int?, at ordinal: Int)
}

/// Any outline behind the untyped pointer that the harness hands around.
final class Box {
  let outline: any Outline
  init(_ outline: any Outline) { self.outline = outline }

  static func of(_ pointer: UnsafeMutableRawPointer?) -> any Outline {
    Unmanaged<Box>.fromOpaque(pointer!).takeUnretainedValue().outline
  }
}

func parent(_ number: UInt32) -> Int? { number == PEER_NONE ? nil : Int(number) }

/// The name and the description live as long as the program.
func makePeer(
  _ name: String, _ what: String,
  build: @escaping @convention(c) (UnsafeMutablePointer<peer_tree>?) -> UnsafeMutableRawPointer?
) -> peer {
  var result = peer()
  result.name = UnsafePointer(strdup(name))
  result.what = UnsafePointer(strdup(what))
  result.build = build
  result.destroy = { Unmanaged<Box>.fromOpaque($0!).release() }
  result.expand_all = { Box.of($0).expandAll() }
  result.row_count = { UInt32(Box.of($0).rowCount) }
  result.node_at = { UInt64(Box.of($0).item(atRow: Int($1))) }
  result.row_of = { UInt32(Box.of($0).row(of: Int($1))) }
  result.set_expanded = { Box.of($0).setExpanded(Int($1), $2 != 0) }
  result.window = { Box.of($0).window(Int($1)..<Int($1) + Int($2), into: $3!) }
  result.insert = { Box.of($0).insert(Int($3), under: parent($1), at: Int($2)) }
  result.remove = { Box.of($0).remove(under: parent($1), at: Int($2)) }
  return result
}

func built(_ tree: UnsafeMutablePointer<peer_tree>?, _ type: any Outline.Type) -> UnsafeMutableRawPointer? {
  let tree = tree!.pointee
  for item in 0..<Int(tree.capacity) { tree.handles[item] = UInt64(item) }
  return Unmanaged.passRetained(Box(type.init(tree))).toOpaque()
}

#if compiler(>=6.4)
  let compiler = "Swift 6.4 or later"
#elseif compiler(>=6.3)
  let compiler = "Swift 6.3"
#else
  let compiler = "Swift 6.2"
#endif
