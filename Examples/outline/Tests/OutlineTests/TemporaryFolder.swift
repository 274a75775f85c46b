#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A folder that goes, with all that is in it, when the test is through with it. Names are bytes.
final class TemporaryFolder {
  let path: [UInt8]

  init() {
    var template = Array("/tmp/outline-test-XXXXXX".utf8CString)
    precondition(mkdtemp(&template) != nil, "no temporary folder can be made")
    path = template.dropLast().map { UInt8(bitPattern: $0) }
  }

  deinit { remove(path) }

  func folder(_ name: [UInt8]) {
    precondition(mkdir(place(name), 0o755) == 0, "no folder can be made")
  }

  func file(_ name: [UInt8]) {
    let descriptor = open(place(name), O_CREAT | O_WRONLY, 0o644)
    precondition(descriptor >= 0, "no file can be made")
    close(descriptor)
  }

  func link(_ name: [UInt8], to target: String) {
    precondition(symlink(target, place(name)) == 0, "no link can be made")
  }

  func pipe(_ name: [UInt8]) {
    precondition(mkfifo(place(name), 0o644) == 0, "no pipe can be made")
  }

  func removeFolder(_ name: [UInt8]) {
    precondition(rmdir(place(name)) == 0, "the folder cannot be removed")
  }

  private func place(_ name: [UInt8]) -> [CChar] {
    cString(path + [0x2f] + name)
  }

  private func cString(_ bytes: [UInt8]) -> [CChar] {
    bytes.map { CChar(bitPattern: $0) } + [0]
  }

  private func remove(_ top: [UInt8]) {
    var process = pid_t()
    var words: [UnsafeMutablePointer<CChar>?] = [bytes("rm"), bytes("-rf"), top].map { strdup(cString($0)) } + [nil]
    defer { for word in words { free(word) } }
    if posix_spawnp(&process, "rm", nil, nil, &words, environ) == 0 { waitpid(process, nil, 0) }
  }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
