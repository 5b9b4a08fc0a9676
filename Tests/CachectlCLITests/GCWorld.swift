import CacheModel
import CacheStore
import Foundation
import SeededRandom
import TestSupport

/// A cache on a real disk that programs use and people disturb at random, from one seed.
struct GCWorld {
  let cache: TestCache
  private let store: Store
  private let keys: [CacheKey]
  var random: SeededNumbers
  /// Times are whole thousands of seconds before this, so that a limit between two of them is clear.
  let base = Int64(Date().timeIntervalSince1970) * 1000

  /// The present, to the millisecond, as the reference takes it.
  var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

  /// Names in four shards: enough for several entries in each.
  init(seed: UInt64) throws {
    cache = try TestCache()
    store = try Store(at: cache.root)
    random = SeededNumbers(seed: seed)
    let shards: Set<UInt8> = [0x00, 0x3f, 0x82, 0xff]
    keys = try (0..<6000).map { try CacheKey("https://img.example/\($0).jpg") }
      .filter { shards.contains($0.name.shard.number) }
  }

  mutating func pick<T>(_ items: [T]) -> T {
    items[Int.random(in: 0..<items.count, using: &random)]
  }

  private mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
    .random(in: range, using: &random)
  }

  /// Few distinct times, so that names decide often.
  private mutating func time() -> Int64 { base - number(0...40) * 1_000_000 }

  private func object(_ name: String) -> String {
    "\(cache.root)/objects/\(name.prefix(2))/\(name)"
  }

  private mutating func existing() throws -> String? {
    let shard = pick(["00", "3f", "82", "ff"])
    let all = try names("\(cache.root)/objects/\(shard)")
    return all.isEmpty ? nil : "\(cache.root)/objects/\(shard)/\(pick(all))"
  }

  private func setModified(_ path: String, _ milliseconds: Int64) {
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest) * 1_000_000)
    utimensat(AT_FDCWD, path, [time, time], AT_SYMLINK_NOFOLLOW)
  }

  /// One thing that happens to a cache, by its rules or against them.
  mutating func step() throws {
    let kind = Int.random(in: 0..<16, using: &random)
    // cachectl-layout(5): a foreign change within one tick of the kernel's clock is not seen.
    if 10...14 ~= kind { usleep(11_000) }
    switch kind {
    case 0..<7: try put()
    case 7: _ = try store.remove(pick(keys).name, now: .now)
    case 8: if let path = try existing() { setModified(path, time()) }
    case 9: if let path = try existing() { setModified(path, base + number(1...9) * 1_000_000_000) }
    case 10: if let path = try existing() { unlink(path) }
    case 11: try addStray()
    case 12: if let path = try existing() { rename(path, object(strayName())) }
    case 13: try replace()
    case 14: try appendRecord()
    default: _ = try store.compact(pick([Shard(0), Shard(0x3f), Shard(0x82), Shard(0xff)]))
    }
  }

  /// A store whose recorded use is right, too early, absent, or in the future.
  private mutating func put() throws {
    var request = StoreRequest(key: pick(keys))
    let used = time()
    request.lastUse = Instant(
      milliseconds: pick([used, used, base - 90_000_000, -5, base + 1_000_000_000]))
    request.cost = Bool.random(using: &random) ? number(0...5000) : nil
    try store.put(body(), request, now: .now)
    let path = object("\(request.key.name)")
    if Int.random(in: 0..<3, using: &random) > 0 { setModified(path, used) }
  }

  private mutating func body() -> [UInt8] { [UInt8](repeating: 7, count: Int(number(0...20_000))) }

  private mutating func strayName() -> String {
    pick(["00", "3f", "82", "ff"]) + (0..<31).map { _ in pick(["ab", "0c", "77"]) }.joined()
  }

  private mutating func addStray() throws {
    let path = object(strayName())
    try write(body(), to: path)
    setModified(path, time())
  }

  /// Another file takes an object's name.
  private mutating func replace() throws {
    guard let path = try existing() else { return }
    let other = cache.directory.appending("other")
    try write(body(), to: other)
    setModified(other, time())
    rename(other, path)
  }

  /// A simple program's record, without hash and sum.
  private mutating func appendRecord() throws {
    guard let path = try existing() else { return }
    let name = (path as NSString).lastPathComponent
    let line = "{\"name\":\"\(name)\",\"bytes\":\(try FileFacts(path).size),\"used\":\(time())}\n"
    try append(line, to: "\(cache.root)/manifests/\(name.prefix(2))/cost.jsonl")
  }

  mutating func budget(of entries: [DiskEntry]) -> TypedBudget {
    var budget = TypedBudget()
    let bytes = entries.reduce(0) { $0 + $1.bytes }
    repeat {
      func some(_ value: Int64, _ random: inout SeededNumbers) -> Int64? {
        Int.random(in: 0..<3, using: &random) == 0 ? value : nil
      }
      budget.maxCount = some(number(0...Int64(entries.count + 3)), &random)
      budget.maxSize = some(number(0...(bytes + 1000)), &random)
      budget.maxCost = some(number(0...(entries.reduce(0) { $0 + $1.cost } + 1000)), &random)
      budget.maxAge = some(number(0...40) * 1000 + 500, &random)
      budget.grace = some(number(0...40) * 1000 + 500, &random) ?? 0
      budget.target = some(number(1...100), &random) ?? 100
      budget.measuresDisk = Int.random(in: 0..<4, using: &random) == 0
    } while !budget.hasLimit
    return budget
  }
}
