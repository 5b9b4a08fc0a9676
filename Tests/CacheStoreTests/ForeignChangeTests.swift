import CacheModel
import Foundation
import TestSupport
import Testing

@testable import CacheStore

/// The real command is stopped before each of its calls in turn, and somebody who knows no rules
/// changes the same shard meanwhile.
@Suite("Foreign changes between any two steps of a writer")
struct ForeignChangeTests {
  enum Change: String, CaseIterable { case added, removed, renamed, replaced, stored }
  enum Job: String, CaseIterable { case putNew, putOld, remove, evict, compact }

  let cache: CacheFixture
  let shard = Shard(0x82)
  let keys: [CacheKey]
  let image: String
  let foreign = "82" + String(repeating: "cd", count: 31)

  init() throws {
    cache = try CacheFixture()
    keys = try CacheStoreTests.keys(in: shard, 4)
    image = cache.folder.appending("image")
    try write(Array("new image".utf8), to: image)
  }

  /// Three entries, the first one used longest ago, a dead line, and a witness that holds.
  func reset() throws {
    for name in try names(cache.path("objects/82")) { unlink(cache.path("objects/82/\(name)")) }
    for file in ["cost.jsonl", "etag.jsonl"] { unlink(cache.path("manifests/82/\(file)")) }
    try cache.put(keys[0], "dead")
    for (index, key) in keys.prefix(3).enumerated() {
      var request = StoreRequest(key: key)
      request.lastUse = Instant(milliseconds: Int64(1_700_000_000_000 + index))
      try cache.store.put(Array("image \(index)".utf8), request, now: cache.now)
    }
    #expect(try cache.store.settle(shard, now: .now) && cache.isWitnessed(shard))
  }

  func command(_ job: Job) -> Command {
    let words =
      switch job {
      case .putNew: ["put", keys[3].text, image]
      case .putOld: ["put", keys[1].text, image]
      case .remove: ["rm", keys[0].text]
      case .evict: ["gc", "--max-count", "2"]
      case .compact: ["compact"]
      }
    return Command(Repository.cachectl, ["--root", cache.root] + words)
  }

  func change(_ change: Change) throws {
    // Two changes within one tick of the kernel's clock need not be told apart.
    usleep(11_000)
    let victim = cache.object(keys[2])
    let other = cache.path("objects/82/" + foreign)
    switch change {
    case .added: try write([1, 2, 3], to: other)
    case .removed: unlink(victim)
    case .renamed: rename(victim, other)
    case .replaced:
      try write([1, 2, 3], to: cache.folder.appending("foreign"))
      rename(cache.folder.appending("foreign"), victim)
    case .stored:
      try write([1, 2, 3], to: other)
      let file = open(cache.cost(shard), O_WRONLY | O_APPEND)
      let line = Array("{\"name\":\"\(foreign)\",\"bytes\":3}\n".utf8)
      #expect(Glibc.write(file, line, line.count) == line.count)
      close(file)
    }
  }

  func census(_ depth: ScanRequest.Depth) throws -> Census {
    try cache.store.scan(ScanRequest(now: .now, depth: depth)) { _, _ in }
  }

  /// What is counted is what a listing of the directory gives.
  func expectTruth(_ context: String) throws {
    let objects = try names(cache.path("objects/82")).map { cache.path("objects/82/\($0)") }
    let found = try census(.index).usage
    #expect(found.entries == Int64(objects.count), "\(context)")
    #expect(
      found.bytes == Int128(try objects.reduce(0) { try $0 + FileFacts($1).size }), "\(context)")
  }

  @Test("are noticed and settled", arguments: Job.allCases, Change.allCases)
  func noticed(job: Job, change: Change) throws {
    let shim = try FaultShim.shared.get()
    try reset()
    let steps = try shim.calls(of: command(job), .counting(["all"]), .onPath("/82")).count
    #expect(steps > 8)
    for step in 1...steps {
      try reset()
      let context = "\(job), \(change), step \(step)"
      let faults: [FaultShim.Fault] = [
        .counting(["all"]), .onPath("/82"), .signal(SIGSTOP, before: step),
      ]
      let running = try shim.giving(faults, to: command(job)).start()
      try running.waitUntilStopped()
      try self.change(change)
      running.signal(SIGCONT)
      #expect([0, 4].contains(try running.wait().status), "\(context)")
      try expectTruth(context)
      let isSettled = try cache.store.settle(shard, now: .now)
      try expectTruth(context)
      if isSettled { #expect(try cache.isWitnessed(shard), "\(context)") }
      let full = try census(.full)
      #expect(isSettled == (full.strays + full.missing + full.mismatched == 0), "\(context)")
    }
  }
}
