import CacheModel
import CacheStore
import Foundation
import TestSupport
import Testing

@Suite("The system calls of gc")
struct GCSystemCallTests {
  let cache: TestCache
  let count = 3000

  /// Entries whose recorded last uses are right, but for one in four that was used since.
  init() throws {
    cache = try TestCache()
    let store = try Store(at: cache.root)
    for number in 0..<count {
      var request = StoreRequest(key: try CacheKey("https://img.example/\(number).jpg"))
      let used = Instant(milliseconds: 1_700_000_000_000 + Int64(number * 7919 % count))
      request.lastUse = used
      try store.put([1, 2, 3], request, now: used)
      if number % 4 == 0 { store.touch(request.key, now: .now) }
    }
    // On a busy machine a store may have taken too long to vouch for what it saw.
    try cache.succeed("gc", "--max-count", "\(count)")
  }

  /// How often gc made the calls, by name; only those on the shards' objects count, and not the one
  /// look at each directory (a path of no length) that its witness needs.
  func calls(_ words: String...) throws -> [String: Int] {
    let log = cache.directory.appending("strace")
    let trace = ["-f", "-y", "-e", "trace=%file,%desc", "-o", log, Repository.cachectl]
    try Command("strace", trace + ["--root", cache.root, "gc"] + words).succeed()
    var calls: [String: Int] = [:]
    for line in try lines(log) where line.contains("/objects/") && !line.contains(", \"\", ") {
      let call = line.drop { $0.isNumber || $0 == " " }.prefix { $0 != "(" }
      calls[String(call), default: 0] += 1
    }
    return calls
  }

  @Test("deciding looks at little more than what goes, and lists no shard whose witness holds")
  func deciding() throws {
    let calls = try calls("-n", "--max-count", "\(count - 30)")
    // A quarter of the bounds are out of date: 30 victims need some 40 looks; one more is the oldest
    // that stays.
    let looks = calls["newfstatat", default: 0]
    #expect(looks >= 31 && looks <= 90, "\(calls)")
    #expect(calls["getdents64"] == nil, "\(calls)")
    #expect(calls["unlinkat"] == nil && calls["renameat"] == nil && calls["flock"] == nil)
  }

  @Test("evicting looks at each victim once more and at little else")
  func evicting() throws {
    let calls = try calls("--max-count", "\(count - 30)")
    #expect(calls["unlinkat"] == 30)
    #expect(calls["newfstatat", default: 0] <= 90 + 30, "\(calls)")
    #expect(calls["getdents64"] == nil, "\(calls)")
  }

  @Test("a budget that holds costs no look at any object")
  func nothingToDo() throws {
    let calls = try calls("--max-count", "\(count)")
    // The oldest entry that stays is looked at, for the retention.
    #expect(calls["newfstatat", default: 0] <= 3, "\(calls)")
    #expect(calls["getdents64"] == nil && calls["unlinkat"] == nil, "\(calls)")
  }

  @Test("a shard that somebody else changed is listed and looked at, once, and no other one")
  func foreignChange() throws {
    let shard = cache.root + "/objects/3f"
    let all = try names(shard)
    try FileManager.default.removeItem(atPath: shard + "/" + (try #require(all.first)))
    let first = try calls("--max-count", "\(count)")
    // Two reads of a directory: the names, and the end; for the scan and for the settling.
    #expect(first["getdents64"] == 4, "\(first)")
    #expect(first["newfstatat", default: 0] <= 2 * all.count + 3, "\(first)")
    let second = try calls("--max-count", "\(count)")
    #expect(second["getdents64"] == nil, "\(second)")
  }
}
