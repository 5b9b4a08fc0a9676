import Foundation
import TestSupport
import Testing

@Suite("import") struct ImportTests {
  let cache: TestCache
  let tree: String

  init() throws {
    cache = try TestCache()
    tree = cache.directory.appending("tree")
    try Command("mkdir", ["-p", tree + "/deep/er"]).succeed()
  }

  func importTree(_ words: String...) throws -> [String: Any] {
    try cache.command(["--json", "import", tree, "--base-url", "https://img.example/x/"] + words)
      .run().json()
  }

  @Test("keys are the base and the percent-encoded path, types come from the content")
  func keys() throws {
    try write(Sample.png, to: tree + "/deep/er/a.txt")
    try write(Sample.gif, to: tree + "/a b?c#d%e&f.gif")
    try write([1], to: tree + "/ü")
    let outcome = try importTree()
    #expect(outcome.object("stored").number("entries") == 3)
    #expect(outcome.number("untyped") == 1)
    #expect(
      try Set(cache.listed()) == [
        "https://img.example/x/deep/er/a.txt", "https://img.example/x/a%20b%3Fc%23d%25e&f.gif",
        "https://img.example/x/%C3%BC",
      ])
    #expect(
      try cache.json("show", "https://img.example/x/deep/er/a.txt")["type"] as? String
        == "image/png")
  }

  @Test("a name that is not UTF-8 becomes a key by its bytes")
  func rawNames() throws {
    try Command("bash", ["-c", "printf x > \"$0\"/$'\\xff\\xfe.png'", tree]).succeed()
    #expect(try importTree().object("stored").number("entries") == 1)
    #expect(try cache.listed() == ["https://img.example/x/%FF%FE.png"])
  }

  @Test("a second import stores nothing again, and what was lost or changed comes back")
  func again() throws {
    for number in 0..<20 { try write([UInt8(number)], to: "\(tree)/\(number)") }
    try write([UInt8](repeating: 7, count: 1_500_000), to: tree + "/long")
    #expect(try importTree().object("stored").number("entries") == 21)
    let second = try importTree()
    #expect(second.object("stored").number("entries") == 0)
    #expect(second.object("unchanged").number("bytes") == 20 + 1_500_000)
    try Command("rm", [cache.object("https://img.example/x/3")]).succeed()
    try write([99], to: tree + "/4")
    #expect(try importTree().object("stored").number("entries") == 1 + 1)
    #expect(try cache.succeed("get", "https://img.example/x/4").outputBytes == [99])
  }

  @Test("links are left out, wherever they point, and so are FIFOs and the cache itself")
  func skipped() throws {
    try write(Sample.gif, to: tree + "/real")
    try write([1], to: cache.directory.appending("outside"))
    try Command("ln", ["-s", "real", tree + "/inside"]).succeed()
    try Command("ln", ["-s", cache.directory.appending("outside"), tree + "/out"]).succeed()
    try Command("ln", ["-s", "/etc", tree + "/etc"]).succeed()
    try Command("ln", ["-s", "nowhere", tree + "/broken"]).succeed()
    try Command("mkfifo", [tree + "/fifo"]).succeed()
    try Command("mv", [cache.root, tree + "/cache"]).succeed()
    var command = Command(
      Repository.cachectl,
      ["--json", "--root", tree + "/cache", "import", tree, "--base-url", "https://img.example"])
    command.limit = .seconds(30)
    let outcome = try command.succeed().json()
    #expect(outcome.object("stored").number("entries") == 1)
    #expect(outcome.number("links") == 4)
    #expect(outcome.number("others") == 1 + 1)
  }

  @Test("a link that a person names is followed, and a file goes by its own name")
  func named() throws {
    try write(Sample.gif, to: tree + "/a.gif")
    let link = cache.directory.appending("link")
    try Command("ln", ["-s", tree, link]).succeed()
    try cache.succeed("import", link, tree + "/a.gif", "--base-url", "https://img.example")
    #expect(try cache.listed() == ["https://img.example/a.gif"])
  }

  @Test("what cannot be read is named and makes the status 3, and the rest is stored")
  func unreadable() throws {
    try write(Sample.gif, to: tree + "/a.gif")
    let result = try cache.run("import", "/no/such", tree, "--base-url", "https://img.example")
    #expect(result.status == 3)
    #expect(result.errors.contains("/no/such"))
    #expect(try cache.listed() == ["https://img.example/a.gif"])
  }

  @Test("a path that makes a key too long is a failure of that file alone")
  func longPath() throws {
    let part = String(repeating: "ü", count: 120)
    let deep = ([tree] + Array(repeating: part, count: 13)).joined(separator: "/")
    try Command("mkdir", ["-p", deep]).succeed()
    try write(Sample.gif, to: deep + "/a.gif")
    try write(Sample.gif, to: tree + "/b.gif")
    let outcome = try importTree()
    #expect(outcome.number("failed") == 1)
    #expect(outcome.object("stored").number("entries") == 1)
  }
}
