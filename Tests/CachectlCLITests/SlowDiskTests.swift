import Foundation
import TestSupport
import Testing

/// strace(1) delays calls, as a disk does that is written to from all sides.
@Suite("Changes that the disk keeps waiting")
struct SlowDiskTests {
  let cache: TestCache

  init() throws { cache = try TestCache() }

  /// Runs the command with each `call` taking longer than the kernel's clock tick.
  func delaying(_ call: String, _ words: String...) throws {
    let trace = [
      "-f", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(call):delay_enter=15ms",
    ]
    try Command("strace", trace + [Repository.cachectl, "--root", cache.root] + words).succeed()
  }

  func listedShards() throws -> Int? {
    try cache.json("gc", "-n", "--max-count", "1000").object("stats").number("listed_shards")
  }

  @Test("removals that take long cost no witness")
  func removals() throws {
    for number in 0..<12 { try cache.put("k\(number)", [1, 2, 3]) }
    try cache.succeed("gc", "--full", "--max-count", "12")
    #expect(try listedShards() == 0)
    try delaying("unlinkat", "gc", "--max-count", "4")
    #expect(try listedShards() == 0)
    #expect(try cache.objects().count == 4)
  }

  @Test("after the first stores that had to wait the others keep their witnesses")
  func stores() throws {
    let folder = cache.directory.appending("images")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for number in 0..<100 { try write([1, 2, 3], to: "\(folder)/\(number).png") }
    try delaying("renameat", "import", folder, "--base-url", "https://img.example/")
    // Of some 80 shards, those that the threads were at when the first waited.
    let listed = try #require(try listedShards())
    #expect(listed >= 1 && listed <= 8)
  }
}
