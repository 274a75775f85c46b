/// What the command line asks for.
struct Arguments {
  var prints = false
  var logs = false
  var levels: Int?
  var delay = 0
  var path: [UInt8] = []

  static let usage = """
    usage: outline [--depth N] [--log] [--delay MS] PATH
           outline --print [--depth N] PATH
      --print     list the folder as an outline, and end with a line of counts and times
      --depth N   open N levels; without it one, and with --print all of them
      --log       show each change of rows in the last line, and print all of them in the end
      --delay MS  wait before each folder is read, so that loads can be seen under way
    """

  init(_ words: [[UInt8]]) throws(Misuse) {
    var words = words[...]
    var path: [UInt8]?
    while let word = words.popFirst() {
      switch word {
      case Array("--print".utf8): prints = true
      case Array("--log".utf8): logs = true
      case Array("--depth".utf8): levels = try number(&words, "--depth")
      case Array("--delay".utf8): delay = try number(&words, "--delay")
      default:
        guard word.first != 0x2d else {
          throw Misuse(text: "unknown option: \(String(decoding: word, as: UTF8.self))")
        }
        guard path == nil else { throw Misuse(text: "one path at a time") }
        path = word
      }
    }
    guard let path, !path.isEmpty else { throw Misuse(text: "no path was given") }
    self.path = path
  }

  private func number(_ words: inout ArraySlice<[UInt8]>, _ option: String) throws(Misuse) -> Int {
    guard let next = words.popFirst(), let number = Int(String(decoding: next, as: UTF8.self)), number >= 0
    else { throw Misuse(text: "\(option) wants a number") }
    return number
  }
}

struct Misuse: Error {
  let text: String
}
