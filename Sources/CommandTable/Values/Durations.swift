extension Value where T == Duration {
  /// A whole number of seconds, minutes, hours, days or weeks: `90s`, `15m`, `12h`, `7d`, `4w`.
  ///
  /// A bare `0` needs no unit. The longest is 2^63 − 1 milliseconds.
  public static func duration(_ placeholder: String = "DUR") -> Value {
    Value(placeholder) { (text: String) throws(ValueError) in try seconds(text) }
  }
}

private let secondsPerUnit: [(unit: Character, seconds: Int64)] = [
  ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400), ("w", 604_800),
]

private func seconds(_ text: String) throws(ValueError) -> Duration {
  if text == "0" { return .zero }
  let noun = "duration, a whole number and s, m, h, d or w, such as 12h"
  guard let unit = secondsPerUnit.first(where: { $0.unit == text.last }) else {
    throw ValueError("not a \(noun)")
  }
  let number: Int64 = try wholeNumber(text.dropLast(), noun)
  let (seconds, overflow) = number.multipliedReportingOverflow(by: unit.seconds)
  // Milliseconds are what times are counted in further on, and must fit 63 bits as well.
  guard !overflow, seconds <= Int64.max / 1000 else { throw ValueError("too long") }
  return .seconds(seconds)
}
