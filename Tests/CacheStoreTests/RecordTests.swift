import CacheModel
import Foundation
import TestSupport
import Testing

@testable import CacheStore

@Suite("Names and records")
struct RecordTests {
  let cache: CacheFixture
  let key: CacheKey

  init() throws {
    cache = try CacheFixture()
    key = try CacheKey("https://img.example/a.jpg?w=200")
  }

  /// What xxhsum, an independent program, says of some bytes.
  func xxhsum(_ kind: String, _ text: String) throws -> String {
    var command = Command("xxhsum", [kind])
    command.input = Array(text.utf8)
    let output = try command.succeed().output
    let word = output.split(whereSeparator: \.isWhitespace)
    return String(kind == "-H3" ? word.last ?? "" : word.first ?? "")
  }

  func sum(_ object: String) throws -> String {
    object + ",\"sum\":\"" + (try xxhsum("-H3", object)) + "\"}"
  }

  @Test("a name is the key's SHA-256, in the shard of its first two digits")
  func names() throws {
    var command = Command("sha256sum")
    command.input = Array(key.text.utf8)
    let name = try command.succeed().output.prefix(64)
    try cache.put(key, "one")
    let found = try FileManager.default.contentsOfDirectory(
      atPath: cache.path("objects/\(name.prefix(2))"))
    #expect(found == [String(name)])
  }

  @Test("a record of cost.jsonl is what the layout says, byte for byte")
  func costLine() throws {
    var request = StoreRequest(key: key)
    request.cost = 77
    try cache.store.put(Array("one".utf8), request, now: cache.now)
    let hash = try xxhsum("-H2", "one")
    let object = """
      {"name":"\(key.name)","bytes":3,"cost":77,"xxh128":"\(hash)","stored":1764480000123,"used":1764480000123
      """
    #expect(try contents(cache.cost(key.name.shard)) == sum(object) + "\n")
  }

  @Test("a record of etag.jsonl is what the layout says, byte for byte")
  func originLine() throws {
    var request = StoreRequest(key: key)
    request.etag = "\"v1\""
    request.lastModified = "Sun, 30 Nov 2025 05:20:00 GMT"
    request.type = "image/jpeg"
    request.vary = "accept: image/webp"
    request.freshUntil = cache.now.after(by: .seconds(3600))
    request.url = "https://origin.example/a.jpg"
    try cache.store.put(Array("one".utf8), request, now: cache.now)
    let hash = try xxhsum("-H2", "one")
    let object = """
      {"name":"\(key.name)","key":"https://img.example/a.jpg?w=200","url":"https://origin.example/a.jpg",\
      "xxh128":"\(hash)","etag":"\\"v1\\"","last_modified":"Sun, 30 Nov 2025 05:20:00 GMT",\
      "type":"image/jpeg","vary":"accept: image/webp","checked":1764480000123,"fresh_until":1764483600123
      """
    #expect(try contents(cache.origin(key.name.shard)) == sum(object) + "\n")
  }

  @Test("an entry without an ETag has its key in etag.jsonl all the same")
  func keyIsKept() throws {
    try cache.put(key, "one")
    #expect(try cache.store.origin(of: key.name)?.key == key)
    #expect(try cache.store.record(of: key.name)?.bytes == 3)
  }

  @Test("a content hash keeps its leading zeros")
  func leadingZeros() throws {
    // The first numbers whose XXH3-128 begins with a zero digit: one in sixteen does.
    var seen = 0
    for number in 0..<64 {
      let record = try cache.put(key, "k\(number)")
      let hash = try #require(record.hash?.description)
      #expect(hash.count == 32)
      if hash.hasPrefix("0") {
        seen += 1
        #expect(try xxhsum("-H2", "k\(number)") == hash)
      }
    }
    #expect(seen > 0)
  }

  @Test("the last record of a name holds, and a removal ends it")
  func lastHolds() throws {
    try cache.put(key, "one", etag: "\"1\"")
    try cache.put(key, "three", etag: "\"2\"")
    #expect(try cache.store.record(of: key.name)?.bytes == 5)
    #expect(try cache.store.origin(of: key.name)?.etag == "\"2\"")
    #expect(try cache.text(key) == "three")
    #expect(try cache.store.remove(key.name, now: cache.now, why: "a \"test\""))
    #expect(try cache.store.record(of: key.name) == nil)
    #expect(try cache.store.origin(of: key.name) == nil)
    #expect(try cache.text(key) == nil)
    let last = try #require(lines(cache.cost(key.name.shard)).last)
    let object = #"{"name":"\#(key.name)","removed":1764480000123,"why":"a \"test\"""#
    #expect(last == (try sum(object)))
    try cache.put(key, "again")
    #expect(try cache.text(key) == "again")
    #expect(try cache.store.record(of: key.name)?.bytes == 5)
  }

  @Test("a record is written by one write, and holds what a simple program leaves out")
  func simplePrograms() throws {
    let shard = key.name.shard
    try append("{\"bytes\": 9, \"name\" : \"\(key.name)\"}\n", to: cache.cost(shard))
    let record = try #require(try cache.store.record(of: key.name))
    #expect(record.bytes == 9 && record.cost == 9 && record.hash == nil)
    try append("{\"name\":\"\(key.name)\",\"removed\":1}\n", to: cache.cost(shard))
    #expect(try cache.store.record(of: key.name) == nil)
  }

  @Test("a key, an ETag and further members of any text come back as they were")
  func anyText() throws {
    let odd = "\u{0}\u{1f}\"\\/ é 漢字 🖼 \u{7f}\u{2028}"
    let key = try CacheKey("odd" + odd, variant: "v=\(odd)")
    var request = StoreRequest(key: key)
    request.etag = "\"\(odd)\""
    request.others = [.init(name: "own" + odd, json: "[1,{\"a\":null}]")]
    try cache.store.put([1], request, now: cache.now)
    let origin = try #require(try cache.store.origin(of: key.name))
    #expect(origin.key == key && origin.etag == "\"\(odd)\"" && origin.others == request.others)
    #expect(try lines(cache.origin(key.name.shard)).count == 1)
  }

  @Test(
    "further members that would spoil the record are refused",
    arguments: ["", "{", "1,\"key\":2", "\"a\"\n", "nope", "1}"])
  func spoilt(json: String) throws {
    var request = StoreRequest(key: key)
    request.others = [.init(name: "own", json: json)]
    #expect(throws: StoreError.self) { try cache.store.put([1], request, now: cache.now) }
    #expect(try cache.text(key) == nil)
    #expect(!FileManager.default.fileExists(atPath: cache.origin(key.name.shard)))
  }

  @Test("a record longer than 64 KiB is refused, and the cache is as before")
  func tooLong() throws {
    try cache.put(key, "one")
    var request = StoreRequest(key: key)
    request.etag = String(repeating: "e", count: 65_536)
    #expect(throws: StoreError.self) { try cache.store.put([1], request, now: cache.now) }
    request.etag = String(repeating: "e", count: 65_000)
    try cache.store.put([2], request, now: cache.now)
    #expect(try cache.store.origin(of: key.name)?.etag?.utf8.count == 65_000)
  }
}
