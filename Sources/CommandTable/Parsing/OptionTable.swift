/// The options that are legal at some point of a line, found by their spelling.
struct OptionTable {
  let globals: [OptionShape]
  /// Those of the command, once the line has named it.
  var locals: [OptionShape]?

  /// Where a row stands.
  struct Place {
    let isGlobal: Bool
    let row: Int
  }

  var longs: [String] { ((locals ?? []) + globals).map(\.long) }

  subscript(place: Place) -> OptionShape {
    place.isGlobal ? globals[place.row] : (locals ?? [])[place.row]
  }

  /// The row of a name as it stands after `--`.
  func place(ofLong name: some Sequence<UInt8>) -> Place? {
    place { $0.name.utf8.elementsEqual(name) }
  }

  func place(ofShort byte: UInt8) -> Place? { place { $0.short?.asciiValue == byte } }

  private func place(where isMeant: (OptionShape) -> Bool) -> Place? {
    if let row = locals?.firstIndex(where: isMeant) { return Place(isGlobal: false, row: row) }
    return globals.firstIndex(where: isMeant).map { Place(isGlobal: true, row: $0) }
  }

  /// Whether a word names an option, and so is hardly meant as a value.
  func names(_ word: [UInt8]) -> Bool {
    guard word.count > 1, word[0] == dash else { return false }
    guard word[1] != dash else {
      return place(ofLong: word.dropFirst(2).prefix { $0 != equals }) != nil
    }
    return word.dropFirst().allSatisfy { place(ofShort: $0) != nil }
  }
}

let dash = UInt8(ascii: "-")
let equals = UInt8(ascii: "=")
