/// What may stand in front of an SVG's first element: a byte order mark, blanks, an XML
/// declaration, comments and a document type.
///
/// What follows must be `<svg`: HTML that only holds a picture is HTML.
enum SVGProlog {
  static func leadsToSVG(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    while true {
      rest = rest.drop { $0 == 0x20 || ($0 >= 0x09 && $0 <= 0x0D) }
      if rest.starts(with: "<?".utf8) {
        guard skip(&rest, past: "?>") else { return false }
      } else if rest.starts(with: "<!--".utf8) {
        guard skip(&rest, past: "-->") else { return false }
      } else if isDocumentType(rest) {
        guard skipDocumentType(&rest) else { return false }
      } else {
        return isSVGElement(rest)
      }
    }
  }

  private static func skip(_ rest: inout Slice<UnsafeRawBufferPointer>, past end: String) -> Bool {
    while !rest.isEmpty {
      if rest.starts(with: end.utf8) {
        rest = rest.dropFirst(end.utf8.count)
        return true
      }
      rest = rest.dropFirst()
    }
    return false
  }

  private static func isDocumentType(_ rest: Slice<UnsafeRawBufferPointer>) -> Bool {
    rest.prefix(9).map { $0 | 0x20 }.elementsEqual("<!doctype".utf8.map { $0 | 0x20 })
  }

  /// A document type of another name is the end; one may hold declarations in brackets, which end in
  /// `>` themselves.
  private static func skipDocumentType(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
    let name = rest.dropFirst(9).drop { $0 <= 0x20 }.prefix(4).map { $0 | 0x20 }
    guard !name.elementsEqual("html".utf8) else { return false }
    let end = rest.firstIndex { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "[") }
    guard let end else { return false }
    let isBracket = rest[end] == UInt8(ascii: "[")
    rest = rest[(end + 1)...]
    return isBracket ? skip(&rest, past: "]") && skip(&rest, past: ">") : true
  }

  /// `<svg` or `<prefix:svg`, and then the name's end.
  private static func isSVGElement(_ rest: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard rest.first == UInt8(ascii: "<") else { return false }
    let name = rest.dropFirst().prefix { $0 > 0x20 && $0 != 0x3E && $0 != 0x2F }
    let isEnded = name.endIndex < rest.endIndex
    return isEnded && (name.elementsEqual("svg".utf8) || name.suffix(4).elementsEqual(":svg".utf8))
  }
}
