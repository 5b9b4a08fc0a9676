internal import CacheModel
internal import CacheStore
internal import CommandTable

/// `NAME=LIMIT`: a figure and what it may be at most, or, of free room, must be at least.
struct StatCheck: Sendable {
  let figure: Figure
  let limit: Int64

  /// A figure that can be checked.
  struct Figure: Sendable {
    let name: String
    let isMinimum: Bool
    let help: String
    let parse: @Sendable (String) throws(ValueError) -> Int64
    let value: @Sendable (StatReport) -> Int64
  }

  /// A check's outcome.
  struct Result {
    let name: String
    let limit: Int64
    let value: Int64
    let isMet: Bool
  }

  func result(_ report: StatReport) -> Result {
    let value = figure.value(report)
    return Result(
      name: figure.name, limit: limit, value: value,
      isMet: figure.isMinimum ? value >= limit : value <= limit)
  }

  /// Reads `NAME=LIMIT`.
  static let value = Value<StatCheck>("NAME=LIMIT") { (text: String) throws(ValueError) in
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let figure = figures.first(where: { $0.name == parts[0] }) else {
      let names = figures.map(\.name).joined(separator: ", ")
      throw ValueError("not NAME=LIMIT with one of the names \(names)")
    }
    return StatCheck(figure: figure, limit: try figure.parse(String(parts[1])))
  }

  /// Every figure, in the order of the manual.
  static let figures: [Figure] = [
    most("entries", "entries in the cache", count) { $0.figures.census.usage.entries },
    most("bytes", "the lengths of all objects", size) {
      Int64(clamping: $0.figures.census.usage.bytes)
    },
    most("disk-bytes", "the bytes that they allocate", size) {
      Int64(clamping: $0.figures.census.usage.allocated)
    },
    most("cost", "the sum of costs", count) { Int64(clamping: $0.figures.census.usage.cost) },
    most("oldest", "a duration: the time since the oldest last use", seconds, \.oldestAge),
    most("budget", "a percentage: the most used limit of the cache's policy", count) {
      $0.budget.map(\.percent).max() ?? 0
    },
    most("strays", "objects without a record", count) { $0.figures.census.strays },
    most("missing", "records without an object", count) { $0.figures.census.missing },
    most("foreign", "things in the cache that are no entries", count) { $0.figures.census.foreign },
    most("damaged-lines", "manifest lines that could not be read", count) {
      $0.figures.census.damagedLines
    },
    most("leftovers", "files of dead writers", count) { $0.leftovers.count },
    Figure(
      name: "free-bytes", isMinimum: true, help: "at least so much free on the file system",
      parse: size, value: { $0.room.freeBytes }),
    Figure(
      name: "free-inodes", isMinimum: true, help: "at least so many inodes free on it",
      parse: count, value: { $0.room.freeInodes }),
  ]

  private static func most(
    _ name: String, _ help: String,
    _ parse: @escaping @Sendable (String) throws(ValueError) -> Int64,
    _ value: @escaping @Sendable (StatReport) -> Int64
  ) -> Figure {
    Figure(name: name, isMinimum: false, help: help, parse: parse, value: value)
  }

  private static let count: @Sendable (String) throws(ValueError) -> Int64 = {
    (text) throws(ValueError) in
    let digits = text.hasSuffix("%") ? String(text.dropLast()) : text
    return try Value<Int64>.number("N").parse(Array(digits.utf8))
  }

  private static let size: @Sendable (String) throws(ValueError) -> Int64 = {
    (text) throws(ValueError) in try Value<ByteCount>.size().parse(Array(text.utf8)).bytes
  }

  private static let seconds: @Sendable (String) throws(ValueError) -> Int64 = {
    (text) throws(ValueError) in
    try Value<Duration>.duration().parse(Array(text.utf8)).wholeMilliseconds / 1000
  }
}
