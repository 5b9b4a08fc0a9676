internal import CacheModel
internal import CacheStore

extension VerifyReport {
  /// The report for people, without the findings, which stand before it.
  var text: [String] {
    let amount = "\(tally.entries) entries, \(ByteCount(max(0, tally.bytes)))"
    var text = ["checked \(amount): \(outcome)"]
    if tally.unhashed > 0 {
      text.append("\(tally.unhashed) records hold no hash: lengths alone were compared")
    }
    if tally.changing > 0 {
      text.append("\(tally.changing) entries changed whenever they were looked at")
    }
    if let signal { text.append("stopped by signal \(signal)") }
    if !isComplete { text.append("incomplete: not everything could be checked") }
    return text
  }

  private var outcome: String {
    let counts = Finding.Kind.allCases.filter { tally[$0] > 0 }.map { "\(tally[$0]) \($0.words)" }
    if !counts.isEmpty { return counts.joined(separator: ", ") }
    return isComplete ? "no errors found" : "nothing wrong in what was checked"
  }
}

extension Finding.Kind {
  /// The kind in words that follow a number.
  var words: String {
    switch self {
    case .damagedLine: "damaged manifest lines"
    case .leftover: "leftovers"
    default: rawValue
    }
  }
}

extension Finding {
  /// The finding as a line.
  var text: String {
    let place = key.map { "\($0.escapedForLine) (\(path))" } ?? path
    return "\(kind == .damagedLine ? "damaged line" : kind.rawValue): \(place): \(detail)"
  }
}

extension String {
  /// The text on one line: a key may hold a newline and whatever else a stranger puts in a URL.
  fileprivate var escapedForLine: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value) {
        text += scalar == "\n" ? "\\n" : "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}
