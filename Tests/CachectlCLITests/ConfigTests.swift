import Foundation
import TestSupport
import Testing

@Suite("init and config") struct ConfigTests {
  @Test("what init is told, config shows and gc obeys")
  func policy() throws {
    let cache = try TestCache(
      "--max-count", "2", "--max-age", "7d", "--min-free", "1%", "--durable")
    let settings = try cache.json("config").object("settings")
    #expect(settings.number("max_count") == 2)
    #expect(settings.number("max_age") == 7 * 86_400)
    #expect(settings["min_free"] as? String == "1%")
    #expect(settings["durable"] as? Bool == true)
    #expect(settings["max_size"] is NSNull)
    for number in 0..<5 { try cache.put("k\(number)", [1]) }
    try cache.succeed("gc")
    #expect(try cache.objects().count == 2)
  }

  static let values = [
    ("max-size", "1.5GB", "1500000000"), ("max-size", "0", "0"), ("max-count", "0", "0"),
    ("max-cost", "9223372036854775807", "9223372036854775807"), ("max-age", "48h", "2d"),
    ("max-age", "90s", "90s"), ("min-free", "10%", "10%"), ("min-free", "5GiB", "5368709120"),
    ("min-free-inodes", "1000", "1000"), ("target", "80%", "80"), ("measure", "disk", "disk"),
    ("grace", "1h", "1h"), ("durable", "true", "true"), ("max-size", "none", "none"),
    ("audience", "shared", "shared"), ("audience", "none", "private"),
    ("allow-net", "10.0.0.0/8  fd00::/8", "10.0.0.0/8 fd00::/8"), ("allow-net", "none", "none"),
  ]

  @Test("a value that is set is the value that is read", arguments: values)
  func set(_ name: String, _ typed: String, _ read: String) throws {
    let cache = try TestCache()
    try cache.succeed("config", name, typed)
    #expect(try cache.succeed("config", name).output == read + "\n")
    // What is printed can be typed.
    try cache.succeed("config", name, read)
    #expect(try cache.succeed("config", name).output == read + "\n")
  }

  static let refused = [
    ("max-size", "-1"), ("max-size", "abc"), ("max-size", ""), ("max-size", "2 "),
    ("max-size", "1e3"),
    ("max-size", "9223372036854775808"), ("max-size", "8796093022208TiB"), ("max-count", "2.5"),
    ("max-age", "7"), ("max-age", "99999999999999999w"), ("min-free", "101%"), ("target", "0"),
    ("target", "101"), ("measure", "inodes"), ("durable", "yes"), ("shared", "all"), ("nope", "1"),
    ("audience", "both"), ("allow-net", "10.0.0.1/8"), ("allow-net", "10.0.0.0/8 host"),
  ]

  @Test(
    "a value that does not fit is a usage error that names it, and changes nothing",
    arguments: refused)
  func refuse(_ name: String, _ value: String) throws {
    let cache = try TestCache("--max-size", "1GB")
    let before = try bytes(of: cache.root + "/cachectl.json")
    let result = try cache.run("config", "--", name, value)
    #expect(result.status == 2)
    #expect(result.errors.contains(name))
    #expect(try bytes(of: cache.root + "/cachectl.json") == before)
  }

  @Test("megabytes are multiplied in 64 bits: what does not fit is refused, the rest is exact")
  func megabytes() throws {
    for (typed, bytes) in [("2048", 2_048_000_000), ("4096", 4_096_000_000)] {
      let cache = try TestCache("--max-mb", typed)
      #expect(try cache.json("config").object("settings").number("max_size") == bytes)
    }
    let folder = try TemporaryDirectory()
    for typed in ["8796093022208000", "9223372036855", "2.5", "abc", "-1", "", " 2"] {
      let result = try Command.cachectl("init", folder.appending("c"), "--max-mb=" + typed).run()
      #expect(result.status == 2, "\(typed)")
      #expect(!FileManager.default.fileExists(atPath: folder.appending("c")))
    }
  }

  @Test("members that others wrote stay in cachectl.json")
  func unknownMembers() throws {
    let cache = try TestCache()
    let path = cache.root + "/cachectl.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try write(Array((text.dropLast(2) + ",\"theirs\":{\"a\":[1,2]}}\n").utf8), to: path)
    try cache.succeed("config", "max-count", "5")
    let kept = try String(contentsOfFile: path, encoding: .utf8)
    #expect(kept.contains("\"theirs\":{\"a\":[1,2]}"))
    #expect(kept.contains("\"max_count\":5"))
  }

  @Test("of many changes at once none is lost")
  func concurrent() throws {
    let cache = try TestCache()
    let changes = ["max-size", "max-count", "max-cost", "grace", "max-age", "min-free"].map {
      ["config", $0, ["grace", "max-age"].contains($0) ? "5h" : "5"]
    }
    let running = try changes.map { try cache.command($0).start() }
    for command in running { #expect(try command.wait().status == 0) }
    let settings = try cache.succeed("config").output
    #expect(settings.matches(of: #/ 5h?\n/#).count == changes.count)
  }

  @Test("init makes nothing where something is, and completes what was cut short")
  func refusals() throws {
    let cache = try TestCache()
    let again = try Command.cachectl("init", cache.root).run()
    #expect(again.status == 2)
    #expect(again.errors.contains("cache already"))
    let folder = try TemporaryDirectory()
    try write([1], to: folder.appending("theirs"))
    #expect(try Command.cachectl("init", folder.path).run().status == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["theirs"])
    try Command("rm", [cache.root + "/cachectl.json"]).succeed()
    #expect(try cache.run("ls").status == 6)
    try Command.cachectl("init", cache.root).succeed()
    try cache.put("k", [1])
  }

  @Test(
    "shared caches get their modes whatever the umask",
    arguments: [
      ("private", "600", "700"), ("group", "660", "2770"), ("all", "664", "2775"),
    ])
  func modes(_ sharing: String, _ file: String, _ directory: String) throws {
    let folder = try TemporaryDirectory()
    let root = folder.appending("c")
    let script =
      "umask 077; \"$0\" init -q \"$1\" --shared \(sharing) && printf x | \"$0\" --root \"$1\" put k -"
    try Command("bash", ["-c", script, Repository.cachectl, root]).succeed()
    let find = { (kind: String) in
      try Command("find", [root, "-type", kind, "-printf", "%m\n"]).succeed().output
        .split(separator: "\n").map(String.init)
    }
    #expect(try Set(find("f")) == [file])
    #expect(try Set(find("d")) == [directory])
  }
}
