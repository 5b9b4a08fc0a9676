import CacheModel
import CacheStore
import Foundation
import SeededRandom
import TestSupport
import Testing

/// `GC_MUTATIONS=N` makes more of them, `GC_SEED=N` the same ones again.
@Suite("gc on hostile manifests")
struct GCHostileTests {
  private static let environment = ProcessInfo.processInfo.environment
  static let mutations = environment["GC_MUTATIONS"].flatMap { Int($0) } ?? 20
  static let seed =
    environment["GC_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000)

  let cache: TestCache
  let outside: String

  init() throws {
    cache = try TestCache()
    outside = cache.directory.appending("outside")
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: false)
    try write([1, 2, 3], to: outside + "/victim")
    let store = try Store(at: cache.root)
    for number in 0..<40 {
      var request = StoreRequest(key: try CacheKey("\(number)"))
      request.lastUse = Instant(milliseconds: 1_700_000_000_000 + Int64(number) * 1000)
      try store.put(Array("body \(number)".utf8), request, now: .now)
    }
  }

  private var manifests: [String] {
    get throws {
      try Command("find", [cache.root + "/manifests", "-name", "*.jsonl"]).succeed().output
        .split(separator: "\n").map(String.init).sorted()
    }
  }

  @Test(
    "a line of 100 MB takes no more memory than a short one", arguments: ["x", "[", "\\0", "\\n"])
  func huge(byte: String) throws {
    let path = try cache.manifest("7", "cost.jsonl")
    try Command(
      "sh", ["-c", "head -c 100000000 /dev/zero | tr '\\0' \"$1\" >> \"$2\"", "sh", byte, path]
    ).succeed()
    let gc = cache.command(["--json", "gc", "-n", "--max-count", "30"])
    #expect(try PeakMemory.of(gc) < 64 << 20)
    let report = try gc.run().json()
    #expect(report.number("damaged_lines") == (byte == "\\n" ? 100_000_000 : 1))
    #expect(report.objects("victims").count == 10)
    #expect(try cache.run("gc", "--max-count", "30").status == 0)
    #expect(try FileFacts(path).size < 1000)
  }

  @Test("gc on a damaged cache ends as documented, evicts in order, and touches nothing outside")
  func mutated() throws {
    print("hostile manifests: seed \(Self.seed)")
    var random = SeededNumbers(seed: Self.seed)
    let before = try TreeSnapshot(outside)
    let template = cache.directory.appending("template")
    try Command("cp", ["-a", cache.root, template]).succeed()
    for number in 0..<Self.mutations {
      let context = "mutation \(number) of seed \(Self.seed)"
      try Command("sh", ["-c", "rm -rf \"$2\" && cp -a \"$1\" \"$2\"", "sh", template, cache.root])
        .succeed()
      for path in try manifests where Int.random(in: 0..<4, using: &random) == 0 {
        try damage(path, &random)
      }
      let gc = try cache.command(["--json", "gc", "--max-count", "20"]).run()
      #expect([0, 3, 4].contains(gc.status), "\(context): \(gc.errors)")
      #expect(try gc.json().object("after").number("entries") == 20, "\(context)")
      // A shard whose manifest leads elsewhere cannot be changed: the next in order go instead.
      let stuck = try (0..<40).filter { try isLinked("cost.jsonl", of: $0) }
      let victims = (0..<40).filter { !stuck.contains($0) }.prefix(20)
      #expect(try present() == (0..<40).filter { !victims.contains($0) }, "\(context)")
      #expect(try TreeSnapshot(outside) == before, "\(context)")
      // What is left is served, and is what it was.
      for number in [37, 38, 39] where !stuck.contains(number) {
        if try isLinked("etag.jsonl", of: number) { continue }
        let get = try cache.run("get", "\(number)")
        #expect(get.output == "body \(number)", "\(context): \(get.errors)")
      }
    }
  }

  private func isLinked(_ manifest: String, of number: Int) throws -> Bool {
    let shard = try CacheKey("\(number)").name.shard
    let path = "\(cache.root)/manifests/\(shard)/\(manifest)"
    return (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
  }

  /// The numbers of the entries that are there.
  private func present() throws -> [Int] {
    try (0..<40).filter { try exists(object($0)) }
  }

  private func object(_ number: Int) throws -> String {
    let name = "\(try CacheKey("\(number)").name)"
    return "\(cache.root)/objects/\(name.prefix(2))/\(name)"
  }

  /// One of the ways in which a manifest goes bad.
  private func damage(_ path: String, _ random: inout SeededNumbers) throws {
    var text = try bytes(of: path)
    let at = Int.random(in: 0..<max(1, text.count), using: &random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: text = []
    case 1: text.removeSubrange(at...)
    case 2: text[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 3: text = [0xef, 0xbb, 0xbf] + text
    case 4: text += [UInt8](repeating: 0, count: 4096)
    case 5: text += Array("{\"name\":\"../../../outside/victim\",\"bytes\":1}\n".utf8)
    case 6: text += Array(String(repeating: "[", count: 100_000).utf8)
    case 7: text += (0..<500).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    default:
      try FileManager.default.removeItem(atPath: path)
      if Bool.random(using: &random) { return }
      try Command("ln", ["-s", outside + "/victim", path]).succeed()
      return
    }
    try write(text, to: path)
  }
}
