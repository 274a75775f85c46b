import OutlineModel
import TreeKit

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

func put(_ text: [UInt8], to descriptor: Int32) {
  var rest = text[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno != EINTR { exit(1) }
    rest = rest.dropFirst(max(0, count))
  }
}

func fail(_ text: String, code: Int32) -> Never {
  put(Array("outline: \(text)\n".utf8), to: STDERR_FILENO)
  exit(code)
}

/// The arguments as bytes: a path need not be text.
func words() -> [[UInt8]] {
  (1..<Int(CommandLine.argc)).compactMap { number in
    CommandLine.unsafeArgv[number].map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }
}

func printOutline(_ arguments: Arguments) {
  do {
    let clock = ContinuousClock()
    let start = clock.now
    let outline = try Outline(of: arguments.path, levels: arguments.levels)
    let folders = try outline.loadWhatIsOpen()
    let read = clock.now
    let rows = outline.tree.rowCount
    let flattened = clock.now
    let counts = outline.print { put($0, to: STDOUT_FILENO) }
    let printed = clock.now
    print(
      """
      \(rows) rows: \(counts.folders) folders, \(counts.files) files, \(counts.links) links, \(counts.others) others; \
      \(folders) folders opened, \(counts.failed) unreadable. \
      Read and kept in \(milliseconds(read - start)) ms, rows made in \(milliseconds(flattened - read)) ms, \
      printed in \(milliseconds(printed - flattened)) ms.
      """)
  } catch let error as FileError {
    let reason = error.code == ENOENT ? "nothing is there" : error.text
    fail("\(FileName(rawValue: arguments.path).shown): \(reason)", code: 1)
  } catch {
    fail("\(error)", code: 1)
  }
}

func milliseconds(_ duration: Duration) -> String {
  let tenths = duration.components.seconds * 10_000 + duration.components.attoseconds / 100_000_000_000_000
  return "\(tenths / 10).\(tenths % 10)"
}

do throws(Misuse) {
  let arguments = try Arguments(words())
  guard arguments.prints else { throw Misuse(text: "only --print is there as yet") }
  printOutline(arguments)
} catch {
  fail("\(error.text)\n\(Arguments.usage)", code: 2)
}
