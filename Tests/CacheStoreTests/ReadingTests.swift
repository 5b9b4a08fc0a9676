import CacheModel
import Foundation
import TestSupport
import Testing

@testable import CacheStore

@Suite("Reading")
struct ReadingTests {
  let cache: CacheFixture
  let key: CacheKey

  init() throws {
    cache = try CacheFixture()
    key = try CacheKey("https://img.example/a.jpg")
  }

  @Test("a reader keeps the image that it opened while the entry is replaced and removed")
  func keepsItsFile() throws {
    try cache.put(key, "first")
    guard let object = cache.store.get(key, touchAt: nil) else { throw TestFailure("a miss") }
    try cache.put(key, "second")
    #expect(try cache.text(key) == "second")
    try cache.store.remove(key.name, now: cache.now)
    #expect(try cache.text(key) == nil)
    #expect(try String(decoding: object.bytes(), as: UTF8.self) == "first")
  }

  @Test("a short, long, emptied or other object is a miss for those who compare")
  func compared() throws {
    try cache.put(key, "body")
    #expect(try cache.text(key, check: .content) == "body")
    for (content, hasLength) in [("bod", false), ("body+", false), ("", false), ("bydo", true)] {
      try write(Array(content.utf8), to: cache.object(key))
      #expect(try cache.text(key, check: .length) == (hasLength ? content : nil))
      #expect(try cache.text(key, check: .content) == nil)
    }
  }

  @Test(
    "what has an object's place and is no file is a miss, and is neither opened nor removed",
    arguments: ["mkdir", "mkfifo", "ln -s /etc/passwd", "ln -s /nowhere", "mksock", "mknod c 1 5"])
  func noFile(how: String) throws {
    try cache.put(key, "body")
    let path = cache.object(key)
    try FileManager.default.removeItem(atPath: path)
    var make = Command("sh", ["-c", script(how), "sh", path])
    make.directory = cache.folder.path
    try make.succeed()
    let before = try FileFacts(path)
    // A writer that waits for a reader of its FIFO is woken by whoever opens it.
    let writer = try how == "mkfifo" ? Command("sh", ["-c", "echo x > \(path)"]).start() : nil
    for check in [Check.presence, .length, .content] {
      #expect(!isHit(check))
    }
    #expect(!cache.store.touch(key, now: .now))
    #expect(try !cache.store.remove(key.name, now: cache.now))
    if let writer {
      // Still waiting: nobody opened the FIFO.
      #expect(kill(writer.process, 0) == 0)
      writer.signal(SIGKILL)
      #expect(try writer.wait().ending == .signalled(SIGKILL))
    }
    #expect(try FileFacts(path) == before)
  }

  @Test("an object behind a link in the place of its shard is a miss")
  func linkedShard() throws {
    try cache.put(key, "body")
    let shard = (cache.object(key) as NSString).deletingLastPathComponent
    let outside = cache.folder.appending("outside")
    try Command("mv", [shard, outside]).succeed()
    try Command("ln", ["-s", outside, shard]).succeed()
    for check in [Check.presence, .length, .content] { #expect(!isHit(check)) }
    try Command("rm", [shard]).succeed()
    try Command("mv", [outside, shard]).succeed()
    #expect(isHit(.content))
  }

  func isHit(_ check: Check) -> Bool {
    if case .some = cache.store.get(key, check: check, touchAt: .now) { true } else { false }
  }

  func script(_ how: String) -> String {
    switch how {
    case "mksock":
      "python3 -c 'import socket,sys; socket.socket(socket.AF_UNIX).bind(\"s\")' && mv s \"$1\""
    case "mknod c 1 5": "mknod \"$1\" c 1 5"
    default: how + " \"$1\""
    }
  }

  @Test("an object that claims more bytes than there is memory is refused, not allocated")
  func sparse() throws {
    try cache.put(key, "body")
    try Command("truncate", ["-s", "4E", cache.object(key)]).succeed()
    guard let object = cache.store.get(key, touchAt: nil) else { throw TestFailure("a miss") }
    #expect(throws: StoreError.self) { try object.bytes() }
    #expect(!isHit(.length))
  }

  @Test("a use is recorded at most once a minute, and one of the future is brought back")
  func uses() throws {
    try cache.put(key, "body")
    let now = Instant.now
    try Command("touch", ["-d", "-59 seconds", cache.object(key)]).succeed()
    let recent = try FileFacts(cache.object(key))
    _ = cache.store.get(key, touchAt: now)
    #expect(try FileFacts(cache.object(key)) == recent)
    for date in ["-61 seconds", "2099-01-01"] {
      try Command("touch", ["-d", date, cache.object(key)]).succeed()
      _ = cache.store.get(key, touchAt: now)
      let used = Instant(milliseconds: try FileFacts(cache.object(key)).modified / 1_000_000)
      #expect(used.since(now) >= .milliseconds(-50) && used.since(now) < .seconds(60))
    }
  }

  @Test("a look-up that is no use moves no time, and takes no lock")
  func looking() throws {
    try cache.put(key, "body")
    try Command("touch", ["-d", "2020-01-01", cache.object(key)]).succeed()
    let before = try TreeSnapshot(cache.root)
    // Somebody holds the shard's lock: a reader that took it would hang.
    let lock = open(cache.lock(key.name.shard), O_RDWR)
    #expect(flock(lock, LOCK_EX) == 0)
    defer { close(lock) }
    let reader = try cache.reopened(for: .reading)
    guard let object = reader.get(key, check: .content, touchAt: nil) else {
      throw TestFailure("a miss")
    }
    #expect(object.byteCount == 4)
    _ = try reader.record(of: key.name)
    _ = try reader.scan(ScanRequest(now: .now, depth: .full)) { _, _ in }
    #expect(try TreeSnapshot(cache.root) == before)
  }
}
