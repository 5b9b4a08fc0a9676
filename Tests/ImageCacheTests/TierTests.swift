import CacheFetch
import CacheModel
import CachePlan
import CacheStore
import Foundation
import ImageCache
import TestSupport
import Testing

/// A cache above a real nginx, whose log says what was asked.
private final class Tiers: Sendable {
  let cache: OriginCache
  let nginx: NginxOrigin
  let images: ImageCache
  let url: String

  // `terms` is what the origin says of caching.
  init(_ terms: String, memory: MemoryLimits = MemoryLimits(cost: .megabytes(1))) throws {
    cache = try OriginCache()
    nginx = try NginxOrigin("add_header Cache-Control \"\(terms)\";")
    images = cache.images(memory)
    url = nginx.url("/a.gif")
    try nginx.put("a.gif", gif("first"))
  }

  func get() async throws -> CachedImage { try await images.image(for: url) }

  /// Status of each request so far.
  func statuses() throws -> [String] {
    try nginx.log().map { String($0.split(separator: " ")[1]) }
  }

  /// Another image at the origin, with another ETag: nginx makes it of time and length.
  func replace() throws { try nginx.put("a.gif", gif("the second one")) }
}

@Suite("Memory, disk and origin in one call", .timeLimit(.minutes(10)))
struct TierTests {
  @Test("missing, then from memory: a fresh image costs one request however often it is wanted")
  func fresh() async throws {
    let tiers = try Tiers("max-age=3600")
    #expect(try await tiers.get().source == .received)
    for _ in 0..<3 {
      let image = try await tiers.get()
      #expect(image.source == .memory)
      #expect(image.bytes == gif("first"))
      #expect(image.freshness.type == "image/gif")
    }
    #expect(try tiers.statuses() == ["200"])
  }

  @Test("a fresh image comes from disk where memory does not hold it, and is in memory then")
  func disk() async throws {
    let tiers = try Tiers("max-age=3600")
    _ = try await tiers.get()
    let other = tiers.cache.images()
    #expect(try await other.image(for: tiers.url).source == .disk)
    #expect(try await other.image(for: tiers.url).source == .memory)
    #expect(try tiers.statuses() == ["200"])
  }

  @Test(
    "a conditional cache: a hit in memory or on disk, whose ETag is the same or another",
    arguments: [true, false], [true, false])
  func scenarios(isInMemory: Bool, isSame: Bool) async throws {
    let tiers = try Tiers("max-age=0")
    #expect(try await tiers.get().source == .received)
    let before = try tiers.cache.origin(tiers.url)
    if !isSame { try tiers.replace() }
    let images = isInMemory ? tiers.images : tiers.cache.images()
    let image = try await images.image(for: tiers.url)
    let expected = isSame ? gif("first") : gif("the second one")
    #expect(image.bytes == expected)
    #expect(image.source == (isSame ? .confirmed : .received))
    #expect(try tiers.statuses() == ["200", isSame ? "304" : "200"])
    // Memory, object, ETag and cost changed together, or none did.
    #expect(try tiers.cache.object(tiers.url) == expected)
    #expect(try tiers.cache.cost(tiers.url)?.cost == Int64(expected.count))
    let after = try tiers.cache.origin(tiers.url)
    #expect((after?.etag == before?.etag) == isSame)
    #expect(image.freshness.etag == after?.etag)
    #expect(try await images.image(for: tiers.url).bytes == expected)
  }

  @Test("an origin that is away leaves the stale image, marked so; also where only memory has it")
  func offline() async throws {
    let answers = try RawOrigin { request in
      request.number == 0
        ? [.send(answer("200 OK", ["Cache-Control: max-age=0"], body: gif("a")))] : [.reset]
    }
    let cache = try OriginCache()
    let images = cache.images()
    #expect(try await images.image(for: answers.url()).source == .received)
    for isOnDisk in [true, false] {
      if !isOnDisk { try cache.store.remove(CacheKey(answers.url()).name, now: .now) }
      let image = try await images.image(for: answers.url())
      guard case .stale(let reason) = image.source else {
        Issue.record("\(image.source)")
        continue
      }
      #expect(!reason.isEmpty)
      #expect(image.bytes == gif("a"))
    }
  }

  @Test("what must not be used stale, or is not there, is an error that says why")
  func failures() async throws {
    let strict = try RawOrigin { request in
      request.number == 0
        ? [.send(answer("200 OK", ["Cache-Control: no-cache"], body: gif("a")))]
        : [.send(answer("500 Ill"))]
    }
    let gone = try RawOrigin(saying: "404 Not Found")
    let cache = try OriginCache()
    let images = cache.images()
    _ = try await images.image(for: strict.url())
    await #expect(throws: ImageFailure.failed("HTTP status 500")) {
      try await images.image(for: strict.url())
    }
    await #expect(throws: ImageFailure.gone) { try await images.image(for: gone.url()) }
    await #expect(throws: ImageFailure.notAKey("a key cannot be empty")) {
      try await images.image(for: "")
    }
    await #expect(throws: ImageFailure.self) { try await images.image(for: "no URL") }
  }

  @Test(
    "a hundred tasks that want one image share one request, and one that is cancelled harms none")
  func together() async throws {
    let origin = try RawOrigin { _ in
      [
        .pause(.milliseconds(500)),
        .send(answer("200 OK", ["Cache-Control: max-age=3600"], body: gif("a"))),
      ]
    }
    let cache = try OriginCache()
    let images = cache.images()
    let url = origin.url()
    let first = Task { try await images.image(for: url) }
    let others = (0..<99).map { _ in Task { try await images.image(for: url).bytes } }
    first.cancel()
    await #expect(throws: ImageFailure.cancelled) { try await first.value }
    for task in others { #expect(try await task.value == gif("a")) }
    #expect(origin.requests.count == 1)
    #expect(try cache.leftovers() == [])
  }

  @Test("an image that hangs keeps no other of its host waiting")
  func hanging() async throws {
    let origin = try RawOrigin { request in
      request.target == "/slow" ? [.silence] : [.send(answer("200 OK", body: gif("a")))]
    }
    let cache = try OriginCache()
    let images = cache.images()
    let slow = origin.url("/slow")
    let hanging = Task { try await images.image(for: slow) }
    while origin.requests.isEmpty { await Task.yield() }
    for number in 0..<20 {
      #expect(try await images.image(for: origin.url("/\(number)")).source == .received)
    }
    hanging.cancel()
    _ = await hanging.result
  }

  @Test("what must not be stored is given out, and is neither on disk nor in memory")
  func noStore() async throws {
    let tiers = try Tiers("no-store")
    #expect(try await tiers.get().source == .notKept)
    #expect(try await tiers.get().source == .notKept)
    #expect(try tiers.statuses() == ["200", "200"])
    #expect(try tiers.cache.object(tiers.url) == nil)
  }

  @Test("an image that memory gives out is in use on disk as well")
  func use() async throws {
    let cache = try OriginCache()
    let url = "http://127.0.0.1:9/a.gif"
    try cache.put(url, gif("a")) { $0.freshUntil = Instant.now.after(by: .seconds(600)) }
    let images = cache.images()
    #expect(try await images.image(for: url).source == .disk)
    // It happens off the caller's path.
    while try cache.inode(url)[1] <= "\(cache.past.milliseconds / 1000)" {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(try await images.image(for: url).source == .memory)
  }
}
