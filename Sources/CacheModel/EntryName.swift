/// The name of an entry: the SHA-256 of its key, written as 64 lower-case hex digits.
///
/// Only this type becomes a path below the cache's root, and it can spell nothing but hex digits.
public struct EntryName: Sendable, Hashable {
  /// The digest as four big-endian words, so that comparing words compares names.
  public let words: (UInt64, UInt64, UInt64, UInt64)

  /// Wraps a digest of 256 bits.
  public init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

  /// Reads 64 lower-case hex digits; nil for anything else.
  public init?(_ text: some StringProtocol) {
    var copy = String(text)
    let parsed = copy.withUTF8 { EntryName(hexDigits: UnsafeRawBufferPointer($0)) }
    guard let parsed else { return nil }
    self = parsed
  }

  /// Reads 64 lower-case hex digits from raw bytes, which need not be UTF-8; nil for anything else.
  public init?(hexDigits bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 64 else { return nil }
    guard let a = Hex.word(bytes, at: 0), let b = Hex.word(bytes, at: 16),
      let c = Hex.word(bytes, at: 32), let d = Hex.word(bytes, at: 48)
    else { return nil }
    words = (a, b, c, d)
  }

  /// The shard that holds the entry: the first two hex digits.
  public var shard: Shard { Shard(UInt8(truncatingIfNeeded: words.0 >> 56)) }

  /// Equal digests are equal names.
  public static func == (a: EntryName, b: EntryName) -> Bool { a.words == b.words }

  /// Feeds the first word alone: it is a cryptographic digest's, evenly spread already.
  public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

extension EntryName: Comparable {
  /// Orders as the hex digits do.
  @inlinable
  public static func < (a: EntryName, b: EntryName) -> Bool { a.words < b.words }
}

extension EntryName: CustomStringConvertible {
  /// How many hex digits a name has.
  public static let digitCount = 64

  /// Writes the hex digits to the start of `buffer`, which must hold them.
  public func write(to buffer: UnsafeMutableRawBufferPointer) {
    for (index, word) in [words.0, words.1, words.2, words.3].enumerated() {
      Hex.write(word, to: UnsafeMutableRawBufferPointer(rebasing: buffer[(16 * index)...]))
    }
  }

  /// The 64 hex digits.
  public var description: String {
    String(unsafeUninitializedCapacity: Self.digitCount) { buffer in
      write(to: UnsafeMutableRawBufferPointer(buffer))
      return Self.digitCount
    }
  }
}

/// One of the 256 directories that entries are spread over.
public struct Shard: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The number, 0 to 255.
  public let number: UInt8

  /// Every shard, in order.
  public static let all: [Shard] = (0...255).map { Shard(UInt8($0)) }

  /// Wraps a number.
  public init(_ number: UInt8) { self.number = number }

  /// Orders by number, which is the order of the names.
  public static func < (a: Shard, b: Shard) -> Bool { a.number < b.number }

  /// The directory's name: two hex digits.
  public var description: String { String(Hex.text(UInt64(number)).suffix(2)) }
}
