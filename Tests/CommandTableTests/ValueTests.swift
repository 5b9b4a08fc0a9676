import Testing

@testable import CommandTable

@Suite("values") struct ValueTests {
  private func read<T>(_ value: Value<T>, _ text: String) -> Result<T, ValueError> {
    Result { () throws(ValueError) in try value.parse(Array(text.utf8)) }
  }

  @Test(
    "a duration is a whole number and a unit",
    arguments: [
      ("90s", 90), ("15m", 900), ("12h", 43_200), ("7d", 604_800), ("4w", 2_419_200), ("0", 0),
      ("0s", 0), ("9223372036854775s", 9_223_372_036_854_775),
    ])
  func duration(text: String, seconds: Int) throws {
    #expect(try read(.duration(), text).get() == .seconds(seconds))
  }

  @Test(
    "what is no duration, or too long to count in milliseconds, is refused",
    arguments: [
      "", "s", "90", "1.5h", "-1s", "1h30m", "5 m", "5y", "+5s", "٣s", "9223372036854776s",
      "99999999999999999999w", "9223372036854775807w",
    ])
  func noDuration(text: String) {
    #expect(throws: ValueError.self) { try read(.duration(), text).get() }
  }

  @Test(
    "a percentage has up to four places",
    arguments: [
      ("10%", 100_000), ("10", 100_000), ("0.5%", 5_000), ("100%", 1_000_000),
      ("0.0001", 1), ("100.0", 1_000_000), ("0", 0),
    ])
  func percent(text: String, millionths: Int64) throws {
    #expect(try read(.percent(), text).get().partsPerMillion == millionths)
  }

  @Test(
    "what is no percentage is refused",
    arguments: ["", "%", "101%", "100.0001", "-1%", "0.00001", "1.", ".5", "1.2.3", "5%%", "1e1"])
  func noPercent(text: String) {
    #expect(throws: ValueError.self) { try read(.percent(), text).get() }
  }

  @Test("a share of the largest number does not overflow")
  func share() {
    #expect(Percent(partsPerMillion: 1_000_000).of(.max) == .max)
    #expect(Percent(partsPerMillion: 500_000).of(9) == 4)
  }

  @Test(
    "a whole number is ASCII digits that fit",
    arguments: ["", "+1", "-1", " 1", "1 ", "1.0", "0x1", "1e3", "٣", "9223372036854775808"])
  func noNumber(text: String) {
    #expect(throws: ValueError.self) { try read(Value<Int64>.number("N"), text).get() }
  }

  @Test("the largest number and leading zeros are numbers")
  func number() throws {
    #expect(try read(Value<Int64>.number("N"), "9223372036854775807").get() == .max)
    #expect(try read(Value<Int64>.number("N"), "007").get() == 7)
  }

  @Test("a parser's own error is the reason")
  func ownError() {
    struct Odd: Error, CustomStringConvertible { let description = "odd" }
    let value = Value("EVEN") { (text: String) throws(Odd) in
      guard text.utf8.count.isMultiple(of: 2) else { throw Odd() }
      return text
    }
    #expect(read(value, "abc") == .failure(ValueError("odd")))
    #expect(read(value, "ab") == .success("ab"))
  }

  @Test("an empty path, or one with a NUL, is refused")
  func path() {
    #expect(throws: ValueError.self) { try read(.path("FILE"), "").get() }
    #expect(throws: ValueError.self) { try read(.path("FILE"), "a\0b").get() }
  }

  @Test(
    "the nearest word is what was meant, and a far one is not",
    arguments: [
      ("verfy", "verify"), ("gv", "gc"), ("veri", "verify"), ("trm", "trim"), ("xyz", nil),
      ("", nil), ("revalidat", "revalidate"), ("cg", "gc"),
    ])
  func near(word: String, expected: String?) {
    let names = ["gc", "get", "rm", "trim", "verify", "revalidate"]
    #expect(nearest(to: word, among: names) == expected)
  }
}
