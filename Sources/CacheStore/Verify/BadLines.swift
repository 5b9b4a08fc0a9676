internal import CacheModel
internal import Glibc

/// Finds the lines of a shard's manifests that are no records.
enum BadLines {
  /// More findings than this in one manifest are counted and not listed.
  private static let most = 10_000

  static func find(
    in shard: Shard, of store: Store, _ lines: LineReader, _ json: JSONReader
  ) -> SliceResult {
    // With the lock, the last line is not just being written.
    let lock = SharedLock(shard, of: store)
    var result = SliceResult()
    check(Layout.cost(shard), of: store, lines, lock, &result) { line in
      CostLine.read(line, with: json) == .damaged ? cause(line) : nil
    }
    check(Layout.origin(shard), of: store, lines, lock, &result) { line in
      OriginCheck.isRecord(line, json) ? nil : OriginCheck.cause(line, json) ?? cause(line)
    }
    return result
  }

  private static func check(
    _ path: String, of store: Store, _ lines: LineReader, _ lock: borrowing SharedLock,
    _ result: inout SliceResult, _ trouble: (LineReader.Line) -> Cause?
  ) {
    // A manifest that cannot be read has been reported as such.
    guard let file = try? store.root.open(path, O_RDONLY | O_NONBLOCK) else { return }
    let isLocked = lock.isHeld
    _ = try? lines.forEachLine(of: file) { line in
      guard let cause = trouble(line), isLocked || !line.isTorn else { return }
      if cause == .torn { result.tally.tornLines += 1 }
      guard result.findings.count < most else {
        result.tally[.damagedLine] += 1
        return
      }
      result.note(
        Finding(.damagedLine, path: "\(path):\(line.number)", detail: cause.rawValue))
    }
  }

  /// Why a line does not count.
  enum Cause: String {
    case torn = "torn: the write did not finish"
    case tooLong = "longer than a line may be"
    case wrongSum = "its sum is not that of its bytes"
    case wrongKey = "its key is not the name's"
    case noRecord = "not a record"
  }

  private static func cause(_ line: LineReader.Line) -> Cause {
    if line.isTooLong { return .tooLong }
    if LineSum.verdict(on: line.bytes) == .wrong { return .wrongSum }
    let begins = line.bytes.first == UInt8(ascii: "{")
    return begins && line.bytes.last != UInt8(ascii: "}") ? .torn : .noRecord
  }
}
