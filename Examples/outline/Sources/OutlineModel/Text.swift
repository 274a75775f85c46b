extension [UInt8] {
  /// Appends a name so that it is safe to show: what is no text, and what would steer a terminal, appears as an escape.
  mutating func appendShown(_ name: [UInt8]) {
    if name.allSatisfy({ $0 >= 0x20 && $0 < 0x7f && $0 != 0x5c }) {
      append(contentsOf: name)
      return
    }
    var parser = Unicode.UTF8.ForwardParser()
    var rest = name.makeIterator()
    var at = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .emptyInput: return
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if scalar == "\\" {
          append(contentsOf: [0x5c, 0x5c])
        } else if scalar.isUnsafeToShow {
          append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".utf8)
        } else {
          append(contentsOf: encoded)
        }
        at += encoded.count
      case .error(let length):
        for byte in name[at..<at + length] {
          append(contentsOf: "\\x\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
        }
        at += length
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isUnsafeToShow: Bool {
    switch properties.generalCategory {
    // Format characters turn the direction of text round, so that a name could pose as another.
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
    default: false
    }
  }
}

extension FileName {
  /// The name as it is shown.
  package var shown: String {
    var bytes: [UInt8] = []
    bytes.appendShown(rawValue)
    return String(decoding: bytes, as: UTF8.self)
  }
}
