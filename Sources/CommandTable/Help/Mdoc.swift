/// A man page under way, in the mdoc language: mdoc(7), mandoc_char(7).
struct Mdoc {
  private(set) var lines: [String] = []

  var text: String { lines.map { $0 + "\n" }.joined() }

  /// A line of macros; the caller has made its arguments safe.
  mutating func macro(_ line: String) { lines.append("." + line) }

  /// Paragraphs of prose.
  mutating func prose(_ text: String) {
    for (place, paragraph) in paragraphs(text).enumerated() {
      if place > 0 { macro("Pp") }
      lines += Mdoc.prose(paragraph)
    }
  }

  /// Lines that appear as they are.
  mutating func literal(_ text: String) {
    macro("Bd -literal -offset indent")
    lines += text.split(separator: "\n").map { Mdoc.guarded(Mdoc.literal(String($0))) }
    macro("Ed")
  }

  /// A list, each item with a line of macros as its tag.
  mutating func list(_ items: [(tag: String, text: [String])]) {
    guard !items.isEmpty else { return }
    macro("Bl -tag -width Ds")
    for item in items {
      macro("It " + item.tag)
      for (place, text) in item.text.enumerated() {
        if place > 0 { macro("Pp") }
        prose(text)
      }
    }
    macro("El")
  }
}

// Making text safe.
extension Mdoc {
  /// One argument of a macro.
  static func argument(_ text: String) -> String {
    let escaped = escaped(text, ["\\": "\\e", "\"": "\\(dq", "'": "\\(aq", "`": "\\(ga"])
    // A short word could be the name of a macro, and a lone sign a delimiter.
    let guarded = text.count <= 2 ? "\\&" + escaped : escaped
    return text.isEmpty || text.contains(" ") ? "\"\(guarded)\"" : guarded
  }

  /// What is to be typed: no sign of it may be set as a typographic one.
  private static func literal(_ text: String) -> String {
    escaped(
      text,
      ["\\": "\\e", "'": "\\(aq", "`": "\\(ga", "-": "\\-", "^": "\\(ha", "~": "\\(ti"])
  }

  private static func escaped(_ text: String, _ signs: [Character: String]) -> String {
    text.reduce(into: "") { $0 += signs[$1] ?? String($1) }
  }

  /// A text line, which must not begin like a line of macros.
  private static func guarded(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }

  /// A paragraph as text lines: each sentence begins a line, and none is longer than 78 bytes.
  private static func prose(_ paragraph: String) -> [String] {
    var lines: [String] = []
    var hasEnded = true
    for word in marked(paragraph).split(separator: " ") {
      let begins = hasEnded && word.first?.isLowercase == false
      if let last = lines.last, !begins, last.utf8.count + 1 + word.utf8.count <= 78 {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(guarded(String(word)))
      }
      hasEnded = [".", "?", "!", ".)", ".\""].contains { word.hasSuffix($0) }
    }
    return lines
  }

  /// Backquoted text in bold and with every sign as typed.
  private static func marked(_ paragraph: String) -> String {
    let parts = paragraph.split(separator: "`", omittingEmptySubsequences: false)
    return parts.enumerated().map { place, part in
      place.isMultiple(of: 2)
        ? escaped(String(part), ["\\": "\\e"]) : "\\fB\(literal(String(part)))\\fR"
    }.joined()
  }
}
