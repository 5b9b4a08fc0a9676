import Foundation
import TestSupport
import Testing

/// What foreign, broken or malicious manifests do to the commands that read them: no crash, no hang,
/// nothing outside the root, and every other entry still served.
@Suite("hostile manifests") struct HostileManifestTests {
  let cache: TestCache
  let key = "https://img.example/good.gif"

  init() throws {
    cache = try TestCache()
    try cache.put(key, Sample.gif)
  }

  static let name = String(repeating: "ab", count: 32)

  static let lines: [String: [UInt8]] = [
    "empty": [], "blank": Array("\n\n\n".utf8), "NULs": [UInt8](repeating: 0, count: 4096),
    "no UTF-8": [0xff, 0xfe, 0x22, 10], "byte order mark": [0xef, 0xbb, 0xbf] + Array("{}\n".utf8),
    "huge exponent": Array(#"{"name":"\#(name)","bytes":1147e02864}"#.utf8) + [10],
    "fraction": Array(#"{"name":"\#(name)","bytes":123.45}"#.utf8) + [10],
    "beyond 64 bits": Array(#"{"name":"\#(name)","bytes":99999999999999999999}"#.utf8) + [10],
    "largest": Array(
      #"{"name":"\#(name)","bytes":9223372036854775807,"cost":9223372036854775807,"used":-9223372036854775808,"stored":9223372036854775807}"#
        .utf8) + [10],
    "negative": Array(#"{"name":"\#(name)","bytes":-1,"cost":-5}"#.utf8) + [10],
    "traversal": Array(#"{"name":"../../victim","bytes":1}"#.utf8) + [10],
    "absolute": Array(#"{"name":"/etc/passwd","bytes":1}"#.utf8) + [10],
    "NUL in name": Array(#"{"name":"..\u0000x","bytes":1}"#.utf8) + [10],
    "upper case": Array(#"{"name":"\#(name.uppercased())","bytes":1}"#.utf8) + [10],
    "lone surrogate": Array(#"{"name":"\#(name)","key":"\ud800","bytes":1}"#.utf8) + [10],
    "twice": Array(#"{"name":"\#(name)","name":"\#(name)","bytes":1}"#.utf8) + [10],
    "deep": Array((String(repeating: "[", count: 20_000) + "\n").utf8),
    "deep member": Array(
      (#"{"name":"\#(name)","bytes":1,"x":"# + String(repeating: "[", count: 5000) + "\n").utf8),
    "long": [UInt8](repeating: 0x61, count: 3_000_000) + [10],
    "torn": Array(#"{"name":"abab"#.utf8),
    "wrong key": Array(#"{"name":"\#(name)","key":"k","checked":1}"#.utf8) + [10],
    "wrong sum": Array(#"{"name":"\#(name)","bytes":1,"sum":"0000000000000000"}"#.utf8) + [10],
    "array": Array("[1,2,3]\n".utf8), "text": Array("hello\n".utf8),
  ]

  @Test("every command copes, in front of and behind good lines", arguments: lines.keys.sorted())
  func cope(_ kind: String) throws {
    let bad = try #require(Self.lines[kind])
    let victim = cache.directory.appending("victim")
    try write([7], to: victim)
    for file in ["cost.jsonl", "etag.jsonl"] {
      let path = try cache.manifest(key, file)
      let good = try bytes(of: path)
      for text in [bad + good, good + bad] {
        let isWhole = text.starts(with: good) || bad.isEmpty || bad.last == 10
        try write(text, to: path)
        try everyCommand()
        #expect(try cache.succeed("get", key).outputBytes == Sample.gif, "\(kind) in \(file)")
        if isWhole { #expect(try cache.listed().contains(key), "\(kind) in \(file)") }
      }
      try write(good, to: path)
    }
    #expect(try bytes(of: victim) == [7])
  }

  private func everyCommand() throws {
    for words in [
      ["ls"], ["ls", "--sort", "key"], ["ls", "--host", "img.example"], ["show", key], ["stat"],
      ["stat", "--exact"], ["gc", "--max-size", "1GB", "-n"], ["__keys", "--", "https"],
      ["show", Self.name],
      ["rm", "--prefix", "nope"],
    ] {
      var command = cache.command(words)
      command.limit = .seconds(30)
      let result = try command.run()
      #expect([0, 1, 3].contains(result.status), "\(words): \(result.errors)")
    }
  }

  @Test("compacting drops bad lines and keeps the entry")
  func compact() throws {
    for (kind, bad) in Self.lines.sorted(by: { $0.key < $1.key }) {
      let path = try cache.manifest(key, "cost.jsonl")
      try write(bytes(of: path) + bad, to: path)
      try cache.succeed("compact")
      #expect(try cache.succeed("get", key).outputBytes == Sample.gif, "\(kind)")
      #expect(try cache.listed().contains(key), "\(kind)")
    }
  }

  @Test(
    "a store behind a torn line starts on a line of its own",
    arguments: ["cost.jsonl", "etag.jsonl"])
  func torn(_ file: String) throws {
    let path = try cache.manifest(key, file)
    try write(bytes(of: path) + Array(#"{"name":"ab"#.utf8), to: path)
    try cache.put(key, Sample.png)
    #expect(try cache.succeed("get", key).outputBytes == Sample.png)
    #expect(try cache.listed() == [key])
  }

  @Test(
    "a manifest that is no file is a failure of its shard alone",
    arguments: ["fifo", "directory", "link"])
  func foreign(_ kind: String) throws {
    let path = try cache.manifest(key, "cost.jsonl")
    try cache.put("other", [1])
    try Command("rm", [path]).succeed()
    switch kind {
    case "fifo": try Command("mkfifo", [path]).succeed()
    case "directory": try Command("mkdir", [path]).succeed()
    default: try Command("ln", ["-s", "/etc/passwd", path]).succeed()
    }
    for words in [
      ["ls"], ["stat"], ["show", key], ["put", key, "/etc/hostname"],
      ["gc", "--max-count", "0", "-n"],
    ] {
      var command = cache.command(words)
      command.limit = .seconds(30)
      #expect([0, 1, 3].contains(try command.run().status), "\(words)")
    }
    #expect(try cache.succeed("get", "other").outputBytes == [1])
  }

  @Test("members that others wrote into a record survive a compaction")
  func unknownMembers() throws {
    let path = try cache.manifest(key, "etag.jsonl")
    let line =
      #"{"name":"\#(try cache.name(key))","key":"\#(key)","checked":5,"theirs":{"deep":[1,"x"]},"etag":"\"v9\""}"#
    try write(bytes(of: path) + Array((line + "\n").utf8), to: path)
    try cache.succeed("compact")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == line + "\n")
    #expect(try cache.json("show", key)["etag"] as? String == "\"v9\"")
  }
}
