/// The values of a tree's items. A node's value word is the number of its place here; 0 is the word of nodes that are
/// no items.
///
/// Places are taken before the call that hands their numbers to the store, and given back when that call fails, or when the
/// store tells that it let them go: so what the pool holds is true at every moment, whatever a call came to.
@usableFromInline
final class ValuePool<Value>: ValueKeeper {
  // Of these no access lasts while other code runs.
  @exclusivity(unchecked) @usableFromInline var values: ContiguousArray<Value?> = [nil]
  @exclusivity(unchecked) @usableFromInline var free: [UInt32] = []
  // Few items have names, so they do not take room in every place.
  @usableFromInline var names: [UInt32: ItemNames] = [:]
  /// The numbers of interned identifiers, and who is told that one was let go.
  private var interned: [UInt32: UInt64] = [:]
  var letGo: ((UInt64) -> Void)?

  /// How many values are kept.
  var living: Int { values.count - 1 - free.count - released.count }

  /// Makes room for more values, by no less than half of those that there are: asked often for a few, it copies seldom.
  func reserve(_ more: Int) {
    let wanted = values.count + max(0, more - free.count)
    if wanted > values.capacity { values.reserveCapacity(max(wanted, values.count + values.count / 2)) }
  }

  /// Keeps the value of an item without names, whose identifier is not interned.
  @inlinable
  func add(_ value: Value) -> UInt64 {
    guard free.isEmpty else { return add(value, ItemNames(), 0) }
    values.append(value)
    return UInt64(values.count - 1)
  }

  /// - Parameter number: That of an interned identifier, held for this value; else 0.
  @usableFromInline
  func add(_ value: Value, _ itemNames: ItemNames, _ number: UInt64) -> UInt64 {
    let place: UInt32
    if let last = free.popLast() {
      place = last
      values[Int(place)] = value
    } else {
      place = UInt32(values.count)
      values.append(value)
    }
    if !itemNames.isEmpty { names[place] = itemNames }
    if number != 0 { interned[place] = number }
    return UInt64(place)
  }

  @inlinable
  var hasNoNames: Bool { names.isEmpty }

  @inlinable
  func value(_ word: UInt64) -> Value {
    guard let value = values[Int(word)] else { preconditionFailure("A node has a value that was released.") }
    return value
  }

  func names(_ word: UInt64) -> ItemNames {
    names.isEmpty ? ItemNames() : names[UInt32(word)] ?? ItemNames()
  }

  @usableFromInline
  func sectionName(_ word: UInt64) -> String? { names(word).section }

  @usableFromInline
  func cellIdentifier(_ word: UInt64) -> String? { names(word).cell }

  func setSection(of word: UInt64, to section: String) {
    names[UInt32(word), default: ItemNames()].section = section
  }

  /// Gives back places that the store never got to know.
  func discard(_ words: [UInt64]) {
    released.append(contentsOf: words)
    drain()
  }

  func drain() {
    while !released.isEmpty {
      let words = released
      released = []
      // The values go when this list goes, after the last access to the pool: what their release runs may come back here.
      var doomed: [Value] = []
      doomed.reserveCapacity(words.count)
      for word in words where word != 0 {
        let place = UInt32(word)
        if let value = values[Int(place)] { doomed.append(value) }
        values[Int(place)] = nil
        if !names.isEmpty { names[place] = nil }
        if !interned.isEmpty, let number = interned.removeValue(forKey: place) { letGo?(number) }
        free.append(place)
      }
      withExtendedLifetime(doomed) {}
    }
  }
}

/// The texts of an item that the store does not keep.
@usableFromInline
struct ItemNames: Equatable {
  @usableFromInline var section: String?
  @usableFromInline var cell: String?

  @inlinable
  init(section: String? = nil, cell: String? = nil) {
    self.section = section
    self.cell = cell
  }

  @inlinable
  var isEmpty: Bool { section == nil && cell == nil }
}
