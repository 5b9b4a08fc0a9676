import CacheModel
import CachePlan
import CacheStore
import TestSupport
import Testing

@testable import ImageCache

@Suite("Uses of what memory gives out", .timeLimit(.minutes(2)))
struct RecordedUseTests {
  private func freshness() -> FreshnessMetadata {
    FreshnessMetadata(checked: .now, freshUntil: Instant.now.after(by: .seconds(3600)))
  }

  @Test("a use is due once in a minute, whoever asks")
  func onceAMinute() {
    let start = Instant(milliseconds: 1_700_000_000_000)
    let kept = KeptImage(gif("a"), freshness(), used: start)
    // Seconds after the last use that the disk knows of, and whether another is to be recorded.
    for (second, isDue) in [
      (0, false), (59, false), (60, true), (60, false), (119, false), (120, true),
    ] {
      #expect(kept.isUseDue(start.after(by: .seconds(second))) == isDue, "second \(second)")
    }
  }

  @Test("what memory alone has been giving out for a minute is used on disk as well")
  func recorded() async throws {
    let cache = try OriginCache()
    let images = cache.images()
    let urls = ["http://127.0.0.1:9/minute.gif", "http://127.0.0.1:9/recent.gif"]
    for (url, age) in zip(urls, [61, 30] as [Int64]) {
      try cache.put(url, gif("a"))
      let used = Instant.now.before(by: .seconds(age))
      let wanted = WantedKey(try CacheKey(url), in: images.tiers)
      images.tiers.keep(KeptImage(gif("a"), freshness(), used: used), for: wanted)
    }
    let before = try urls.map { try cache.inode($0) }
    for url in urls.reversed() { #expect(try await images.image(for: url).source == .memory) }
    // It happens off the caller's path.
    while try cache.inode(urls[0]) == before[0] { try await Task.sleep(for: .milliseconds(5)) }
    #expect(try cache.inode(urls[1]) == before[1])
  }
}
