internal import CacheModel

/// Who was evicted lately, to tell which evictions were regretted: entries stored again soon after.
///
/// At most as many as the bounded log holds, 12 bytes each.
struct EvictionHistory: Sendable {
  /// How soon after its eviction a store counts as regret.
  static let window = Duration.seconds(7 * 86_400)

  /// Open addressing: the first word of a name, 0 for an empty place.
  private var names: [UInt64] = []
  private var evicted: [Int64] = []
  /// Nothing that was stored before the first eviction is a regret.
  private var first = Int64.max

  /// No history.
  init() {}

  /// Reads the logs of `store`; what is not there or cannot be read is no history.
  init(of store: Store) {
    var found: [(name: UInt64, at: Int64)] = []
    for path in [EvictionLog.oldPath, EvictionLog.path] {
      guard let file = try? store.manifest(path), let status = try? file.status(),
        status.size <= 2 * EvictionLog.longest
      else { continue }
      _ = try? LineReader().forEachLine(of: file) { line in
        guard let entry = Self.read(line.bytes) else { return }
        found.append(entry)
      }
    }
    if found.isEmpty { return }
    first = found.reduce(Int64.max) { min($0, $1.at) }
    let size = 1 << (Int.bitWidth - (found.count * 2).leadingZeroBitCount)
    names = [UInt64](repeating: 0, count: size)
    evicted = [Int64](repeating: 0, count: size)
    for entry in found {
      let place = place(of: entry.name)
      names[place] = entry.name
      evicted[place] = entry.at
    }
  }

  private static func read(_ line: UnsafeRawBufferPointer) -> (name: UInt64, at: Int64)? {
    var cursor = LineCursor(line)
    guard cursor.skip("{\"name\":\""), let name = cursor.name(), cursor.skip("\",\"evicted\":"),
      let at = cursor.decimal()
    else { return nil }
    return (name.words.0 | 1, at)
  }

  @inline(__always)
  private func place(of name: UInt64) -> Int {
    let mask = names.count - 1
    var place = Int(truncatingIfNeeded: name >> 1) & mask
    while names[place] != 0, names[place] != name { place = (place + 1) & mask }
    return place
  }

  /// Whether the entry was stored within the window after its eviction.
  @inline(__always)
  func isRegretted(_ record: CostRecord) -> Bool {
    if record.stored.milliseconds < first { return false }
    let place = place(of: record.name.words.0 | 1)
    guard names[place] != 0 else { return false }
    let delay = record.stored.milliseconds &- evicted[place]
    return delay >= 0 && delay <= Self.window.wholeMilliseconds
  }
}
