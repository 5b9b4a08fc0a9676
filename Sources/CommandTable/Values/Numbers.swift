extension Value where T: FixedWidthInteger & Sendable {
  /// A whole number in a range, in ASCII digits and nothing else.
  ///
  /// `unit` completes the message: `not a whole number of megabytes`.
  public static func number(
    _ placeholder: String, in range: ClosedRange<T> = 0...T.max, of unit: String? = nil
  ) -> Value {
    let noun = "whole number" + (unit.map { " of " + $0 } ?? "")
    return Value(placeholder) { (text: String) throws(ValueError) in
      let number: T = try wholeNumber(text, noun)
      guard range.contains(number) else {
        let bounds =
          range.upperBound == T.max
          ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
        throw ValueError("out of range: \(bounds)")
      }
      return number
    }
  }
}

/// Reads digits; a sign, a space, a point, an exponent or nothing at all is refused.
func wholeNumber<T: FixedWidthInteger>(_ text: some StringProtocol, _ noun: String)
  throws(ValueError) -> T
{
  guard !text.isEmpty else { throw ValueError("empty, not a \(noun)") }
  if text.utf8.first == UInt8(ascii: "-"), isDigits(text.dropFirst()) {
    throw ValueError("negative; a \(noun) is 0 or more")
  }
  guard isDigits(text) else { throw ValueError("not a \(noun)") }
  guard let number = T(text, radix: 10) else { throw ValueError("too large: at most \(T.max)") }
  return number
}

private func isDigits(_ text: some StringProtocol) -> Bool {
  !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
}
