import CacheModel
import Foundation
import TestSupport
import Testing

@testable import CacheStore

@Suite("Reading without waiting")
struct WarmReadTests {
  let key: CacheKey

  init() throws { key = try CacheKey("https://img.example/a.jpg") }

  @Test("what is in memory is read whole, with its records")
  func warm() throws {
    let cache = try CacheFixture()
    try cache.put(key, "body", etag: "\"v\"")
    let read = try #require(cache.store.readAtOnce(key, now: .now) { _ in true })
    #expect(read.bytes == Array("body".utf8))
    #expect(read.entry.origin.etag == "\"v\"" && read.entry.cost.bytes == 4)
    #expect(!read.isUseDue)
    #expect(
      cache.store.readAtOnce(key, now: .now.after(by: .seconds(90))) { _ in true }?.isUseDue == true
    )
  }

  @Test("what is unwanted, another, damaged or not there is not given")
  func refused() throws {
    let cache = try CacheFixture()
    #expect(cache.store.readAtOnce(key, now: .now) { _ in true } == nil)
    try cache.put(key, "body")
    #expect(cache.store.readAtOnce(key, now: .now) { _ in false } == nil)
    try write(Array("longer".utf8), to: cache.object(key))
    #expect(cache.store.readAtOnce(key, now: .now) { _ in true } == nil)
    try cache.store.remove(key.name, now: cache.now)
    #expect(cache.store.readAtOnce(key, now: .now) { _ in true } == nil)
  }

  @Test("what the disk would have to be waited for is not given, and is there for who waits")
  func cold() throws {
    let folder = try TemporaryDirectory(in: "/var/tmp")
    let store = try Store.create(at: folder.appending("cache"), Configuration())
    try store.put([UInt8](repeating: 7, count: 100_000), StoreRequest(key: key), now: .now)
    #expect(store.readAtOnce(key, now: .now) { _ in true } != nil)
    let file = open(store.objectPath(of: key.name), O_RDONLY)
    defer { close(file) }
    fsync(file)
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
    #expect(store.readAtOnce(key, now: .now) { _ in true } == nil)
    #expect(try store.get(key, touchAt: nil)?.bytes().count == 100_000)
    #expect(store.readAtOnce(key, now: .now) { _ in true } != nil)
  }

  @Test("a thread waits again once it has read")
  func patience() throws {
    #expect(!isImpatient)
    #expect(withoutWaiting { isImpatient })
    #expect(!isImpatient)
  }
}
