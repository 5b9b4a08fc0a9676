/// A day of the proleptic Gregorian calendar.
public struct CivilDate: Sendable, Hashable {
  /// The year, 1 BC being 0.
  public let year: Int64
  /// The month, 1 to 12.
  public let month: Int64
  /// The day of the month, 1 to 31.
  public let day: Int64

  /// Wraps a date whose parts are in range.
  public init(year: Int64, month: Int64, day: Int64) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The date that lies `days` after 1970-01-01.
  ///
  /// Counting the year from March puts the leap day last, so that month lengths follow one line,
  /// (153 m + 2) / 5 (Richards, "Calendars", Explanatory Supplement to the Astronomical Almanac).
  public init(daysSince1970 days: Int64) {
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days from 1970-01-01 to this date; negative before it.
  public var daysSince1970: Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = shifted.flooredDivision(by: 400)
    let marchMonth = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
