import CacheModel
import CacheStore
import Foundation
import ImageCache
import TestSupport
import Testing

@Suite("Queries that do not load the cache", .timeLimit(.minutes(10)))
struct EntryQueryTests {
  private let cache: OriginCache
  private let images: ImageCache

  init() throws {
    cache = try OriginCache()
    images = ImageCache(cache.store, settings())
    for number in 0..<60 {
      try cache.put("https://img.example/\(number)", [UInt8](repeating: 0, count: 100 + number))
    }
  }

  private func names(_ entries: EntrySequence) async throws -> [EntryName] {
    try await entries.reduce(into: []) { $0.append($1.name) }
  }

  @Test(
    "all entries come once, in the order of their names, whatever the size of a batch",
    arguments: [1, 7, 1000])
  func all(batchSize: Int) async throws {
    let expected = try (0..<60).map { try CacheKey("https://img.example/\($0)").name }.sorted()
    #expect(try await names(images.entries(batchSize: batchSize)) == expected)
  }

  @Test(
    "pages follow one another behind a cursor, in every order",
    arguments: [
      nil, EntryOrder(.bytes), EntryOrder(.bytes, isReversed: true), EntryOrder(.key),
      EntryOrder(.used), EntryOrder(.stored), EntryOrder(.cost),
    ])
  func pages(order: EntryOrder?) async throws {
    let whole = try await names(images.entries(sortedBy: order))
    var pages: [EntryName] = []
    var cursor: String?
    repeat {
      var page: [EntryFault] = []
      for try await entry in images.entries(sortedBy: order, limit: 8, batchSize: 3, after: cursor)
      {
        page.append(entry)
      }
      #expect(page.count <= 8)
      pages += page.map(\.name)
      cursor = page.last?.cursor
    } while cursor != nil
    #expect(pages == whole)
    #expect(whole.count == 60)
  }

  @Test("an order puts the smallest first, and reversed the largest")
  func order() async throws {
    var bytes: [Int64] = []
    for try await fault in images.entries(sortedBy: EntryOrder(.bytes, isReversed: true), limit: 5)
    {
      bytes.append(try #require(try fault.entry()).bytes)
    }
    #expect(bytes == [159, 158, 157, 156, 155])
  }

  @Test("a query matches by prefix, length and name")
  func matching() async throws {
    var query = EntryQuery()
    query.prefix = "https://img.example/5"
    query.longerThan = 152
    // 5 and 50 to 59; longer than 152 are 53 to 59.
    #expect(try await names(images.entries(matching: query)).count == 7)
  }

  @Test("touching one entry loads its batch and no other; a loop over keys loads none")
  func faults() async throws {
    var faults: [EntryFault] = []
    var keys: Set<String> = []
    for try await fault in images.entries(limit: 30, batchSize: 10) {
      if let key = fault.key { keys.insert(key.text) }
      faults.append(fault)
    }
    #expect(keys.count == 30)
    #expect(keys.isSubset(of: (0..<60).map { "https://img.example/\($0)" }))
    #expect(faults.allSatisfy { !$0.isLoaded })
    #expect(try faults[12].entry()?.origin?.etag == "\"v1\"")
    #expect(faults.indices.filter { faults[$0].isLoaded } == Array(10..<20))
  }

  @Test("a loop over names needs neither etag.jsonl nor an object")
  func namesAlone() async throws {
    try Command(
      "sh", ["-c", "rm $0/manifests/*/etag.jsonl; chmod 0 $0/objects/*", cache.store.path]
    )
    .succeed()
    #expect(try await names(images.entries()).count == 60)
  }

  @Test("what went while a page was held is nil, and nothing else is wrong")
  func gone() async throws {
    var faults: [EntryFault] = []
    for try await fault in images.entries() { faults.append(fault) }
    let key = try #require(faults[0].key)
    #expect(try images.remove(key))
    #expect(try faults[0].entry() == nil)
    #expect(try images.entry(for: key) == nil)
    #expect(try !images.remove(key))
  }

  @Test("a cursor of another order is refused")
  func cursor() async {
    await #expect(throws: StoreError.self) {
      for try await _ in images.entries(after: "nonsense") {}
    }
  }
}
