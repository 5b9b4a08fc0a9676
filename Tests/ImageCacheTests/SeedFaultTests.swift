import CacheFetch
import CacheModel
import CachePlan
import CacheStore
import Foundation
import ImageCache
import TestSupport
import Testing

/// What other image caches get wrong: each of these fails on the one that it was found in.
@Suite("Faults of other image caches", .timeLimit(.minutes(3)))
struct SeedFaultTests {
  /// The image that an origin has for a target: no two are alike.
  private static func origin(_ name: String) throws -> RawOrigin {
    try RawOrigin { request in
      let body = gif(name + request.target)
      return [.send(answer("200 OK", ["Cache-Control: max-age=3600"], body: body))]
    }
  }

  @Test("host, port, path and query tell images apart, in memory and on disk")
  func keys() async throws {
    let origins = try [Self.origin("one"), Self.origin("two")]
    let targets = ["/a.gif", "/a.gif?w=200", "/a.gif?w=640", "/b/a.gif"]
    let cache = try OriginCache()
    for images in [cache.images(), cache.images()] {
      // The second time each is there, and none may be another's.
      for _ in 0..<2 {
        for (origin, name) in zip(origins, ["one", "two"]) {
          for target in targets {
            let image = try await images.image(for: origin.url(target))
            #expect(image.bytes == gif(name + target), "\(name) \(target), \(image.source)")
          }
        }
      }
    }
    for origin in origins { #expect(origin.requests.map(\.target) == targets) }
    #expect(try usage(cache.store).entries == 8)
  }

  @Test("a name and its address are two hosts, whose images are two")
  func hosts() async throws {
    let origin = try RawOrigin { request in
      let body = gif(request.values("Host").first ?? "")
      return [.send(answer("200 OK", ["Cache-Control: max-age=3600"], body: body))]
    }
    let cache = try OriginCache()
    let images = cache.images()
    for host in ["127.0.0.1", "localhost", "127.0.0.1", "localhost"] {
      let authority = "\(host):\(origin.port)"
      #expect(try await images.image(for: "http://\(authority)/a.gif").bytes == gif(authority))
    }
    #expect(origin.requests.count == 2)
  }

  /// A cache that may hold so many images.
  private func cache(_ change: (inout Budget) -> Void) throws -> (TemporaryDirectory, Store) {
    let directory = try TemporaryDirectory(in: TemporaryDirectory.memory)
    var configuration = Configuration()
    change(&configuration.budget)
    return (directory, try Store.create(at: directory.appending("cache"), configuration))
  }

  private func usage(_ store: Store) throws -> Usage {
    try store.scan(ScanRequest(now: .now, depth: .full)) { _, _ in }.usage
  }

  private func put(_ number: Int, _ images: ImageCache, hoursAgo hours: Int64 = 0) throws {
    var request = StoreRequest(key: try CacheKey("https://img.example/\(number)"))
    request.lastUse = Instant.now.before(by: .seconds(3600 * hours))
    try images.put([UInt8](repeating: 1, count: 1000), request)
  }

  @Test("victims whose files are gone keep no eviction from its end, and free no room")
  func goneVictims() throws {
    let (directory, store) = try cache { $0.maxCount = 100 }
    let images = ImageCache(store, settings())
    for number in 0..<90 { try put(number, images, hoursAgo: 1000 - Int64(number)) }
    // Within one tick of the kernel's clock the directories would not tell of a foreign change.
    usleep(20_000)
    // The 60 that would go first, taken away behind the cache's back; their records stay.
    for number in 0..<60 {
      let name = try CacheKey("https://img.example/\(number)").name
      try FileManager.default.removeItem(atPath: store.objectPath(of: name))
    }
    for number in 100..<250 { try put(number, images, hoursAgo: 1000 - Int64(number)) }
    // 30 old ones were there, and 150 new ones came: the 100 newest, or a twentieth less, stay.
    // The cache's own eviction may still be at it.
    try Command.cachectl("--root", store.path, "gc", "--max-count", "100", "--wait", "60s")
      .succeed()
    let left = try usage(store).entries
    #expect(left >= 95 && left <= 100)
    for number in 156..<250 {
      #expect(images.object(for: try CacheKey("https://img.example/\(number)")) != nil, "\(number)")
    }
    let verified = try Command.cachectl("--root", store.path, "verify", "--strict").run()
    #expect(verified.status == 0, "\(verified.output)")
    withExtendedLifetime(directory) {}
  }

  @Test(
    "storing one image again and again takes room once on disk, and evicts no other",
    arguments: [true, false])
  func overwritten(isBytes: Bool) async throws {
    let (directory, store) = try cache {
      if isBytes { $0.maxBytes = ByteCount(10_000) } else { $0.maxCount = 10 }
    }
    let images = ImageCache(store, settings())
    for number in 0..<9 { try put(number, images, hoursAgo: 10) }
    for _ in 0..<200 { try put(8, images) }
    let used = try usage(store)
    #expect(used.entries == 9)
    #expect(used.bytes == 9 * 1000)
    #expect(used.cost == 9 * 1000)
    #expect(!FileManager.default.fileExists(atPath: store.path + "/state/evictions.jsonl"))
    withExtendedLifetime(directory) {}
  }

  @Test("storing one value again and again takes room once in memory, and evicts no other")
  func overwrittenInMemory() {
    let cache = MemoryCache<Int, Int>(MemoryLimits(count: 10, cost: ByteCount(1000))) {
      if $0.why != .replaced { Issue.record("\($0.key) left: \($0.why)") }
    }
    for key in 0..<9 { cache.insert(key, for: key, cost: 100) }
    for value in 0..<500 { cache.insert(value, for: 8, cost: value.isMultiple(of: 2) ? 200 : 100) }
    #expect(cache.usage.count == 9)
    // Eight of 100 and the last one, an odd number's.
    #expect(cache.usage.cost == 8 * 100 + 100)
    #expect(cache.keysByUse == Array(0..<9))
  }
}
