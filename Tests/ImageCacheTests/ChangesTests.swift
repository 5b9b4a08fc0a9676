import CacheModel
import CacheStore
import Foundation
import ImageCache
import TestSupport
import Testing

@Suite("Live results", .timeLimit(.minutes(10)))
struct ChangesTests {
  private let cache: OriginCache
  private let images: ImageCache

  init() throws {
    cache = try OriginCache()
    images = cache.images()
  }

  private func name(_ number: Int) throws -> EntryName {
    try CacheKey("https://img.example/\(number)").name
  }

  /// What is told up to a change; an end before it is a failure.
  private func follow(
    _ changes: inout CacheChanges.Iterator, until last: CacheChange
  ) async throws -> [CacheChange] {
    var told: [CacheChange] = []
    while !told.contains(last) {
      guard let next = try await changes.next() else { throw TestFailure("it ended after \(told)") }
      told += next
    }
    return told
  }

  @Test("what is stored, asked about and removed is told, by whichever process")
  func kinds() async throws {
    try cache.put("https://img.example/0", [1, 2])
    var changes = try images.changes().makeAsyncIterator()
    try cache.put("https://img.example/1", [1, 2, 3])
    #expect(try await changes.next() == [.stored(name(1), bytes: 3)])
    try images.remove(CacheKey("https://img.example/0"))
    #expect(try await changes.next() == [.removed(name(0))])
    let entries = cache.store.askable([try name(1)]).entries
    let entry = try #require(entries[name(1)])
    var record = entry.origin
    record.freshUntil = .now
    _ = cache.store.confirm([Confirmation(entry, record)])
    #expect(try await changes.next() == [.updated(name(1))])
    let other = Command.cachectl("--root", cache.store.path, "put", "other", "/etc/hostname")
    try other.succeed()
    let name = try CacheKey("other").name
    #expect(try await changes.next()?.map(\.name) == [name])
  }

  @Test("of many changes to one entry within a moment the last is told")
  func coalesced() async throws {
    var changes = try images.changes().makeAsyncIterator()
    for number in 0..<50 {
      try cache.put("https://img.example/1", [UInt8](repeating: 0, count: number))
    }
    let told = try await follow(&changes, until: .stored(name(1), bytes: 49))
    #expect(told.count < 50)
  }

  @Test("more than the kernel keeps loses nothing: every entry is told")
  func overflow() async throws {
    // What is not asked for stays in the kernel's queue, and in the end not even there.
    let watch = try ChangeWatch(cache.store)
    let most =
      try Int(
        String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
          .trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    for number in 0..<100 { try cache.put("https://img.example/\(number)", [1]) }
    // Changes of two files in turn are not joined into one event.
    let script = """
      import sys
      a, b = (open(sys.argv[1] + "/" + n, "ab", 0) for n in ("a", "b"))
      for i in range(int(sys.argv[2])): a.write(b"x"); b.write(b"x")
      """
    let folder = cache.store.path + "/manifests/00"
    try Command("python3", ["-c", script, folder, "\(most)"]).succeed()
    // After the queue is full.
    try cache.put("https://img.example/100", [1])
    let told = try #require(try watch.next())
    let expected = try Set((0...100).map { try name($0) })
    #expect(Set(told.compactMap(\.name)) == expected)
  }

  @Test("a manifest that is written anew is told, and what comes behind it")
  func rewritten() async throws {
    // The first record is dead, and worth a compaction.
    for byte in [0, 1] as [UInt8] { try cache.put("https://img.example/1", [byte]) }
    var changes = try images.changes().makeAsyncIterator()
    try Command.cachectl("--root", cache.store.path, "compact").succeed()
    let shard = try name(1).shard
    _ = try await follow(&changes, until: .rewritten(shard))
    try cache.put("https://img.example/1", [1, 2])
    _ = try await follow(&changes, until: .stored(name(1), bytes: 2))
  }

  @Test(
    "a live query gives its entries again whenever one comes, goes or is replaced, and not for others"
  )
  func live() async throws {
    try cache.put("https://img.example/0", [0])
    let order = EntryOrder(.bytes, isReversed: true)
    var results = try images.liveEntries(sortedBy: order, limit: 2).makeAsyncIterator()
    #expect(try await results.next()?.map(\.name) == [name(0)])
    try cache.put("https://img.example/1", [1, 1])
    #expect(try await results.next()?.map(\.name) == [name(1), name(0)])
    try images.remove(CacheKey("https://img.example/0"))
    #expect(try await results.next()?.map(\.name) == [name(1)])
    try cache.put("https://img.example/1", [1, 1, 1])
    let last = try await results.next()
    #expect(try last?.first?.entry()?.bytes == 3)
    try cache.put("https://img.example/2", [UInt8](repeating: 2, count: 9))
    #expect(try await results.next()?.map(\.name) == [name(2), name(1)])
    // Neither of these is among the first two.
    try cache.put("https://img.example/3", [3])
    try cache.put("https://img.example/4", [4])
    try cache.put("https://img.example/5", [UInt8](repeating: 5, count: 10))
    #expect(try await results.next()?.map(\.name) == [name(5), name(2)])
  }

  @Test("a task that is cancelled ends its watch")
  func cancelled() async throws {
    let images = images
    let task = Task {
      for try await _ in try images.changes() {}
      return true
    }
    task.cancel()
    #expect(try await task.value)
  }
}
