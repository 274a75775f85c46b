import Testing
import TreeKit

/// What an identifier lends, copied.
private func lent(_ id: some TreeIdentifier) -> (number: UInt64?, bytes: [UInt8]?) {
  id.withTreeIdentifier { content in
    switch content {
    case .number(let number): (number, nil)
    case .bytes(let bytes): (nil, Array(bytes))
    }
  }
}

private func again<ID: TreeIdentifier>(_ id: ID) -> ID? {
  id.withTreeIdentifier { ID(treeIdentifier: $0) }
}

private struct PartNumber: RawRepresentable, TreeIdentifier { var rawValue: Int32 }
private enum Kind: String, TreeIdentifier { case folder, file }

@Suite struct IdentifierTests {
  @Test(arguments: [0, 1, -1, Int.max, Int.min]) func integersComeBack(_ number: Int) {
    #expect(lent(number).number == UInt64(bitPattern: Int64(number)))
    #expect(again(number) == number)
  }

  @Test func numbersThatDoNotFitAreRefused() {
    #expect(UInt8(treeIdentifier: .number(256)) == nil)
    #expect(Int8(treeIdentifier: .number(UInt64(bitPattern: -1))) == -1)
    #expect(UInt8(treeIdentifier: .bytes(UnsafeRawBufferPointer(start: nil, count: 0))) == nil)
  }

  @Test(arguments: ["", "a", "Übergröße 木", String(repeating: "long ", count: 100)])
  func stringsComeBack(_ text: String) {
    #expect(lent(text).bytes == Array(text.utf8))
    #expect(again(text) == text)
  }

  @Test func nulIsAByteLikeOthers() {
    #expect(lent("a\0b").bytes == [0x61, 0, 0x62])
    #expect(again("a\0b") == "a\0b")
  }

  @Test func composedAndDecomposedAreTwoIdentifiers() {
    let composed = "\u{e9}"
    let decomposed = "e\u{301}"
    #expect(composed == decomposed)
    #expect(lent(composed).bytes != lent(decomposed).bytes)
  }

  @Test func bytesThatAreNoTextAreNoString() {
    let bytes: [UInt8] = [0x66, 0xff, 0x6f]
    #expect(bytes.withUnsafeBytes { String(treeIdentifier: .bytes($0)) } == nil)
    #expect(again(bytes) == bytes)
    #expect(again([UInt8]()) == [])
  }

  @Test func rawRepresentableLendsItsRawValue() {
    #expect(lent(PartNumber(rawValue: 7)).number == 7)
    #expect(again(PartNumber(rawValue: -7)) == PartNumber(rawValue: -7))
    #expect(again(Kind.folder) == .folder)
    #expect(Array("none".utf8).withUnsafeBytes { Kind(treeIdentifier: .bytes($0)) } == nil)
  }
}
