/// What the command line asks for.
struct Arguments {
  var prints = false
  var levels = Int.max
  var path: [UInt8] = []

  static let usage = """
    usage: outline --print [--depth N] PATH
      --print    list the folder as an outline, and end with a line of counts and times
      --depth N  open N levels; without it all of them
    """

  init(_ words: [[UInt8]]) throws(Misuse) {
    var words = words[...]
    var path: [UInt8]?
    while let word = words.popFirst() {
      switch word {
      case Array("--print".utf8): prints = true
      case Array("--depth".utf8):
        guard let next = words.popFirst(), let number = Int(String(decoding: next, as: UTF8.self)), number >= 0
        else { throw Misuse(text: "--depth wants a number") }
        levels = number
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
}

struct Misuse: Error {
  let text: String
}
