internal import CacheModel
internal import Glibc

/// When each part of the cache was last verified: `state/verified`, 256 lines of the shard's two
/// digits and 16 times in milliseconds since 1970, 0 for never.
///
/// A line is rewritten in its place when its shard has been checked, so that a run that is killed
/// loses only what it was checking. Safe to delete: everything then counts as never verified.
struct VerifiedTimes: Sendable, Equatable {
  /// Digits of a time; enough until the year 2286.
  private static let digits = 13
  private static let lineSize = 2 + UnitMask.count * (1 + digits) + 1
  static let path = "state/verified"

  private var times = [Int64](repeating: 0, count: 256 * UnitMask.count)

  subscript(shard: Shard, unit: Int) -> Int64 {
    get { times[Int(shard.number) * UnitMask.count + unit] }
    set { times[Int(shard.number) * UnitMask.count + unit] = newValue }
  }

  init() {}

  /// Reads the file; what is missing or cannot be read counts as never verified.
  init(of store: Store) {
    guard let file = try? store.root.open(Self.path, O_RDONLY | O_NONBLOCK) else { return }
    var bytes = [UInt8](repeating: 0, count: 256 * Self.lineSize)
    let got = try? bytes.withMutableBytes { (buffer) throws(Errno) in
      try file.readFully(into: buffer, at: 0)
    }
    for shard in Shard.all where (Int(shard.number) + 1) * Self.lineSize <= got ?? 0 {
      read(bytes[(Int(shard.number) * Self.lineSize)...].prefix(Self.lineSize), of: shard)
    }
  }

  private mutating func read(_ line: ArraySlice<UInt8>, of shard: Shard) {
    let words = String(decoding: line.dropLast(), as: UTF8.self).split(separator: " ")
    guard line.last == 0x0a, words.count == UnitMask.count + 1, words[0] == "\(shard)" else {
      return
    }
    for unit in 0..<UnitMask.count { self[shard, unit] = max(0, Int64(words[unit + 1]) ?? 0) }
  }

  private func line(of shard: Shard) -> [UInt8] {
    var text = "\(shard)"
    for unit in 0..<UnitMask.count {
      let digits = String(min(self[shard, unit], 9_999_999_999_999))
      text += " " + String(repeating: "0", count: Self.digits - digits.utf8.count) + digits
    }
    return Array((text + "\n").utf8)
  }

  /// Writes the shard's line.
  func write(_ shard: Shard, to file: borrowing OpenFile) throws(Errno) {
    try line(of: shard).withBytes { (bytes) throws(Errno) in
      try file.write(bytes, at: Int64(shard.number) * Int64(Self.lineSize))
    }
  }

  /// Writes every line, where the file is new.
  func writeAll(to file: borrowing OpenFile) throws(Errno) {
    let lines = Shard.all.flatMap { line(of: $0) }
    try lines.withBytes { (bytes) throws(Errno) in try file.write(bytes, at: 0) }
  }

  /// When the part that was not verified for the longest time was.
  var oldest: Int64 { times.min() ?? 0 }
}
