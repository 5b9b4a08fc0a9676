/// A share of a whole, 0 to 100 %, exact to four places of a percent.
public struct Percent: Sendable, Hashable {
  /// The share in millionths: 1,000,000 is the whole.
  public let partsPerMillion: Int64

  /// Wraps a share; one outside 0 to 1,000,000 is our own mistake.
  public init(partsPerMillion: Int64) {
    precondition((0...1_000_000).contains(partsPerMillion), "a share is 0 to 100 %")
    self.partsPerMillion = partsPerMillion
  }

  /// The share of a number that is not negative, rounded down.
  public func of(_ whole: Int64) -> Int64 {
    let product = whole.multipliedFullWidth(by: partsPerMillion)
    return Int64(1_000_000).dividingFullWidth(product).quotient
  }
}

extension Value where T == Percent {
  /// A share: `10%`, `10` or `0.5%`.
  public static func percent(_ placeholder: String = "PCT") -> Value {
    Value(placeholder) { (text: String) throws(ValueError) in try share(text) }
  }
}

private func share(_ text: String) throws(ValueError) -> Percent {
  let noun = "percentage, such as 10%"
  let number = text.hasSuffix("%") ? text.dropLast() : text[...]
  let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
  let whole: Int64 = try wholeNumber(parts.first ?? "", noun)
  guard whole <= 100 else { throw ValueError("out of range: 0% to 100%") }
  var millionths = whole * 10_000
  if parts.count == 2 {
    guard parts[1].utf8.count <= 4 else { throw ValueError("at most four places after the point") }
    let padded = parts[1] + String(repeating: "0", count: 4 - parts[1].utf8.count)
    millionths += try parts[1].isEmpty ? wholeNumber("", noun) : wholeNumber(padded, noun)
  }
  guard millionths <= 1_000_000 else { throw ValueError("out of range: 0% to 100%") }
  return Percent(partsPerMillion: millionths)
}
