internal import CacheModel
internal import CommandTable

extension Value where T == ByteCount {
  /// A size: `200`, `1.5GB` (10^9), `512MiB` (2^20).
  static func size(_ placeholder: String = "SIZE") -> Value {
    Value(placeholder) { (text: String) throws(ValueError) in try parsedSize(text) }
  }

  /// A whole number of megabytes.
  static func megabytes() -> Value {
    Value("N") { (text: String) throws(ValueError) in
      guard let number = wholeNumber(text) else {
        throw ValueError("not a whole number of megabytes")
      }
      guard let size = ByteCount.product(number, 1_000_000) else {
        throw ValueError("more bytes than 64 bits can hold")
      }
      return size
    }
  }
}

extension Value where T == Budget.Share {
  /// A size or a share: `5GB`, `10%`.
  static func sizeOrShare() -> Value {
    Value("SIZE|PCT%") { (text: String) throws(ValueError) in
      if let share = try share(text) { return share }
      return .amount(try parsedSize(text).bytes)
    }
  }

  /// A number or a share: `10000`, `10%`.
  static func countOrShare() -> Value {
    Value("N|PCT%") { (text: String) throws(ValueError) in
      if let share = try share(text) { return share }
      guard let number = wholeNumber(text) else { throw ValueError("not a whole number") }
      return .amount(number)
    }
  }

  private static func share(_ text: String) throws(ValueError) -> Budget.Share? {
    guard text.utf8.last == UInt8(ascii: "%") else { return nil }
    guard let number = wholeNumber(text.dropLast()), number <= 100 else {
      throw ValueError("not a share from 0% to 100%")
    }
    return .percent(Int(number))
  }
}

extension Value where T == Int {
  /// A whole share from 1 to 100: `80` or `80%`.
  static func wholePercent() -> Value {
    Value("PCT") { (text: String) throws(ValueError) in
      let digits = text.utf8.last == UInt8(ascii: "%") ? text.dropLast() : text[...]
      guard let number = wholeNumber(digits), (1...100).contains(number) else {
        throw ValueError("not a whole percentage from 1 to 100")
      }
      return Int(number)
    }
  }
}

/// Digits alone, that fit 63 bits: no sign, no space, no point.
private func wholeNumber(_ text: some StringProtocol) -> Int64? {
  guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
  return Int64(text)
}

private let units: [(name: String, bytes: Int64)] = [
  ("", 1), ("B", 1), ("kB", 1000), ("KB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000),
  ("TB", 1_000_000_000_000), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30),
  ("TiB", 1 << 40),
]

func parsedSize(_ text: String) throws(ValueError) -> ByteCount {
  let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
  let name = text[number.endIndex...]
  guard let unit = units.first(where: { $0.name == name }), !number.isEmpty else {
    throw ValueError("not a size: bytes, or a number with kB, MB, GB, TB, KiB, MiB, GiB or TiB")
  }
  let parts = number.split(separator: ".", omittingEmptySubsequences: false)
  guard parts.count <= 2, let whole = wholeNumber(parts[0]), let tail = fraction(parts, unit.bytes)
  else { throw ValueError("not a number before its unit") }
  guard let size = ByteCount.product(whole, unit.bytes), size.bytes <= .max - tail else {
    throw ValueError("more bytes than 64 bits can hold")
  }
  return size + ByteCount(tail)
}

/// The bytes behind the point, rounded down: up to nine digits, so that nothing overflows; 0 for
/// none and nil for what is no fraction.
///
/// A number of bytes has no fraction.
private func fraction(_ parts: [Substring], _ unit: Int64) -> Int64? {
  guard parts.count == 2 else { return 0 }
  guard unit > 1, parts[1].count <= 9, let digits = wholeNumber(parts[1]) else { return nil }
  let scale = parts[1].reduce(Int128(1)) { scale, _ in scale * 10 }
  return Int64(Int128(digits) * Int128(unit) / scale)
}
