// Text for terminals and pages.

/// Breaks text into lines of at most `width` characters at its spaces.
func wrapped(_ text: String, width: Int) -> [String] {
  var lines: [String] = []
  for word in text.split(separator: " ") {
    if let last = lines.last, last.count + 1 + word.count <= width {
      lines[lines.count - 1] += " " + word
    } else {
      lines.append(String(word))
    }
  }
  return lines
}

/// The paragraphs of a text, each without line breaks.
func paragraphs(_ text: String) -> [String] {
  var paragraphs: [String] = []
  var isInside = false
  for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    let words = line.split(separator: " ").map(String.init).spaced
    if words.isEmpty {
      isInside = false
    } else if isInside {
      paragraphs[paragraphs.count - 1] += " " + words
    } else {
      paragraphs.append(words)
      isInside = true
    }
  }
  return paragraphs
}

extension String {
  /// The text without the backquotes that mark what is typed literally.
  var plain: String { String(self.filter { $0 != "`" }) }

  /// A summary or a row's help as a sentence.
  var sentence: String {
    guard let first else { return "" }
    let start = first.isASCII && first.isLowercase ? first.uppercased() : String(first)
    return start + self.dropFirst() + "."
  }

  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }
}
