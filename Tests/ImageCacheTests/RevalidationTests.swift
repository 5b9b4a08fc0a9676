import CacheFetch
import CacheModel
import CachePlan
import CacheStore
import ImageCache
import TestSupport
import Testing

@Suite("Revalidation", .timeLimit(.minutes(2)))
struct RevalidationTests {
  @Test(
    "a 304 is one line of etag.jsonl: no object, no other record and no time moves (RFC 9111, 4.3.4)"
  )
  func confirmation() throws {
    let origin = try RawOrigin(
      saying: "304 Not Modified", ["Cache-Control: max-age=600, must-revalidate"])
    let cache = try OriginCache()
    try cache.put(origin.url(), gif("a"))
    let (inode, cost) = (
      try cache.inode(origin.url()), try cache.manifest(origin.url(), "cost.jsonl")
    )
    let result = try cache.revalidate()
    #expect(result.counts.notModified == 1 && result.counts.asked == 1 && result.isComplete)
    #expect(try cache.inode(origin.url()) == inode)
    #expect(try cache.manifest(origin.url(), "cost.jsonl") == cost)
    #expect(try cache.lines(origin.url(), "etag.jsonl") == 2)
    let record = try #require(try cache.origin(origin.url()))
    #expect(record.etag == "\"v1\"" && record.terms == "must-revalidate, max-age=600")
    // Less the time the answer took (RFC 9111, 4.2.3).
    let lifetime = try #require(record.freshUntil).since(record.checked)
    #expect(lifetime > .seconds(590) && lifetime <= .seconds(600))
    #expect(try cache.revalidate().counts.asked == 0)
    #expect(origin.requests.count == 1)
  }

  @Test(
    "a 304 with another ETag takes it, one without keeps the old one", arguments: ["", "W/\"n\""])
  func newTag(tag: String) throws {
    let origin = try RawOrigin(saying: "304 Not Modified", tag.isEmpty ? [] : ["ETag: " + tag])
    let cache = try OriginCache()
    try cache.put(origin.url(), gif("a"))
    _ = try cache.revalidate()
    #expect(try cache.origin(origin.url())?.etag == (tag.isEmpty ? "\"v1\"" : tag))
  }

  private static let date = "Sun, 30 Nov 2025 05:20:00 GMT"

  @Test(
    "the stored validator is sent byte for byte, an illegal or empty one never (RFC 9110, 13.1)",
    arguments: [
      ("\"v1\"", nil, ["\"v1\""], []), ("W/\"a,b\"", date, ["W/\"a,b\""], []),
      (nil, date, [], [date]), ("bare", date, [], [date]), ("\"a\"\r\nX: y", date, [], [date]),
      ("", nil, [], []), (nil, "yesterday", [], []),
    ] as [(String?, String?, [String], [String])])
  func validators(
    etag: String?, modified: String?, tags: [String], dates: [String]
  ) throws {
    let origin = try RawOrigin(saying: "500 No")
    let cache = try OriginCache()
    try cache.put(origin.url(), gif("a")) {
      $0.etag = etag
      $0.lastModified = modified
    }
    _ = try cache.revalidate()
    let request = try #require(origin.requests.first)
    #expect(request.values("If-None-Match") == tags)
    #expect(request.values("If-Modified-Since") == dates)
    #expect(request.values("X").isEmpty)
  }

  @Test("another body replaces the image with its hash, cost and validators; the last use stays")
  func replacement() throws {
    let body = gif(String(repeating: "new", count: 1000))
    let origin = try RawOrigin(
      saying: "200 OK", ["ETag: \"v2\"", "Content-Type: image/png", "Cache-Control: max-age=60"],
      body: body)
    let cache = try OriginCache()
    try cache.put(origin.url(), gif("a"))
    let result = try cache.revalidate()
    #expect(result.counts.replaced == 1 && result.bytesReceived == Int64(body.count))
    #expect(try cache.object(origin.url()) == body)
    let (cost, record) = (try cache.cost(origin.url()), try cache.origin(origin.url()))
    #expect(cost?.bytes == Int64(body.count) && cost?.cost == Int64(body.count))
    #expect(cost?.used == cache.past && cost?.hash == record?.hash)
    // What the bytes are, not what was declared.
    #expect(record?.etag == "\"v2\"" && record?.type == "image/gif")
    #expect(try cache.inode(origin.url())[1] == "\(cache.past.milliseconds / 1000)")
    #expect(try cache.leftovers() == [])
  }

  @Test("the writer's own measure of cost outlives the bytes")
  func ownCost() throws {
    let origin = try RawOrigin(saying: "200 OK", body: gif("b"))
    let cache = try OriginCache()
    try cache.put(origin.url(), gif("a")) { $0.cost = 7 }
    _ = try cache.revalidate()
    #expect(try cache.cost(origin.url())?.cost == 7)
  }

  @Test("the same body again writes records alone")
  func sameBody() throws {
    let origin = try RawOrigin(saying: "200 OK", ["ETag: \"v2\""], body: gif("a"))
    let cache = try OriginCache()
    try cache.put(origin.url(), gif("a"))
    let (inode, cost) = (
      try cache.inode(origin.url()), try cache.manifest(origin.url(), "cost.jsonl")
    )
    #expect(try cache.revalidate().counts.unchanged == 1)
    #expect(try cache.inode(origin.url()) == inode)
    #expect(try cache.manifest(origin.url(), "cost.jsonl") == cost)
    #expect(try cache.origin(origin.url())?.etag == "\"v2\"")
  }

  @Test("the same body again mends an object that has lost its bytes")
  func mending() throws {
    let origin = try RawOrigin(saying: "200 OK", ["ETag: \"v2\""], body: gif("a"))
    let cache = try OriginCache()
    try cache.put(origin.url(), gif("a"))
    let path = cache.store.objectPath(of: try CacheKey(origin.url()).name)
    try Command("sh", ["-c", "printf x | dd of=\"$0\" bs=1 seek=20 conv=notrunc", path]).succeed()
    #expect(try cache.revalidate().counts.replaced == 1)
    #expect(try cache.object(origin.url()) == gif("a"))
  }

  private static let refused: [(String, [String], [UInt8], String)] = [
    ("200 OK", ["Content-Type: text/html"], gif("b"), "text/html"),
    ("200 OK", ["Content-Type: image/gif"], Array("<html>no</html>".utf8), "no image"),
    ("200 OK", ["Content-Type: application/json"], Array("{}".utf8), "application/json"),
    ("200 OK", [], [], "empty"), ("200 OK", [], Array(gif("b").dropLast()), "cut off"),
    ("200 OK", ["Cache-Control: no-store"], gif("b"), "no-store"),
    ("206 Partial Content", ["Content-Range: bytes 0-1/2"], gif("b"), "206"),
    ("203 Transformed", [], gif("b"), "203"), ("204 No Content", [], [], "204"),
    ("401 Who", [], gif("b"), "401"), ("403 No", [], gif("b"), "403"),
    ("429 Later", [], gif("b"), "429"), ("500 Ill", [], gif("b"), "500"),
    ("503 Later", ["Retry-After: 1"], gif("b"), "503"),
    ("200 OK", ["Content-Encoding: gzip"], gif("b"), "coding"),
  ]

  @Test(
    "nothing but a whole image replaces an image, and nothing else is written",
    arguments: refused.indices)
  func refusals(number: Int) throws {
    let (status, fields, body, reason) = Self.refused[number]
    let origin = try RawOrigin(saying: status, fields, body: body)
    try expectKept(origin, reason)
  }

  @Test("a body that ends early, and a connection that does, leave all as it was")
  func cutOff() throws {
    let half = answer("200 OK", body: gif("new")).dropLast(9)
    try expectKept(try RawOrigin { _ in [.send(Array(half)), .close] }, "cut off")
    try expectKept(try RawOrigin { _ in [.close] }, "")
  }

  private func expectKept(_ origin: RawOrigin, _ reason: String) throws {
    let cache = try OriginCache()
    try cache.put(origin.url(), gif("a"))
    let before = try (
      cache.inode(origin.url()), cache.manifest(origin.url(), "cost.jsonl"),
      cache.manifest(origin.url(), "etag.jsonl")
    )
    let result = try cache.revalidate()
    #expect(result.counts.failed == 1 && result.kept == 1 && result.failures.count == 1)
    #expect(result.failures.first?.reason.contains(reason) == true, "\(result.failures)")
    #expect(try cache.inode(origin.url()) == before.0)
    #expect(try cache.manifest(origin.url(), "cost.jsonl") == before.1)
    #expect(try cache.manifest(origin.url(), "etag.jsonl") == before.2)
    #expect(try cache.object(origin.url()) == gif("a"))
    #expect(try cache.leftovers() == [])
  }

  @Test("a 304 that was not asked for confirms nothing")
  func unaskedFor() throws {
    let origin = try RawOrigin(saying: "304 Not Modified")
    let cache = try OriginCache()
    try cache.put(origin.url(), gif("a")) { $0.etag = nil }
    let result = try cache.revalidate()
    #expect(result.counts.failed == 1 && result.counts.notModified == 0)
  }

  @Test("an image that is gone stays, or goes where that is asked for", arguments: [404, 410])
  func gone(status: Int) throws {
    let origin = try RawOrigin(saying: "\(status) Gone")
    let cache = try OriginCache()
    try cache.put(origin.url(), gif("a"))
    let kept = try cache.revalidate()
    #expect(kept.counts.gone == 1 && kept.removed == 0 && kept.kept == 1)
    #expect(try cache.object(origin.url()) == gif("a"))
    let removed = try cache.revalidate { $0.onGone = .remove }
    #expect(removed.removed == 1 && removed.kept == 0)
    #expect(try cache.object(origin.url()) == nil)
    #expect(try cache.cost(origin.url()) == nil)
  }

  @Test("a host that says of nearly everything that it is gone is not believed, and asked no more")
  func goneNearly() throws {
    let origin = try RawOrigin(saying: "404 Not Found")
    let cache = try OriginCache()
    for number in 0..<60 { try cache.put(origin.url("/\(number)"), gif("\(number)")) }
    let result = try cache.revalidate(settings { $0.limits.perHost = 1 }) { $0.onGone = .remove }
    #expect(origin.requests.count == 20)
    #expect(result.removed == 0 && result.skipped == 40 && !result.isComplete)
    #expect(result.hosts.values.first?.verdict == .goneNearly(gone: 20, of: 20))
    for number in 0..<60 { #expect(try cache.object(origin.url("/\(number)")) != nil) }
  }
}
