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
    let outline = try Outline(of: arguments.path, levels: arguments.levels ?? .max)
    let folders = try outline.loadWhatIsOpen()
    let read = clock.now
    let rows = outline.tree.rowCount
    let counts = outline.print { put($0, to: STDOUT_FILENO) }
    let printed = clock.now
    print(
      """
      \(rows) rows: \(counts.folders) folders, \(counts.files) files, \(counts.links) links, \(counts.others) others; \
      \(folders) folders opened, \(counts.failed) unreadable. \
      Read and kept in \(milliseconds(read - start)) ms, printed in \(milliseconds(printed - read)) ms.
      """)
  } catch {
    failed(arguments.path, error)
  }
}

func failed(_ path: [UInt8], _ error: any Error) -> Never {
  guard let error = error as? FileError else { fail("\(error)", code: 1) }
  fail("\(FileName(rawValue: path).shown): \(error.code == ENOENT ? "nothing is there" : error.text)", code: 1)
}

func milliseconds(_ duration: Duration) -> String {
  let tenths = duration.components.seconds * 10_000 + duration.components.attoseconds / 100_000_000_000_000
  return "\(tenths / 10).\(tenths % 10)"
}

@MainActor func browse(_ arguments: Arguments) async throws(Misuse) {
  #if canImport(CNcurses)
    guard isatty(STDIN_FILENO) != 0, isatty(STDOUT_FILENO) != 0 else {
      throw Misuse(text: "this is no terminal; --print lists without one")
    }
    do {
      let delay = Duration.milliseconds(arguments.delay)
      let browser = try Browser(of: arguments.path, levels: arguments.levels ?? 1, delay: delay)
      await Terminal(browser, showsLog: arguments.logs).run()
      if arguments.logs {
        for (number, changes) in browser.changes.enumerated() { print("\(number + 1): \(changes.detail)") }
      }
    } catch {
      failed(arguments.path, error)
    }
  #else
    throw Misuse(text: "only --print works on this system")
  #endif
}

do throws(Misuse) {
  let arguments = try Arguments(words())
  if arguments.prints { printOutline(arguments) } else { try await browse(arguments) }
} catch {
  fail("\(error.text)\n\(Arguments.usage)", code: 2)
}
