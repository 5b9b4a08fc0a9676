import CacheModel
import Foundation
import TestSupport
import Testing

/// Whose processes the tests of sharing start: they need root to be other people.
private enum Guest: String {
  case owner = "--reuid=4001 --regid=4000 --clear-groups"
  case member = "--reuid=4002 --regid=4002 --groups=4000"
  case stranger = "--reuid=4003 --regid=4003 --clear-groups"
}

@Suite("Caches of several users", .enabled(if: geteuid() == 0, "being several users needs root"))
struct SharingTests {
  let folder: TemporaryDirectory
  let root: String

  init() throws {
    folder = try TemporaryDirectory(in: TemporaryDirectory.memory)
    root = folder.appending("cache")
    chmod(folder.path, 0o777)
  }

  private func command(_ guest: Guest?, _ words: String..., umask: String = "077") -> Command {
    let tool = [Repository.cachectl, "--root", root] + words
    let who = guest.map { ["setpriv"] + $0.rawValue.split(separator: " ").map(String.init) } ?? []
    return Command("sh", ["-c", "umask \(umask); exec \"$@\"", "sh"] + who + tool)
  }

  private func put(_ guest: Guest?, _ key: String, _ body: String) throws -> CommandResult {
    var put = command(guest, "put", key, "-")
    put.input = Array(body.utf8)
    return try put.run()
  }

  /// Path, mode, owner and group of everything in the cache.
  func listing(_ type: String) throws -> [String] {
    try Command("find", [root, "-type", type, "-printf", "%m %U %G %P\n"]).succeed().output
      .split(separator: "\n").map(String.init)
  }

  func use(as guest: String) throws {
    let guest = Guest(rawValue: guest)
    #expect(try put(guest, "a", "one").status == 0)
    #expect(try put(guest, "a", "two!").status == 0)
    #expect(try put(guest, "b", "three").status == 0)
    #expect(try command(guest, "get", "a").run().output == "two!")
    #expect(try command(guest, "compact").run().status == 0)
    #expect(try command(guest, "gc", "--max-count", "1").run().status == 0)
    #expect(try command(guest, "config", "max-count", "7").run().status == 0)
    #expect(try command(guest, "rm", "b").run().status == 0)
    #expect(try command(guest, "verify", "--strict").run().status == 0)
  }

  @Test(
    "modes are what the sharing says, whatever the umask",
    arguments: [
      ("private", "700", "600"), ("group", "2770", "660"), ("all", "2775", "664"),
    ], ["000", "077"])
  func modes(sharing: (name: String, directory: String, file: String), umask: String) throws {
    try command(.owner, "init", "--shared", sharing.name, umask: umask).succeed()
    var put = command(.owner, "put", "a", "-", umask: umask)
    put.input = [1, 2, 3]
    try put.succeed()
    try command(.owner, "gc", "--max-count", "0", umask: umask).succeed()
    try put.succeed()
    try command(.owner, "compact", umask: umask).succeed()
    for line in try listing("d") { #expect(line.hasPrefix("\(sharing.directory) 4001 4000 ")) }
    let files = try listing("f")
    #expect(files.count > 262)
    for line in files { #expect(line.hasPrefix("\(sharing.file) 4001 4000 "), "\(umask)") }
  }

  @Test("what root does in another user's cache leaves everything usable for its owner")
  func rootAsGuest() throws {
    try command(.owner, "init").succeed()
    #expect(try put(.owner, "c", "four").status == 0)
    try FileManager.default.removeItem(atPath: root + "/state")
    try use(as: "root")
    for type in ["d", "f"] {
      for line in try listing(type) { #expect(line.contains(" 4001 4000 "), "\(line)") }
    }
    try use(as: Guest.owner.rawValue)
  }

  @Test("members of the group store, replace, evict and compact in turn")
  func members() throws {
    try command(.owner, "init", "--shared", "group").succeed()
    for guest in [Guest.owner, .member, .owner, .member] { try use(as: guest.rawValue) }
    for line in try listing("f") { #expect(line.hasPrefix("660 ") && line.contains(" 4000 ")) }
  }

  @Test("a guest who may only read reads everything and changes nothing")
  func stranger() throws {
    try command(.owner, "init", "--shared", "all").succeed()
    for key in ["a", "b", "c"] { #expect(try put(.owner, key, key).status == 0) }
    let before = try TreeSnapshot(root)
    #expect(try command(.stranger, "get", "a").run().output == "a")
    for words in [["ls"], ["stat"], ["show", "b"], ["verify", "--strict"]] {
      var reading = command(.stranger)
      reading.arguments += words
      #expect(try reading.run().status == 0, "\(words)")
    }
    #expect(try command(.stranger, "gc", "-n", "--max-count", "1").run().status == 0)
    #expect(try put(.stranger, "d", "d").status == 3)
    for words in [
      ["rm", "a"], ["gc", "--max-count", "1"], ["compact"], ["config", "max-count", "1"],
    ] {
      var writing = command(.stranger)
      writing.arguments += words
      let result = try writing.run()
      #expect(
        result.status == 3 && result.errors.contains("Permission denied (EACCES)"), "\(words)")
    }
    #expect(try TreeSnapshot(root) == before)
  }
}
