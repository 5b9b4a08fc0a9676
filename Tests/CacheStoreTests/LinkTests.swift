import Foundation
import TestSupport
import Testing

@Suite("Symbolic links in the cache")
struct LinkTests {
  let folder: TemporaryDirectory
  let root: String
  let outside: String
  let image: String

  init() throws {
    folder = try TemporaryDirectory(in: TemporaryDirectory.memory)
    root = folder.appending("cache")
    outside = folder.appending("outside")
    image = folder.appending("image")
    try write(Array("body".utf8), to: image)
    try Command.cachectl("init", root).succeed()
  }

  func run(_ words: [String]) throws -> CommandResult {
    try Command(Repository.cachectl, ["--root", root] + words).run()
  }

  /// Every command, on an entry whose shard is 82 (`printf k | sha256sum`).
  static let commands: [[String]] = [
    ["get", "k"], ["show", "k"], ["ls"], ["stat"], ["verify"], ["gc", "-n", "--max-count", "0"],
    ["put", "k", "IMAGE"], ["put", "other", "IMAGE"], ["compact"], ["rm", "k"],
    ["gc", "--max-count", "0"], ["gc", "--full", "--max-count", "0"], ["compact"],
    ["config", "max-count", "5"], ["put", "k", "IMAGE"],
  ]

  static let statuses: Set<Int32> = [0, 1, 2, 3, 4, 5, 6]

  @Test(
    "is never followed, be it a directory or a file: nothing outside is read, written or removed",
    arguments: [
      "objects", "objects/82", "manifests", "manifests/82", "manifests/82/lock",
      "manifests/82/cost.jsonl", "manifests/82/etag.jsonl", "tmp", "state", "state/gc.lock",
      "state/evictions.jsonl", "quarantine", "cachectl.json", "CACHEDIR.TAG",
    ])
  func links(path: String) throws {
    for words in [["put", "k", image], ["put", "other", image], ["gc", "--max-count", "9"]] {
      #expect(try run(words).status == 0)
    }
    // What stood there lies outside now, so that a follower finds just what it expects.
    let name = String(path.split(separator: "/").last ?? "")
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: false)
    if exists(root + "/" + path) {
      try Command("mv", [root + "/" + path, outside]).succeed()
    } else {
      try write([], to: outside + "/" + name)
    }
    try Command("ln", ["-s", outside + "/" + name, root + "/" + path]).succeed()
    let before = try TreeSnapshot(outside)
    for words in Self.commands {
      let result = try run(words.map { $0 == "IMAGE" ? image : $0 })
      #expect(Self.statuses.contains(result.status), "\(words): \(result.ending) \(result.errors)")
      #expect(try TreeSnapshot(outside) == before, "\(words)")
    }
    if path != "cachectl.json" { #expect(try FileFacts(root + "/" + path).mode == 0o777) }
  }

  @Test(
    "as an object is reported, and neither followed nor removed by gc", arguments: [true, false])
  func asObject(isDirectory: Bool) throws {
    #expect(try run(["put", "k", image]).status == 0)
    try FileManager.default.createDirectory(
      atPath: outside + "/deep", withIntermediateDirectories: true)
    try write([1, 2, 3], to: outside + "/deep/victim")
    let target = outside + (isDirectory ? "/deep" : "/deep/victim")
    let link = root + "/objects/82/82" + String(repeating: "ab", count: 31)
    try Command("ln", ["-s", target, link]).succeed()
    let before = try TreeSnapshot(outside)
    let gc = try run(["--json", "gc", "--max-count", "0"])
    #expect(gc.status == 0)
    #expect(try gc.json()["foreign"] as? Int == 1)
    #expect(exists(link))
    #expect(try TreeSnapshot(outside) == before)
    #expect(try run(["get", "82" + String(repeating: "ab", count: 31)]).status == 1)
  }

  @Test("a root may be named by a link, and a shard that is a link is no shard")
  func rootLink() throws {
    let link = folder.appending("link")
    try Command("ln", ["-s", root, link]).succeed()
    #expect(try Command.cachectl("--root", link, "put", "k", image).run().status == 0)
    #expect(try run(["get", "k"]).output == "body")
  }
}
