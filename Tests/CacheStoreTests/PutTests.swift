import CacheModel
import Foundation
import TestSupport
import Testing

@testable import CacheStore

@Suite("Storing")
struct PutTests {
  let cache: CacheFixture
  let key: CacheKey

  init() throws {
    cache = try CacheFixture()
    key = try CacheKey("https://img.example/a.jpg")
  }

  @Test("a body of another length than promised is refused, and leaves nothing")
  func promised() throws {
    try cache.put(key, "before")
    let before = try [TreeSnapshot(cache.path("objects")), TreeSnapshot(cache.path("manifests"))]
    for promised in [Int64(3), 5, 0] {
      var request = StoreRequest(key: key)
      request.expectedBytes = promised
      #expect(throws: StoreError.self) {
        try cache.store.put(Array("body".utf8), request, now: cache.now)
      }
    }
    let after = try [TreeSnapshot(cache.path("objects")), TreeSnapshot(cache.path("manifests"))]
    #expect(after == before)
    #expect(try names(cache.path("tmp")) == [])
  }

  @Test("a put that is let go of leaves nothing, and one under way is not seen")
  func letGo() throws {
    do {
      var put = try cache.store.beginPut(StoreRequest(key: key))
      try Array("body".utf8).withBytes { (bytes) throws(StoreError) in try put.write(bytes) }
      #expect(try names(cache.path("tmp")).count == 1)
      #expect(try cache.text(key) == nil)
    }
    #expect(try names(cache.path("tmp")) == [])
    #expect(try cache.store.record(of: key.name) == nil)
  }

  @Test("temporary names are host, process and a counter, taken by nobody else")
  func temporaryNames() throws {
    let puts = (0..<3).map { _ in Result { try Box(cache.store.beginPut(StoreRequest(key: key))) } }
    let host = hostName().map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" }
    let found = try names(cache.path("tmp"))
    #expect(found == (1...3).map { String(host) + ".\(getpid()).\($0)" })
    // Another program has the next name already: it is passed over, and left as it is.
    let taken = cache.path("tmp/" + String(host) + ".\(getpid()).4")
    try write([1, 2, 3], to: taken)
    try cache.put(key, "body")
    #expect(try bytes(taken) == [1, 2, 3] && cache.text(key) == "body")
    withExtendedLifetime(puts) {}
  }

  private final class Box {
    let put: Put
    init(_ put: consuming Put) { self.put = put }
  }

  @Test("a put that fails takes its lines back and says why")
  func takenBack() throws {
    let shard = key.name.shard
    for other in try keys(in: shard, 2) { try cache.put(other, "other") }
    // A directory in the object's place lets the rename, and nothing before it, fail.
    try FileManager.default.createDirectory(
      atPath: cache.object(key), withIntermediateDirectories: false)
    let before = try TreeSnapshot(cache.path("objects"))
    let (cost, origin) = try (bytes(cache.cost(shard)), bytes(cache.origin(shard)))
    let error = #expect(throws: StoreError.self) { try cache.put(key, "body") }
    #expect(
      error?.description
        == "cannot store \(Layout.object(key.name)): Is a directory (EISDIR)")
    #expect(try bytes(cache.cost(shard)) == cost && bytes(cache.origin(shard)) == origin)
    #expect(try TreeSnapshot(cache.path("objects")) == before)
    #expect(try names(cache.path("tmp")) == [])
  }

  @Test("the last use and the cost that a copy brings along are recorded")
  func copies() throws {
    var request = StoreRequest(key: key)
    request.lastUse = Instant(milliseconds: 1_700_000_000_789)
    request.cost = 0
    let record = try cache.store.put([1], request, now: cache.now)
    #expect(record.used == request.lastUse && record.cost == 0 && record.stored == cache.now)
    #expect(try FileFacts(cache.object(key)).modified == 1_700_000_000_789_000_000)
    request.cost = -1
    #expect(throws: StoreError.self) { try cache.store.put([2], request, now: cache.now) }
    request.lastUse = Instant(milliseconds: -1)
    request.cost = .max
    try cache.store.put([3], request, now: cache.now)
    #expect(try FileFacts(cache.object(key)).modified == -1_000_000)
  }

  @Test("many threads that store in one shard lose nothing")
  func threads() throws {
    let keys = try keys(in: Shard(7), 64)
    let (store, now) = (cache.store, cache.now)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for key in keys[(thread * 8)..<(thread * 8 + 8)] {
        _ = try? store.put(Array(key.text.utf8), StoreRequest(key: key), now: now)
      }
    }
    for key in keys { #expect(try cache.text(key, check: .content) == key.text) }
    #expect(try lines(cache.cost(Shard(7))).count == 64)
    #expect(try cache.store.settle(Shard(7), now: .now) && cache.isWitnessed(Shard(7)))
  }

  @Test(
    "what people take away to make room is made again",
    arguments: ["tmp", "state", "objects/", "manifests/"])
  func madeAgain(what: String) throws {
    let shard = key.name.shard
    let path = cache.path(what.hasSuffix("/") ? what + "\(shard)" : what)
    try cache.put(key, "body")
    try FileManager.default.removeItem(atPath: path)
    let census = try cache.store.scan(ScanRequest(now: .now)) { _, _ in }
    #expect(census.problems == [])
    #expect(census.missing == (what == "objects/" ? 1 : 0))
    _ = try RunLock(.gc, of: cache.store, waiting: .zero, command: "test")
    _ = try cache.store.leftovers(now: .now, removing: true)
    try cache.put(key, "again")
    #expect(try cache.text(key, check: .content) == "again")
    #expect(try cache.store.settle(shard, now: .now) && cache.isWitnessed(shard))
  }
}
