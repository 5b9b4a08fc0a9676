import CacheFetch
import CacheModel
import CachePlan
import CacheStore
import Foundation
import ImageCache
import TestSupport
import Testing

@Suite("What is asked, and with what", .timeLimit(.minutes(2)))
struct RevalidationChoiceTests {
  private func order(_ origin: RawOrigin) -> [String] { origin.requests.map(\.target) }

  @Test("the stalest go first, no more than are allowed, and fresh ones only where all are meant")
  func order() throws {
    let origin = try RawOrigin(saying: "304 Not Modified", ["Cache-Control: max-age=60"])
    let cache = try OriginCache()
    for number in 0..<8 {
      try cache.put(origin.url("/\(number)"), gif("\(number)")) {
        // Minutes since an hour ago: 35, 30 … 0; then two that are fresh.
        $0.freshUntil = cache.past.after(by: .seconds(number < 6 ? 60 * (35 - 5 * number) : 7200))
      }
    }
    let one = settings { $0.limits.parallel = 1 }
    let first = try cache.revalidate(one) { $0.maxRequests = 4 }
    #expect(order(origin) == ["/5", "/4", "/3", "/2"])
    #expect(first.counts.asked == 4 && !first.isComplete)
    let second = try cache.revalidate(one)
    #expect(order(origin).dropFirst(4) == ["/1", "/0"] && second.isComplete)
    _ = try cache.revalidate(one) { $0.includesFresh = true }
    #expect(Set(order(origin).dropFirst(6)) == Set((0..<8).map { "/\($0)" }))
  }

  @Test("what will not change while it is fresh is not asked about even then (RFC 8246)")
  func immutable() throws {
    let origin = try RawOrigin(saying: "304 Not Modified")
    let cache = try OriginCache()
    try cache.put(origin.url(), gif("a")) {
      $0.freshUntil = Instant.now.after(by: .seconds(60))
      $0.terms = "immutable, max-age=3660"
    }
    #expect(try cache.revalidate { $0.includesFresh = true }.counts.asked == 0)
  }

  @Test("only entries of the host, and only those checked long enough ago")
  func filters() throws {
    let origin = try RawOrigin(saying: "304 Not Modified")
    let cache = try OriginCache()
    try cache.put(origin.url(), gif("a"))
    #expect(try cache.revalidate { $0.host = "other.example" }.counts.asked == 0)
    let before = cache.past.before(by: .seconds(1))
    #expect(try cache.revalidate { $0.checkedBefore = before }.counts.asked == 0)
    let result = try cache.revalidate {
      $0.host = "127.0.0.1"
      $0.checkedBefore = cache.past.after(by: .seconds(1))
    }
    #expect(result.counts.asked == 1)
  }

  @Test("an entry checked in the run's own millisecond is asked about; one checked later is not")
  func sameMillisecond() throws {
    let origin = try RawOrigin(saying: "304 Not Modified")
    let cache = try OriginCache()
    try cache.put(origin.url(), gif("a"))
    let before = cache.past.before(by: .milliseconds(1))
    for (now, asked) in [(before, 0), (cache.past, 1)] as [(Instant, Int64)] {
      let result = try cache.revalidate {
        $0.now = now
        $0.includesFresh = true
      }
      #expect(result.counts.asked == asked && result.isComplete)
    }
  }

  @Test("what has no object and what has no URL is not asked about")
  func unaskable() throws {
    let origin = try RawOrigin(saying: "304 Not Modified")
    let cache = try OriginCache()
    for url in [origin.url("/removed"), origin.url("/evicted"), "logo"] {
      try cache.put(url, gif("a"))
    }
    _ = cache.store.remove([try CacheKey(origin.url("/removed")).name], now: .now)
    // By hand, behind the manifests' back, and not within the clock tick of the store's own change.
    usleep(20_000)
    unlink(cache.store.objectPath(of: try CacheKey(origin.url("/evicted")).name))
    let result = try cache.revalidate()
    #expect(result.counts.asked == 0 && result.skipped == 1 && origin.requests.isEmpty)
  }

  @Test("a store that did not finish has its image asked for without a condition")
  func interrupted() throws {
    let origin = try RawOrigin(saying: "200 OK", ["ETag: \"v3\""], body: gif("three"))
    let cache = try OriginCache()
    try cache.put(origin.url(), gif("one"))
    let path = cache.store.objectPath(of: try CacheKey(origin.url()).name)
    try Command("cp", [path, cache.directory.appending("one")]).succeed()
    try cache.put(origin.url(), gif("two")) { $0.etag = "\"v2\"" }
    // As a kill between the records and the rename leaves it.
    try Command("mv", [cache.directory.appending("one"), path]).succeed()
    #expect(try cache.revalidate().counts.replaced == 1)
    #expect(origin.requests[0].values("If-None-Match") == [])
    #expect(try cache.object(origin.url()) == gif("three"))
  }

  @Test("a record of other content than the object's has its validators left unused")
  func foreignRecord() throws {
    let origin = try RawOrigin(saying: "500 No")
    let cache = try OriginCache()
    try cache.put(origin.url(), gif("one"))
    let shard = try CacheKey(origin.url()).name.shard
    let file = cache.store.path + "/manifests/\(shard)/etag.jsonl"
    // A simple writer's line: no hash, no sum.
    let line =
      "{\"name\":\"\(try CacheKey(origin.url()).name)\",\"key\":\"\(origin.url())\",\"etag\":\"\\\"x\\\"\"}\n"
    try Command("sh", ["-c", "printf %s \"$1\" >> \"$0\"", file, line]).succeed()
    #expect(try cache.revalidate().counts.failed == 1)
    #expect(origin.requests[0].values("If-None-Match") == [])
  }

  @Test("an entry that is replaced while its origin is asked is not confirmed")
  func superseded() throws {
    let cache = try OriginCache()
    let box = Box()
    let origin = try RawOrigin { _ in
      // Stored by somebody else between the question and the answer.
      try? cache.put(box.url, gif("two")) { $0.etag = "\"v2\"" }
      return [.send(answer("304 Not Modified", ["ETag: \"v1\""]))]
    }
    box.url = origin.url()
    try cache.put(origin.url(), gif("one"))
    let result = try cache.revalidate()
    #expect(result.counts.superseded == 1 && result.counts.notModified == 0)
    #expect(try cache.origin(origin.url())?.etag == "\"v2\"")
    #expect(try cache.object(origin.url()) == gif("two"))
  }

  @Test("where a redirect led is recorded, and the validator goes there alone")
  func redirect() throws {
    let origin = try RawOrigin { request in
      if request.target == "/a" { return [.send(answer("302 Found", ["Location: /b"]))] }
      let isKnown = request.values("If-None-Match") == ["\"b1\""]
      return [
        .send(
          isKnown
            ? answer("304 Not Modified") : answer("200 OK", ["ETag: \"b1\""], body: gif("b")))
      ]
    }
    let cache = try OriginCache()
    try cache.put(origin.url("/a"), gif("a")) { $0.etag = "\"a1\"" }
    #expect(try cache.revalidate().counts.replaced == 1)
    #expect(try cache.origin(origin.url("/a"))?.url == origin.url("/b"))
    #expect(try cache.revalidate().counts.notModified == 1)
    #expect(origin.requests.map { $0.values("If-None-Match") } == [["\"a1\""], [], [], ["\"b1\""]])
  }

  @Test("the headers that the image depends on are sent again, and recorded (RFC 9111, 4.1)")
  func vary() throws {
    let origin = try RawOrigin(saying: "304 Not Modified", ["Vary: Accept, X-Size"])
    let cache = try OriginCache()
    let key = origin.url() + "\naccept=image/webp"
    try cache.put(key, gif("a")) { $0.vary = "x-size: 2\naccept-encoding: br\nhost: elsewhere" }
    #expect(try cache.revalidate().counts.notModified == 1)
    let request = origin.requests[0]
    #expect(request.values("Accept") == ["image/webp"] && request.values("X-Size") == ["2"])
    #expect(request.values("Accept-Encoding") == ["identity"])
    #expect(request.values("Host") == ["127.0.0.1:\(origin.port)"])
    #expect(try cache.origin(key)?.vary == "accept: image/webp\nx-size: 2")
  }

  @Test("what a record holds of others stays in it")
  func others() throws {
    let origin = try RawOrigin(saying: "304 Not Modified")
    let cache = try OriginCache()
    try cache.put(origin.url(), gif("a")) { $0.others = [.init(name: "mine", json: "[1]")] }
    _ = try cache.revalidate()
    #expect(try cache.origin(origin.url())?.others == [.init(name: "mine", json: "[1]")])
  }

  @Test("a refetch replaces a damaged image without a condition, and one that was lost")
  func refetch() throws {
    let origin = try RawOrigin(saying: "200 OK", ["ETag: \"v1\""], body: gif("a"))
    let cache = try OriginCache()
    let names = try ["/damaged", "/lost"].map { try CacheKey(origin.url($0)).name }
    for target in ["/damaged", "/lost"] { try cache.put(origin.url(target), gif("a")) }
    try Command("cp", ["/dev/null", cache.store.objectPath(of: names[0])]).succeed()
    unlink(cache.store.objectPath(of: names[1]))
    let outcomes = try Refetch(cache.store, settings()).run(names)
    for name in names {
      guard case .replaced = outcomes[name] else {
        Issue.record("\(String(describing: outcomes[name]))")
        continue
      }
    }
    #expect(origin.requests.allSatisfy { $0.values("If-None-Match").isEmpty })
    #expect(try cache.object(origin.url("/damaged")) == gif("a"))
    #expect(try cache.object(origin.url("/lost")) == gif("a"))
  }
}

/// Hands a URL to an origin that was made before it was known.
final class Box: @unchecked Sendable {
  private let lock = NSLock()
  private var value = ""
  var url: String {
    get { lock.withLock { value } }
    set { lock.withLock { value = newValue } }
  }
}
