public import CacheModel

/// Dates as HTTP writes them (RFC 9110, 5.6.7).
///
/// All three forms are read, without regard to case (RFC 9111, 4.2); a zone other than GMT, a day
/// that no calendar has or anything else out of form is no date. The name of the day is not compared
/// with the day: it says nothing that the rest does not.
public enum HTTPDate {
  /// The instant a date names; nil where it is none.
  ///
  /// `now` settles the century of two-digit years.
  public static func instant(_ text: String, now: Instant) -> Instant? {
    var copy = text
    return copy.withUTF8 { utf8 in
      let bytes = HTTPText.trimmed(utf8)
      return fixed(DateReader(bytes)) ?? obsolete(DateReader(bytes), now)
        ?? asctime(DateReader(bytes))
    }
  }

  /// The one form that may be written: `Sun, 06 Nov 1994 08:49:37 GMT`.
  ///
  /// Years stop at 0 and 9999.
  public static func text(_ instant: Instant) -> String {
    let seconds = min(max(instant.milliseconds / 1000, -62_167_219_200), 253_402_300_799)
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let inDay = seconds - days * 86_400
    let date = CivilDate(daysSince1970: days)
    let weekday = DateReader.days[Int((days % 7 + 11) % 7)]
    return weekday + ", " + pad(date.day, 2) + " " + DateReader.months[Int(date.month) - 1] + " "
      + pad(date.year, 4) + " " + pad(inDay / 3600, 2) + ":" + pad(inDay / 60 % 60, 2) + ":"
      + pad(inDay % 60, 2) + " GMT"
  }

  // Sun, 06 Nov 1994 08:49:37 GMT
  private static func fixed(_ start: DateReader) -> Instant? {
    var reader = start
    guard reader.name(DateReader.days) != nil, reader.skip(", "),
      let day = reader.number(2), reader.skip(" "),
      let month = reader.name(DateReader.months), reader.skip(" "),
      let year = reader.number(4), reader.skip(" "),
      let time = reader.time(), reader.skip(" gmt"), reader.isAtEnd
    else { return nil }
    return instant(year, Int64(month) + 1, day, time)
  }

  // Sunday, 06-Nov-94 08:49:37 GMT
  private static func obsolete(_ start: DateReader, _ now: Instant) -> Instant? {
    var reader = start
    guard reader.name(DateReader.longDays) != nil, reader.skip(", "),
      let day = reader.number(2), reader.skip("-"),
      let month = reader.name(DateReader.months), reader.skip("-"),
      let year = reader.number(2), reader.skip(" "),
      let time = reader.time(), reader.skip(" gmt"), reader.isAtEnd
    else { return nil }
    let days = now.milliseconds / 86_400_000
    let century = CivilDate(daysSince1970: days).year / 100 * 100
    // A year that seems to lie more than fifty years ahead is the last one with those digits.
    let candidates = [century + 100 + year, century + year, century - 100 + year]
    let limit = now.after(by: .seconds(1_577_880_000))
    for candidate in candidates {
      guard let found = instant(candidate, Int64(month) + 1, day, time) else { continue }
      if found <= limit { return found }
    }
    return nil
  }

  // Sun Nov  6 08:49:37 1994
  private static func asctime(_ start: DateReader) -> Instant? {
    var reader = start
    guard reader.name(DateReader.days) != nil, reader.skip(" "),
      let month = reader.name(DateReader.months), reader.skip(" ")
    else { return nil }
    let isPadded = reader.skip(" ")
    guard let day = reader.number(isPadded ? 1 : 2), reader.skip(" "),
      let time = reader.time(), reader.skip(" "),
      let year = reader.number(4), reader.isAtEnd
    else { return nil }
    return instant(year, Int64(month) + 1, day, time)
  }

  private static func instant(
    _ year: Int64, _ month: Int64, _ day: Int64, _ secondOfDay: Int64
  ) -> Instant? {
    let days = CivilDate(year: year, month: month, day: day).daysSince1970
    // The 31st of a month without one comes out as another day.
    let isDay = day >= 1 && CivilDate(daysSince1970: days).day == day
    return isDay ? Instant(milliseconds: (days * 86_400 + secondOfDay) * 1000) : nil
  }

  private static func pad(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// Reads the pieces of a date from the front.
private struct DateReader {
  static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  static let longDays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private var rest: Slice<UnsafeBufferPointer<UInt8>>

  init(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skip(_ text: String) -> Bool {
    guard rest.count >= text.utf8.count,
      zip(rest, text.utf8).allSatisfy({ HTTPText.lower($0) == HTTPText.lower($1) })
    else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  mutating func name(_ names: [String]) -> Int? {
    for (index, name) in names.enumerated() where skip(name) { return index }
    return nil
  }

  mutating func number(_ digits: Int) -> Int64? {
    guard rest.count >= digits, let number = HTTPText.number(rest.prefix(digits)) else {
      return nil
    }
    rest = rest.dropFirst(digits)
    return number
  }

  /// `08:49:37` as seconds of the day; a leap second counts as the one after it.
  mutating func time() -> Int64? {
    guard let hour = number(2), skip(":"), let minute = number(2), skip(":"),
      let second = number(2), hour < 24, minute < 60, second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }
}
