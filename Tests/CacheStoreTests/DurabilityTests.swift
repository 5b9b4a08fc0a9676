import Foundation
import TestSupport
import Testing

@Suite("What a durable store waits for")
struct DurabilityTests {
  let folder: TemporaryDirectory
  let root: String
  let image: String

  init() throws {
    folder = try TemporaryDirectory(in: TemporaryDirectory.memory)
    root = folder.appending("cache")
    image = folder.appending("image")
    try write(Array("body".utf8), to: image)
  }

  /// The calls of a put that change the disk or sync it, with short names for the files.
  func calls() throws -> [String] {
    let shim = try FaultShim.shared.get()
    let put = Command.cachectl("--root", root, "put", "k", image)
    return try shim.calls(of: put).map { call in
      let path = call.path.replacingOccurrences(of: root + "/", with: "")
      let parts = path.split(separator: "/")
      let short =
        parts.first == "tmp"
        ? "tmp"
        : parts.first == "objects"
          ? "objects/\(parts.count)"
          : parts.last.map(String.init) ?? ""
      return "\(call.name) \(short)"
    }
  }

  @Test("bytes, records and names reach the disk one after the other, the name last")
  func durable() throws {
    try Command.cachectl("init", root, "--durable").succeed()
    // The shard of `k` is 82, by `printf k | sha256sum`.
    #expect(
      try calls() == [
        "openat2 tmp", "write tmp", "fsync tmp", "openat2 cost.jsonl", "fsync 82",
        "write cost.jsonl", "fsync cost.jsonl", "openat2 etag.jsonl", "fsync 82",
        "write etag.jsonl", "fsync etag.jsonl", "renameat objects/3", "pwrite lock",
        "fsync objects/2",
      ])
    #expect(
      try calls() == [
        "openat2 tmp", "write tmp", "fsync tmp", "write cost.jsonl", "fsync cost.jsonl",
        "write etag.jsonl", "fsync etag.jsonl", "renameat objects/3", "pwrite lock",
        "fsync objects/2",
      ])
  }

  @Test("an ordinary store waits for nothing")
  func ordinary() throws {
    try Command.cachectl("init", root).succeed()
    _ = try calls()
    #expect(
      try calls() == [
        "openat2 tmp", "write tmp", "write cost.jsonl", "write etag.jsonl", "renameat objects/3",
        "pwrite lock",
      ])
  }
}
