import CacheFetch
import CacheModel
import CachePlan
import CacheStore
import Foundation
import ImageCache
import TestSupport
import Testing

@Suite("Budgets while images are stored", .timeLimit(.minutes(3)))
struct BudgetKeeperTests {
  private func cache(_ change: (inout Budget) -> Void) throws -> (TemporaryDirectory, Store) {
    let directory = try TemporaryDirectory()
    var configuration = Configuration()
    change(&configuration.budget)
    return (directory, try Store.create(at: directory.appending("cache"), configuration))
  }

  private func usage(_ store: Store) throws -> Usage {
    try store.scan(ScanRequest(now: .now, depth: .index)) { _, _ in }.usage
  }

  /// Stores images one after the other, and gives the most that was on disk at any time.
  private func fill(_ images: ImageCache, _ store: Store, count: Int, bytes: Int) throws -> Usage {
    var most = Usage()
    for number in 0..<count {
      let key = try CacheKey("https://img.example/\(number)")
      try images.put([UInt8](repeating: 0, count: bytes), StoreRequest(key: key))
      guard number % 60 == 0 else { continue }
      let usage = try usage(store)
      most.bytes = max(most.bytes, usage.bytes)
      most.entries = max(most.entries, usage.entries)
    }
    return most
  }

  @Test(
    "more than twice the policy is stored, and the disk never holds a tenth more than it",
    arguments: [true, false])
  func bounded(isBytes: Bool) async throws {
    let (directory, store) = try cache {
      if isBytes { $0.maxBytes = ByteCount(1_000_000) } else { $0.maxCount = 250 }
    }
    let images = ImageCache(store, settings())
    let most = try fill(images, store, count: 600, bytes: 4000)
    if isBytes { #expect(most.bytes < 1_100_000) } else { #expect(most.entries < 275) }
    // What is left is the newest.
    let newest = try CacheKey("https://img.example/599")
    #expect(try images.entry(for: newest) != nil)
    #expect(try usage(store).entries > 200)
    withExtendedLifetime(directory) {}
  }

  @Test("what was used lately stays, and the history says which limit evicted the others")
  func order() async throws {
    let (directory, store) = try cache { $0.maxCount = 100 }
    let images = ImageCache(store, settings())
    let kept = try CacheKey("https://img.example/kept")
    var request = StoreRequest(key: kept)
    request.lastUse = Instant.now.after(by: .seconds(-1))
    try images.put([1], request)
    for number in 0..<400 {
      var request = StoreRequest(key: try CacheKey("https://img.example/\(number)"))
      request.lastUse = Instant.now.before(by: .seconds(86_400 - Int64(number)))
      try images.put([2], request)
    }
    while try usage(store).entries > 110 { try await Task.sleep(for: .milliseconds(20)) }
    #expect(try images.entry(for: kept) != nil)
    let history = try String(contentsOfFile: store.path + "/state/evictions.jsonl", encoding: .utf8)
    #expect(history.contains("\"limit\":\"max-count\""))
    withExtendedLifetime(directory) {}
  }

  @Test("without a policy nothing is evicted")
  func unlimited() throws {
    let (directory, store) = try cache { _ in }
    let most = try fill(ImageCache(store, settings()), store, count: 500, bytes: 100)
    #expect(try usage(store).entries == 500)
    #expect(most.entries > 0)
    withExtendedLifetime(directory) {}
  }
}
