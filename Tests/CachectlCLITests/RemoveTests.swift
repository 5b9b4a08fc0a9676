import Foundation
import TestSupport
import Testing

@Suite("rm") struct RemoveTests {
  let cache: TestCache

  init() throws {
    cache = try TestCache()
    for host in ["a", "b"] {
      for number in 0..<5 { try cache.put("https://\(host).example/\(number)", [UInt8(number)]) }
    }
  }

  @Test("entries go by key and by name, and what is not there is no error")
  func named() throws {
    let name = try cache.name("https://a.example/1")
    let outcome = try cache.json("rm", "https://a.example/0", name, "nope")
    #expect(outcome.object("removed").number("entries") == 2)
    #expect(outcome.number("absent") == 1)
    #expect(outcome.number("status") == 0)
    #expect(try cache.objects().count == 10 - 2)
    #expect(try cache.run("get", "https://a.example/0").status == 1)
    #expect(try cache.succeed("rm", "https://a.example/0").output.contains("removed 0 entries"))
  }

  @Test("filters remove what they say, all of them together")
  func filters() throws {
    try cache.succeed("rm", "--host", "a.example", "--prefix", "https://a.example/3")
    #expect(try cache.objects().count == 10 - 1)
    try cache.succeed("rm", "--host", "A.example")
    #expect(try cache.listed().allSatisfy { $0.hasPrefix("https://b.") })
    try cache.succeed("rm", "--older-than", "1h")
    #expect(try cache.objects().count == 5)
    try cache.succeed("rm", "--older-than", "0")
    #expect(try cache.objects().isEmpty)
  }

  @Test("a dry run lists what would go and removes nothing")
  func dryRun() throws {
    let outcome = try cache.json("rm", "--host", "a.example", "-n")
    #expect(outcome.objects("entries").count == 5)
    #expect(outcome.object("removed").number("entries") == 5)
    #expect(try cache.objects().count == 10)
    #expect(
      try cache.succeed("rm", "-n", "https://a.example/0", "nope").output.contains(
        "would remove 1 "))
    #expect(try cache.objects().count == 10)
  }

  @Test("--from takes keys and names, and one bad line stops it before anything is done")
  func from() throws {
    let list = cache.directory.appending("list")
    let name = try cache.name("https://a.example/1")
    try write(Array("https://a.example/0\n\n\(name)\nhttps://b.example/4".utf8), to: list)
    try cache.succeed("rm", "--from", list)
    #expect(try cache.objects().count == 10 - 3)
    for bad in [
      Array("https://a.example/2\n".utf8) + [0xff, 10], Array(repeating: 65, count: 9000),
    ] {
      let result = try cache.run("rm", "--from", "-", input: bad)
      #expect(result.status == 2)
      #expect(result.errors.contains("standard input:"))
    }
    #expect(try cache.objects().count == 10 - 3)
    #expect(try cache.run("rm", "--from", list + "x").status == 3)
  }

  @Test("a name that would leave the root is a key like any other")
  func hostile() throws {
    let victim = cache.directory.appending("victim")
    try write([1], to: victim)
    for key in ["../victim", victim, "..", "objects", "cachectl.json", "../../victim"] {
      try cache.succeed("rm", "--", key)
    }
    #expect(try bytes(of: victim) == [1])
    #expect(try cache.objects().count == 10)
    #expect(FileManager.default.fileExists(atPath: cache.root + "/cachectl.json"))
  }

  @Test("removed entries stay removed, and the shard's records are right")
  func settled() throws {
    try cache.succeed("rm", "--older-than", "0")
    let figures = try cache.json("stat")
    #expect(figures.object("usage").number("entries") == 0)
    #expect(figures.number("records") == 0)
    #expect(figures.number("missing") == 0)
    try cache.put("https://a.example/0", [7])
    #expect(try cache.succeed("get", "https://a.example/0").outputBytes == [7])
  }
}
