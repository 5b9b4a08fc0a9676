import CacheModel
import CacheStore
import Foundation
import SeededRandom
import TestSupport
import Testing

@Suite("One cache of several programs", .timeLimit(.minutes(3)))
struct SharedCacheTests {
  static let pictures = 60
  let cache: OriginCache

  init() throws { cache = try OriginCache() }

  /// Pictures of a few points, each another.
  private func makePictures() throws -> [String] {
    try (0..<Self.pictures).map { number in
      let path = cache.directory.appending("\(number).ppm")
      let bytes = Array("P6\n2 2\n255\n".utf8) + [UInt8](repeating: UInt8(number), count: 12)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      return path
    }
  }

  private func thumbnails(_ pictures: [String]) -> Command {
    Command(Repository.path(".build/debug/Thumbnailer"), [cache.store.path, "2"] + pictures)
  }

  @Test(
    "two programs that store and find, and gc all the while: no error, and nothing in use is lost")
  func twoProgramsAndCollectors() throws {
    // What gc may take: 300 images that nobody used for an hour.
    for number in 0..<300 { try cache.put("https://img.example/\(number)", gif("\(number)")) }
    let pictures = try makePictures()
    var kept = 300
    var rounds = 0
    var random = SeededNumbers(seed: 1)
    while rounds < 8 {
      rounds += 1
      let programs = try (0..<2).map { _ in
        try thumbnails(pictures.shuffled(using: &random)).start()
      }
      kept -= 20
      let collector = Command.cachectl(
        "--root", cache.store.path, "gc", "--max-count", "\(kept)", "--wait", "60s")
      // Beside writers the budget may be passed again before the end (4).
      let collected = try collector.run()
      #expect([0, 4].contains(collected.status), "\(collected.errors)")
      for program in programs {
        let result = try program.wait()
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(result.output.split(separator: "\n").count == Self.pictures)
      }
    }
    let found = try thumbnails(pictures).succeed().output
    for picture in pictures { #expect(found.contains("\(picture): found, 2×2\n")) }
    try Command.cachectl("--root", cache.store.path, "gc", "--max-count", "\(kept)").succeed()
    let usage = try cache.store.scan(ScanRequest(now: .now, depth: .full)) { _, _ in }.usage
    #expect(usage.entries == 300 - 8 * 20)
    try Command.cachectl("--root", cache.store.path, "verify", "--strict").succeed()
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache.store.path + "/tmp") == [])
  }
}
