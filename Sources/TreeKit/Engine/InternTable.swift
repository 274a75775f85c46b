/// Numbers for identifiers of any kind, for as long as a value is kept for them.
///
/// A number is never used again, so that one that is still about names no other identifier.
final class InternTable<ID: Hashable & Sendable> {
  private var numbers: [ID: UInt64] = [:]
  private var held: [UInt64: (id: ID, count: Int)] = [:]
  private var last: UInt64 = 0

  /// How many identifiers have a number.
  var count: Int { held.count }

  /// The number of an identifier; 0, which none has, where it is unknown.
  func number(of id: ID) -> UInt64 { numbers[id] ?? 0 }

  func id(_ number: UInt64) -> ID? { held[number]?.id }

  /// The number of an identifier, which keeps it until it is let go once more.
  func hold(_ id: ID) -> UInt64 {
    if let number = numbers[id] {
      held[number]?.count += 1
      return number
    }
    last += 1
    numbers[id] = last
    held[last] = (id, 1)
    return last
  }

  func letGo(_ number: UInt64) {
    guard let entry = held[number] else { return }
    if entry.count > 1 {
      held[number]?.count -= 1
    } else {
      held[number] = nil
      numbers[entry.id] = nil
    }
  }
}
