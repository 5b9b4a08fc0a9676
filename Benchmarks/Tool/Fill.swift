import CacheModel
import CacheStore
import Glibc
import SeededRandom
import Synchronization

/// The key of the entry that fill made as number `index`.
func key(_ index: Int) throws -> CacheKey {
  try CacheKey("https://img.example/gallery/\(index / 1000)/picture-\(index).jpg?w=640&q=80")
}

func now() -> Instant {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Instant(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
}

/// Fills a cache from two threads, one of even and one of odd numbers.
func fill(_ store: Store, count: Int, sizes: ClosedRange<Int>, seed: UInt64) throws {
  let failure = Mutex<(any Error)?>(nil)
  let workers = [0, 1].map { first in
    Worker {
      var filler = Filler(store: store, sizes: sizes, seed: seed &+ UInt64(first))
      do {
        for index in stride(from: first, to: count, by: 2) { try filler.store(index) }
      } catch { failure.withLock { $0 = error } }
    }
  }
  for worker in workers { worker.join() }
  if let error = failure.withLock({ $0 }) { throw error }
}

/// Stores entries as a busy site leaves them: each stored some time in the last 30 days, one in four used since,
/// one in a thousand stale.
struct Filler {
  private static let period: Int64 = 30 * 86_400_000

  let store: Store
  let sizes: ClosedRange<Int>
  private var random: SeededNumbers
  private let start = now()

  init(store: Store, sizes: ClosedRange<Int>, seed: UInt64) {
    self.store = store
    self.sizes = sizes
    random = SeededNumbers(seed: seed)
  }

  mutating func store(_ index: Int) throws {
    let age = Int64.random(in: 0..<Self.period, using: &random)
    let stored = start.before(by: .milliseconds(age))
    var request = StoreRequest(key: try key(index))
    request.etag = "\"\(String(random.next(), radix: 16))\""
    request.lastModified = "Sun, 30 Nov 2025 05:20:00 GMT"
    request.type = "image/jpeg"
    request.freshUntil = stored.after(by: .milliseconds(Self.period / 1000 * 999))
    request.lastUse = stored
    let bytes = body(Int.random(in: sizes, using: &random))
    try store.put(bytes, request, now: stored)
    if index % 4 == 0 { use(request.key.name, age: Int64.random(in: 0...age, using: &random)) }
  }

  private mutating func body(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let words = UnsafeMutableRawBufferPointer(buffer)
      for offset in stride(from: 0, to: count - 7, by: 8) {
        words.storeBytes(of: random.next(), toByteOffset: offset, as: UInt64.self)
      }
      for offset in (count & ~7)..<count {
        words[offset] = UInt8(truncatingIfNeeded: random.next())
      }
      filled = count
    }
  }

  /// A use that only the object's own time tells of.
  private func use(_ name: EntryName, age: Int64) {
    let time = start.before(by: .milliseconds(age)).milliseconds
    let used = timespec(tv_sec: Int(time / 1000), tv_nsec: Int(time % 1000) * 1_000_000)
    var times = [used, used]
    let shard = "\(name)".prefix(2)
    utimensat(AT_FDCWD, "\(store.path)/objects/\(shard)/\(name)", &times, 0)
  }
}

/// A thread of its own that can be waited for.
final class Worker {
  private var thread = pthread_t()

  init(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Body(run: body))
    pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
  }

  func join() { pthread_join(thread, nil) }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
