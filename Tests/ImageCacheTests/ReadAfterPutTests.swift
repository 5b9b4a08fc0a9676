import CacheFetch
import CacheModel
import CacheStore
import Synchronization
import TestSupport
import Testing

@testable import ImageCache

@Suite("Reading what was stored")
struct ReadAfterPutTests {
  private final class Flag: Sendable {
    let isSet = Atomic<Bool>(false)
  }

  private func put(_ number: Int, _ key: CacheKey, _ size: Int, _ images: ImageCache) throws {
    var body = [UInt8](repeating: 0, count: size)
    withUnsafeBytes(of: number) { body.replaceSubrange(0..<8, with: $0) }
    var request = StoreRequest(key: key)
    request.freshUntil = Instant.now.after(by: .seconds(3600))
    try images.put(body, request)
  }

  private func number(_ image: CachedImage) -> Int {
    image.bytes.withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
  }

  /// The shorter ones are read on the caller's thread, the longer ones on another.
  @Test(
    "what was put is what is read next, whoever was reading the one before just then",
    arguments: [(100, 1500), (2_000_000, 150)])
  func readAfterPut(size: Int, count: Int) async throws {
    let directory = try TemporaryDirectory(in: TemporaryDirectory.memory)
    let store = try Store.create(at: directory.appending("cache"), Configuration())
    let images = ImageCache(store, settings())
    let key = try CacheKey("https://img.example/a.jpg")
    try put(0, key, size, images)
    let isDone = Flag()
    try await withThrowingTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          var last = 0
          while !isDone.isSet.load(ordering: .relaxed) {
            // From disk each time, so that many are in the middle of it when the next one is put.
            images.tiers.memory.removeAll()
            let read = number(try await images.image(for: key))
            #expect(read >= last, "an older image came back")
            last = read
            // There may be no more threads for tasks than these readers.
            await Task.yield()
          }
        }
      }
      for round in 1...count {
        try put(round, key, size, images)
        let read = number(try await images.image(for: key))
        #expect(read == round)
        if read != round { break }
      }
      isDone.isSet.store(true, ordering: .relaxed)
      try await group.waitForAll()
    }
  }

  @Test("what was removed is not in memory again, whoever was reading it just then")
  func removed() async throws {
    let directory = try TemporaryDirectory(in: TemporaryDirectory.memory)
    let store = try Store.create(at: directory.appending("cache"), Configuration())
    let images = ImageCache(store, settings())
    let key = try CacheKey("https://img.example/a.jpg")
    for round in 0..<500 {
      try put(round, key, 100, images)
      async let reading = try? images.image(for: key)
      try images.remove(key)
      _ = await reading
      #expect(images.imageInMemory(key) == nil)
    }
  }
}
