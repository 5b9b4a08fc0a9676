public import CacheModel

/// How to import a tree of files.
public struct ImportOrders: Sendable {
  /// What stands before a file's path in its key.
  public var baseURL: String
  /// The present.
  public var now: Instant
  /// Asked between files: whether to stop with what is done.
  public var shouldStop: @Sendable () -> Bool
  /// Told how many files were dealt with since the last time, and their bytes.
  public var progress: @Sendable (Int64, Int64) -> Void

  /// Orders for keys below `baseURL`.
  public init(
    baseURL: String, now: Instant, shouldStop: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
  ) {
    self.baseURL = baseURL
    self.now = now
    self.shouldStop = shouldStop
    self.progress = progress
  }

  /// The key of a file: the base, a slash unless it ends in one or asks a question, and the path with
  /// everything percent-encoded that a URL's path cannot hold (RFC 3986, section 3.3).
  public func key(of path: some Sequence<UInt8>) throws(CacheKey.Invalid) -> CacheKey {
    var text = Array(baseURL.utf8)
    if text.last != UInt8(ascii: "/"), !text.contains(UInt8(ascii: "?")) {
      text.append(UInt8(ascii: "/"))
    }
    for byte in path {
      if Self.isPlain(byte) {
        text.append(byte)
      } else {
        text.append(UInt8(ascii: "%"))
        text += [Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
      }
    }
    return try CacheKey(String(decoding: text, as: UTF8.self))
  }

  private static let digits = Array("0123456789ABCDEF".utf8)
  private static let signs = Set("-._~!$&'()*+,;=:@/".utf8)

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: signs.contains(byte)
    }
  }
}

/// What came of an import.
public struct ImportOutcome: Sendable, Equatable {
  /// Files that were stored.
  public var stored: Int64 = 0
  /// Their bytes.
  public var storedBytes: Int64 = 0
  /// Files whose content the cache held already, under the same key.
  public var unchanged: Int64 = 0
  /// Their bytes.
  public var unchangedBytes: Int64 = 0
  /// Files that are no image of a known kind, stored without a type.
  public var untyped: Int64 = 0
  /// Symbolic links, which are not followed.
  public var links: Int64 = 0
  /// Sockets, devices and the like, and the cache itself.
  public var others: Int64 = 0
  /// What would not go: path and reason, up to a thousand of them.
  public var failures: [String] = []
  /// How many would not go.
  public var failureCount: Int64 = 0
  /// Whether the run was stopped before its end.
  public var wasStopped = false

  /// Nothing yet.
  public init() {}

  mutating func fail(_ path: [UInt8], _ reason: String) {
    fail("\(path.withUnsafeBytes(printable)): \(reason)")
  }

  /// Counts something that would not go, and keeps the reason unless there are too many.
  public mutating func fail(_ reason: String) {
    failureCount += 1
    if failures.count < Census.mostProblems { failures.append(reason) }
  }

  /// Takes in what another part of the run did.
  public mutating func merge(_ other: ImportOutcome) {
    stored += other.stored
    storedBytes += other.storedBytes
    unchanged += other.unchanged
    unchangedBytes += other.unchangedBytes
    untyped += other.untyped
    links += other.links
    others += other.others
    failureCount += other.failureCount
    failures += other.failures.prefix(max(0, Census.mostProblems - failures.count))
    wasStopped = wasStopped || other.wasStopped
  }
}
