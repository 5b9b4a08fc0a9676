import CacheFetch
import CacheModel
import CachePlan
import CacheStore
import Foundation
import ImageCache
import TestSupport
import Testing

@Suite("Reading through the cache", .timeLimit(.minutes(2)))
struct ReadingTests {
  /// One answer, kept.
  private struct Seen: Equatable {
    var source: ImageAnswer.Source
    var bytes: [UInt8]?
  }

  private func read(
    _ cache: OriginCache, _ urls: String..., change: (inout ImageCache) -> Void = { _ in }
  ) throws -> [Seen] {
    var images = ImageCache(cache.store, settings())
    change(&images)
    var seen: [Seen] = []
    try images.read(urls.map { try CacheKey($0) }) { answer in
      var bytes: [UInt8] = []
      try? answer.readObject { piece in
        bytes += piece
        return true
      }
      seen.append(Seen(source: answer.source, bytes: answer.byteCount == nil ? nil : bytes))
    }
    return seen
  }

  @Test("a missing image comes from its origin and is stored; then a fresh one from disk")
  func missingThenFresh() throws {
    let origin = try RawOrigin(
      saying: "200 OK", ["ETag: \"v1\"", "Cache-Control: max-age=60"], body: gif("a"))
    let cache = try OriginCache()
    #expect(try read(cache, origin.url()) == [Seen(source: .received, bytes: gif("a"))])
    #expect(try read(cache, origin.url()) == [Seen(source: .fresh, bytes: gif("a"))])
    #expect(origin.requests.count == 1)
    #expect(try cache.origin(origin.url())?.etag == "\"v1\"")
    #expect(try cache.leftovers() == [])
  }

  @Test("a stale image is asked about; a 304 confirms it and is recorded, and it is a use")
  func stale() throws {
    let origin = try RawOrigin(saying: "304 Not Modified", ["Cache-Control: max-age=60"])
    let cache = try OriginCache()
    try cache.put(origin.url(), gif("a"))
    #expect(try read(cache, origin.url()) == [Seen(source: .confirmed, bytes: gif("a"))])
    #expect(origin.requests[0].values("If-None-Match") == ["\"v1\""])
    #expect(try cache.inode(origin.url())[1] > "\(cache.past.milliseconds / 1000)")
    #expect(try read(cache, origin.url()) == [Seen(source: .fresh, bytes: gif("a"))])
  }

  @Test(
    "where the origin fails a stale image is given out and marked, unless its terms forbid it (RFC 5861, 4)",
    arguments: [
      (nil, true), ("must-revalidate", false), ("no-cache", false), ("stale-if-error=60", false),
      ("stale-if-error=7200", true),
    ] as [(String?, Bool)])
  func staleIfError(terms: String?, isServed: Bool) throws {
    let origin = try RawOrigin(saying: "500 Ill")
    let cache = try OriginCache()
    try cache.put(origin.url(), gif("a")) {
      $0.freshUntil = cache.past
      $0.terms = terms
    }
    let expected =
      isServed
      ? Seen(source: .stale("HTTP status 500"), bytes: gif("a"))
      : Seen(source: .failed("HTTP status 500"))
    #expect(try read(cache, origin.url()) == [expected])
    #expect(try cache.leftovers() == [])
  }

  @Test("an image that must not be stored is given out and not stored (RFC 9111, 5.2.2.5)")
  func noStore() throws {
    let origin = try RawOrigin(saying: "200 OK", ["Cache-Control: no-store"], body: gif("a"))
    let cache = try OriginCache()
    #expect(try read(cache, origin.url()) == [Seen(source: .notKept, bytes: gif("a"))])
    #expect(try cache.object(origin.url()) == nil)
    #expect(try cache.leftovers() == [])
  }

  @Test("what is gone, is no image or is cut off is not given out and not stored")
  func nothing() throws {
    let gone = try RawOrigin(saying: "404 Not Found", body: gif("a"))
    let text = try RawOrigin(saying: "200 OK", body: Array("<html>".utf8))
    let short = try RawOrigin(saying: "200 OK", body: Array(gif("a").dropLast()))
    let cache = try OriginCache()
    #expect(try read(cache, gone.url()) == [Seen(source: .gone)])
    for origin in [text, short] {
      let seen = try read(cache, origin.url())
      guard case .failed = seen.first?.source else {
        Issue.record("\(seen)")
        continue
      }
      #expect(try cache.object(origin.url()) == nil)
    }
    #expect(try cache.leftovers() == [])
  }

  @Test("an image of another length than recorded is as good as missing")
  func shortened() throws {
    let origin = try RawOrigin(saying: "200 OK", body: gif("a"))
    let cache = try OriginCache()
    try cache.put(origin.url(), gif("a")) { $0.freshUntil = Instant.now.after(by: .seconds(60)) }
    let path = cache.store.objectPath(of: try CacheKey(origin.url()).name)
    try Command("truncate", ["-s", "9", path]).succeed()
    #expect(try read(cache, origin.url()) == [Seen(source: .received, bytes: gif("a"))])
    #expect(origin.requests[0].values("If-None-Match") == [])
  }

  @Test(
    "twenty readers of one image ask for it once, whatever becomes of it", arguments: [200, 500])
  func stampede(status: Int) throws {
    let origin = try RawOrigin { _ in
      [.pause(.seconds(2)), .send(answer("\(status) So", body: gif("a")))]
    }
    let cache = try OriginCache()
    let seen = Answers()
    let group = DispatchGroup()
    for _ in 0..<20 {
      group.enter()
      Thread.detachNewThread {
        // What fails shows as an answer that is not there.
        if let answers = try? read(cache, origin.url()) { seen.add(answers.map(\.source)) }
        group.leave()
      }
    }
    group.wait()
    #expect(origin.requests.count == 1)
    #expect(seen.all.count == 20)
    if status == 500 {
      #expect(seen.all.allSatisfy { $0 == .failed("HTTP status 500") })
    } else {
      #expect(seen.all.filter { $0 == .received }.count == 1)
      #expect(seen.all.filter { $0 == .fresh }.count == 19)
    }
    #expect(try cache.leftovers() == [])
  }

  @Test("RFC 5861, 3: while somebody else asks, a stale image is given out where that is allowed")
  func meanwhile() throws {
    let origin = try RawOrigin(saying: "304 Not Modified")
    let cache = try OriginCache()
    for (target, terms) in [("/a", "stale-while-revalidate=7200"), ("/b", "max-age=0")] {
      try cache.put(origin.url(target), gif("a")) { $0.terms = terms }
    }
    let turns = try ["/a", "/b"].map { target in
      Held(try cache.store.fillTurn(for: CacheKey(origin.url(target)).name, waiting: .zero))
    }
    let allowed = try read(cache, origin.url("/a"))
    #expect(allowed == [Seen(source: .stale("somebody else is asking for it"), bytes: gif("a"))])
    #expect(origin.requests.isEmpty)
    let other = try read(cache, origin.url("/b")) { $0.patience = .milliseconds(50) }
    #expect(other == [Seen(source: .confirmed, bytes: gif("a"))])
    withExtendedLifetime(turns) {}
  }

  @Test("whoever asks for too long is not waited for")
  func patience() throws {
    let origin = try RawOrigin(saying: "200 OK", body: gif("a"))
    let cache = try OriginCache()
    let turn = try cache.store.fillTurn(for: CacheKey(origin.url()).name, waiting: .zero)
    let seen = try read(cache, origin.url()) { $0.patience = .milliseconds(50) }
    #expect(seen == [Seen(source: .received, bytes: gif("a"))])
    _ = consume turn
  }

  @Test("a key that is no URL is looked for on disk alone")
  func noURL() throws {
    let cache = try OriginCache()
    try cache.put("logo", gif("a")) { $0.freshUntil = Instant.now.after(by: .seconds(60)) }
    let seen = try read(cache, "logo", "other")
    #expect(seen[0] == Seen(source: .fresh, bytes: gif("a")))
    #expect(seen[1].bytes == nil)
  }

  @Test("a head shows what would be stored, and stores nothing")
  func head() throws {
    let origin = try RawOrigin { _ in
      let head = [
        "HTTP/1.1 200 OK", "Content-Length: 99", "ETag: \"h\"", "Content-Type: image/gif",
        "Cache-Control: max-age=60, immutable",
      ]
      return [.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8))]
    }
    let cache = try OriginCache()
    var heads: [OriginHead] = []
    try ImageCache(cache.store, settings()).heads([CacheKey(origin.url())]) { heads.append($0) }
    #expect(heads[0].source == .received && heads[0].bytes == 99)
    #expect(heads[0].freshness?.directives == "immutable, max-age=60")
    #expect(origin.requests[0].head.hasPrefix("HEAD "))
    #expect(try cache.object(origin.url()) == nil)
  }
}

private final class Answers: @unchecked Sendable {
  private let lock = NSLock()
  private var sources: [ImageAnswer.Source] = []
  var all: [ImageAnswer.Source] { lock.withLock { sources } }
  func add(_ more: [ImageAnswer.Source]) { lock.withLock { sources += more } }
}

/// Holds a turn for as long as it lives.
private final class Held {
  private let turn: FillTurn

  init(_ turn: consuming FillTurn) { self.turn = turn }
}
