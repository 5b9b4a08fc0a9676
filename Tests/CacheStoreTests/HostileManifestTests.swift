import CacheModel
import Foundation
import SeededRandom
import TestSupport
import Testing

@testable import CacheStore

@Suite("Hostile manifests")
struct HostileManifestTests {
  let cache: CacheFixture
  let shard = Shard(0x3f)
  let keys: [CacheKey]

  init() throws {
    cache = try CacheFixture()
    keys = try CacheStoreTests.keys(in: shard, 3)
    for key in keys { try cache.put(key, "body") }
  }

  private static let name = "3f" + String(repeating: "ab", count: 31)

  /// Lines that are no records, as bytes.
  static let lines: [(what: String, bytes: [UInt8])] = [
    ("nothing", []),
    ("blanks", Array("  \t".utf8)),
    ("NULs", [UInt8](repeating: 0, count: 4096)),
    ("a byte order mark", [0xef, 0xbb, 0xbf]),
    ("binary", (0...255).map { UInt8($0) }.filter { $0 != 0x0a }),
    (
      "invalid UTF-8",
      Array("{\"name\":\"\(name)\",\"bytes\":1,\"x\":\"".utf8) + [0xff, 0xfe] + Array("\"}".utf8)
    ),
    (
      "an invalid name of a member",
      Array("{\"name\":\"\(name)\",\"bytes\":1,\"".utf8) + [0xff] + Array("\":1}".utf8)
    ),
    ("an open object", Array("{\"name\":\"\(name)\",\"bytes\":1".utf8)),
    ("an array", Array("[{\"name\":\"\(name)\",\"bytes\":1}]".utf8)),
    ("two objects", Array("{\"name\":\"\(name)\",\"bytes\":1}{}".utf8)),
    ("deep nesting", [UInt8](repeating: 0x5b, count: 60_000)),
    ("deep objects", Array(String(repeating: "{\"a\":", count: 12_000).utf8)),
    (
      "more members than any record",
      Array(
        ("{\"name\":\"\(name)\",\"bytes\":1" + (0..<300).map { ",\"m\($0)\":0" }.joined() + "}")
          .utf8)
    ),
    ("a line of 200 kB", [UInt8](repeating: 0x7b, count: 200_000)),
    (
      "a line just too long",
      Array(
        "{\"name\":\"\(name)\",\"bytes\":1,\"x\":\"\(String(repeating: "x", count: 65_536))\"}".utf8
      )
    ),
  ]

  /// Members that no record may have; each stands in an otherwise good line.
  static let members = [
    #""bytes":1e3"#, #""bytes":1.0"#, #""bytes":-1"#, #""bytes":9223372036854775808"#,
    #""bytes":18446744073709551616"#, #""bytes":1147e02864"#, #""bytes":"1""#, #""bytes":null"#,
    #""bytes":true"#, #""bytes":[1]"#, #""bytes":01"#, #""bytes":1,"bytes":1"#, #""bytes":NaN"#,
    #""bytes":1,"cost":-1"#, #""bytes":1,"used":1.5"#, #""bytes":1,"xxh128":"ABC""#,
    #""bytes":1,"xxh128":"\#(String(repeating: "A", count: 32))""#,
    #""bytes":1,"name":"\#(name)""#, #""bytes":1,"sum":"0123456789abcdef""#,
    #""sum":"0123456789abcdef","bytes":1"#, #""bytes":1,"x":"\ud800""#,
    #""bytes":1,"removed":"now""#,
    #""bytes":1,"x":"\#u{1}""#, #""stored":1"#, "",
  ]

  /// Names that must never become a path.
  static let names = [
    "", "..", "../../victim", "/etc/passwd", "..\\u0000x", "../cache-old/x",
    String(repeating: "a", count: 63), String(repeating: "a", count: 65),
    String(repeating: "A", count: 64), String(repeating: "g", count: 64),
    "3f/" + String(repeating: "a", count: 61), String(repeating: "é", count: 32),
    String(repeating: "a", count: 63) + "\\u0000",
  ]

  func census() throws -> Census { try cache.store.scan(ScanRequest(now: .now)) { _, _ in } }

  /// Puts a line between two good ones: it is damaged, and costs neither.
  func expectDamaged(_ line: [UInt8], _ what: String) throws {
    for path in [cache.cost(shard), cache.origin(shard)] {
      let good = try bytes(path)
      let cut = try #require(good.firstIndex(of: 0x0a)) + 1
      try write(good[..<cut] + line + [0x0a] + good[cut...], to: path)
      defer { try? write(good, to: path) }
      if path == cache.cost(shard) {
        let census = try census()
        #expect(
          census.damagedLines == 1 && census.records == 3 && census.usage.entries == 3, "\(what)")
      }
      for key in keys {
        #expect(try cache.store.record(of: key.name)?.bytes == 4, "\(what)")
        #expect(try cache.store.origin(of: key.name)?.key == key, "\(what)")
      }
    }
  }

  @Test("a line that is no record is damaged alone, whatever it is")
  func noRecords() throws {
    for line in Self.lines { try expectDamaged(line.bytes, line.what) }
  }

  @Test("a member with a wrong value makes its line damaged alone")
  func wrongMembers() throws {
    for member in Self.members {
      try expectDamaged(Array("{\"name\":\"\(Self.name)\",\(member)}".utf8), member)
    }
  }

  @Test("a name that is not 64 lower-case hex digits never becomes a path")
  func wrongNames() throws {
    for name in Self.names {
      try expectDamaged(Array("{\"name\":\"\(name)\",\"key\":\"k\",\"bytes\":1}".utf8), name)
    }
  }

  @Test("a record of another shard in a manifest touches nothing there")
  func otherShard() throws {
    let other = try #require(try CacheStoreTests.keys(in: Shard(0x40), 1).first)
    try cache.put(other, "other")
    try append("{\"name\":\"\(other.name)\",\"removed\":1}\n", to: cache.cost(shard))
    try append("{\"name\":\"\(other.name)\",\"bytes\":1000000000}\n", to: cache.cost(shard))
    let census = try census()
    #expect(census.usage.bytes == 3 * 4 + 5)
    #expect(try cache.text(other, check: .content) == "other")
  }

  @Test("sums of absurd records do not overflow, and absurd entries are looked at")
  func absurd() throws {
    for number in 0..<8 {
      let name = "3f" + String(repeating: "0", count: 61) + "\(number)"
      try append(
        "{\"name\":\"\(name)\",\"bytes\":\(Int64.max),\"cost\":\(Int64.max)}\n",
        to: cache.cost(shard))
      try write([1], to: cache.path("objects/3f/\(name)"))
    }
    let census = try census()
    #expect(census.usage.bytes == 8 + 12)
    #expect(census.usage.cost == Int128(Int64.max) * 8 + 12)
  }

  @Test(
    "a manifest that is a directory, a FIFO or an endless device is not read",
    arguments: ["mkdir", "mkfifo", "mknod"])
  func noFile(how: String) throws {
    for path in [cache.cost(shard), cache.origin(shard)] {
      try FileManager.default.removeItem(atPath: path)
      try Command(how, [path] + (how == "mknod" ? ["c", "1", "5"] : [])).succeed()
    }
    let census = try census()
    #expect(census.problems.map(\.path) == ["manifests/3f/cost.jsonl"])
    #expect(census.usage.entries == 3)
    #expect(throws: StoreError.self) { try cache.store.origin(of: keys[0].name) }
    #expect(try cache.text(keys[0]) == "body")
    let error = #expect(throws: StoreError.self) { try cache.put(keys[0], "new") }
    #expect(error?.path.hasPrefix("manifests/3f/") == true)
    #expect(try cache.text(keys[0]) == "body")
  }
}
