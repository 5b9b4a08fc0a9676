import CacheModel
import Foundation
import TestSupport
import Testing

@testable import CacheStore

@Suite("What an entry can be") struct VerifyStateTests {
  @Test("a cache in order has nothing to find, and every entry and byte is checked")
  func sound() throws {
    let cache = try VerifyFixture()
    for index in 0..<300 { try cache.put(index, VerifyFixture.body(index, index * 7)) }
    let (findings, result) = cache.verify()
    #expect(findings == [])
    #expect(result.tally.entries == 300 && result.tally.sound == 300)
    #expect(result.tally.bytes == 7 * 299 * 300 / 2)
  }

  @Test("a store that did not reach its rename is interrupted; after a removal it would be damage")
  func interrupted() throws {
    let cache = try VerifyFixture()
    let first = try cache.put(1, [1, 2, 3])
    let second = try cache.put(2, [1, 2, 3])
    var lines = LineWriter()
    for name in [first, second] {
      if name == second { lines.removed(name, at: .now, why: "test") }
      lines.cost(
        CostRecord(
          name: name, bytes: 9, cost: 9, hash: ContentHash(high: 1, low: 2), stored: .now,
          used: .now))
      try FileBytes(path: "\(cache.root)/\(Layout.cost(name.shard))").change { $0 += lines.bytes }
      lines.clear()
    }
    #expect(cache.kinds() == [first: .interrupted, second: .damaged])
  }

  @Test("a record without a hash is compared by length, and counted")
  func simpleWriter() throws {
    let cache = try VerifyFixture()
    let name = try VerifyFixture.key(1).name
    try Data("12345".utf8).write(to: URL(fileURLWithPath: cache.path(name)))
    let line = "{\"name\":\"\(name)\",\"bytes\":5}\n"
    try Data(line.utf8).write(to: URL(fileURLWithPath: "\(cache.root)/\(Layout.cost(name.shard))"))
    let (findings, result) = cache.verify()
    #expect(findings == [] && result.tally.unhashed == 1 && result.tally.sound == 1)
    try Data("123456".utf8).write(to: URL(fileURLWithPath: cache.path(name)))
    #expect(cache.kinds() == [name: .damaged])
  }

  @Test("what is no regular file is foreign, is never opened, and nothing hangs")
  func specialFiles() throws {
    let cache = try VerifyFixture()
    let names = try (0..<6).map { try cache.put($0, [1]) }
    for name in names { unlink(cache.path(name)) }
    mkfifo(cache.path(names[0]), 0o600)
    symlink("/etc/passwd", cache.path(names[1]))
    mkdir(cache.path(names[2]), 0o700)
    try Command("mknod", [cache.path(names[3]), "c", "1", "5"]).succeed()
    try Command(
      "python3", ["-c", "import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])", "s"],
      in: (cache.path(names[4]) as NSString).deletingLastPathComponent
    ).succeed()
    rename(
      (cache.path(names[4]) as NSString).deletingLastPathComponent + "/s", cache.path(names[4]))
    try FileManager.default.createDirectory(
      atPath: cache.root + "/objects/zz", withIntermediateDirectories: false)
    try Command("sh", ["-c", "touch \"$1/objects/00/$(printf 'a\\377b')\"", "sh", cache.root])
      .succeed()
    let (findings, _) = cache.verify()
    let foreign = findings.filter { $0.kind == .foreign }
    #expect(Set(foreign.compactMap(\.name)) == Set(names[..<5]))
    #expect(
      Set(foreign.filter { $0.name == nil }.map(\.path)) == ["objects/zz", "objects/00/a\\xffb"])
    #expect(findings.filter { $0.kind != .foreign }.map(\.kind) == [.missing])
  }

  @Test("a manifest that is no regular file leaves its shard unchecked, and every other is checked")
  func specialManifests() throws {
    let cache = try VerifyFixture()
    let names = try (0..<600).map { try cache.put($0, [1]) }
    let shard = names[0].shard
    unlink("\(cache.root)/\(Layout.cost(shard))")
    mkfifo("\(cache.root)/\(Layout.cost(shard))", 0o600)
    let (findings, result) = cache.verify()
    #expect(findings.map(\.path) == [Layout.cost(shard)])
    #expect(findings.map(\.kind) == [.unreadable])
    #expect(result.tally.sound == Int64(names.count { $0.shard != shard }))
  }

  @Test("a shard that is gone is unreadable, and every other is checked")
  func lostShard() throws {
    let cache = try VerifyFixture()
    let names = try (0..<600).map { try cache.put($0, [1]) }
    try FileManager.default.removeItem(atPath: "\(cache.root)/\(Layout.objects(names[0].shard))")
    let (findings, result) = cache.verify()
    #expect(findings.map(\.path) == [Layout.objects(names[0].shard)])
    #expect(result.tally.sound == Int64(names.count { $0.shard != names[0].shard }))
  }

  @Test(
    "a file of a dead writer is a leftover once it is an hour old; a locked or young one is not")
  func leftovers() throws {
    let cache = try VerifyFixture()
    for name in ["old", "held", "young"] {
      try Data([1, 2]).write(to: URL(fileURLWithPath: "\(cache.root)/tmp/\(name)"))
    }
    for name in ["old", "held"] {
      try Command("touch", ["-d", "3 hours ago", "\(cache.root)/tmp/\(name)"]).succeed()
    }
    let held = open(cache.root + "/tmp/held", O_RDONLY)
    defer { close(held) }
    #expect(flock(held, LOCK_EX) == 0)
    let findings = cache.verify().findings
    #expect(findings.map(\.kind) == [.leftover] && findings.map(\.path) == ["tmp/old"])
  }

  @Test("checking moves no time and no byte, of objects, directories and manifests")
  func neutral() throws {
    let cache = try VerifyFixture()
    let names = try (0..<50).map { try cache.put($0, VerifyFixture.body($0, 500)) }
    try FileBytes(path: cache.path(names[3])).change { $0[0] ^= 1 }
    unlink(cache.path(names[4]))
    let paths = try Command("find", [cache.root]).succeed().output.split(separator: "\n").map(
      String.init)
    // Access times so old that relatime would move them; reading a directory would as well.
    try Command("touch", ["-a", "-d", "2 days ago"] + paths).succeed()
    let before = try times(paths)
    #expect(cache.verify().findings.count == 2)
    #expect(try times(paths) == before)
  }

  private func times(_ paths: [String]) throws -> String {
    try Command("stat", ["-c", "%n %s %X %Y %a"] + paths).succeed().output
  }
}

extension Command {
  /// A program in a folder.
  init(_ executable: String, _ arguments: [String], in directory: String) {
    self.init(executable, arguments)
    self.directory = directory
  }
}
