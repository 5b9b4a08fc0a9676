import CacheModel
import CacheStore
import Glibc
import SeededRandom

/// Stores new entries of one size, as fast as one process can, and prints the time.
func putLoop(_ store: Store, count: Int, bytes: Int) throws {
  var body = [UInt8](repeating: 0, count: max(bytes, 8))
  let start = ContinuousClock.now
  for index in 0..<count {
    body.withUnsafeMutableBytes { $0.storeBytes(of: index, as: Int.self) }
    var request = StoreRequest(key: try key(index))
    request.type = "image/jpeg"
    try body.withUnsafeBytes {
      _ = try store.put(UnsafeRawBufferPointer(rebasing: $0[..<bytes]), request, now: now())
    }
  }
  print("put files=\(count) seconds=\(seconds(.now - start))")
}

/// Reads random entries until standard input ends, and prints how long the hits took.
///
/// No use is recorded: a read entry would be out of gc's reach, and the two measurements no longer alike.
func readLoop(_ store: Store, count: Int) throws {
  var random = SeededNumbers(seed: UInt64(getpid()))
  var taken: [Double] = []
  var misses = 0
  while !inputHasEnded() {
    for _ in 0..<256 {
      let key = try key(Int.random(in: 0..<count, using: &random))
      let start = ContinuousClock.now
      let isHit = try read(store, key)
      if isHit { taken.append(seconds(.now - start)) } else { misses += 1 }
    }
  }
  taken.sort()
  guard !taken.isEmpty else { throw Usage() }
  print(
    "read hits=\(taken.count) misses=\(misses) p50=\(taken[taken.count / 2]) p99=\(taken[taken.count * 99 / 100])"
  )
}

private func read(_ store: Store, _ key: CacheKey) throws -> Bool {
  guard let object = store.get(key, touchAt: nil) else { return false }
  return try !object.bytes().isEmpty
}

func inputHasEnded() -> Bool {
  var input = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
  return poll(&input, 1, 0) > 0
}

func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }
