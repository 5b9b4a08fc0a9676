import CacheFetch
import CacheModel
import CacheStore
import Glibc
import ImageCache
import SeededRandom

/// Finds values in memory from several threads at once, and prints how many were found in a second.
func memoryLoop(values: Int, threads: Int) throws {
  let cache = MemoryCache<String, [UInt8]>(MemoryLimits(cost: .megabytes(100)))
  let keys = try (0..<values).map { try key($0).text }
  for key in keys { cache.insert([1, 2, 3, 4], for: key, cost: 4) }
  let hits = 5_000_000
  let start = ContinuousClock.now
  let workers = (0..<threads).map { number in
    Worker {
      var random = SeededNumbers(seed: UInt64(number))
      var found = 0
      for _ in 0..<hits {
        // The multiplication spreads evenly what the remainder would not (Lemire 2019).
        let index = Int(random.next().multipliedFullWidth(by: UInt64(values)).high)
        if cache.value(for: keys[index]) != nil { found += 1 }
      }
      precondition(found == hits, "a value was missing")
    }
  }
  for worker in workers { worker.join() }
  let taken = seconds(.now - start)
  print(
    "memory hits=\(hits * threads) seconds=\(taken) rate=\(Int(Double(hits * threads) / taken))")
}

/// Reads every entry that fill made through the library, in a random order, and prints the time.
func getLoop(_ store: Store, count: Int) throws {
  let keys = try order(count).map { try key($0) }
  let start = ContinuousClock.now
  for key in keys {
    guard let object = store.get(key, touchAt: nil), try !object.bytes().isEmpty else {
      throw Usage()
    }
  }
  print("get files=\(count) seconds=\(seconds(.now - start))")
}

/// The bare system calls of the same: open, fstat, read and close, by names that are made already.
func openLoop(_ store: Store, count: Int) throws {
  let paths = try order(count).map { store.objectPath(of: try key($0).name) }
  var buffer = [UInt8](repeating: 0, count: 1 << 20)
  let start = ContinuousClock.now
  for path in paths {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    var status = stat()
    guard file >= 0, fstat(file, &status) == 0, read(file, &buffer, Int(status.st_size)) > 0 else {
      throw Usage()
    }
    close(file)
  }
  print("open files=\(count) seconds=\(seconds(.now - start))")
}

/// Stores fresh images, then reads all of them twice as a program does, by one call for all tiers, and
/// prints the times: the first reading finds them on disk, the second in memory.
func imageLoop(_ store: Store, count: Int, bytes: Int) async throws {
  let room = MemoryLimits(cost: ByteCount(Int64(2 * count * bytes)))
  let cache = ImageCache(store, FetchSettings(userAgent: "bench"), memory: room)
  let body = [UInt8](repeating: 7, count: bytes)
  for index in 0..<count {
    var request = StoreRequest(key: try key(index))
    request.freshUntil = now().after(by: .seconds(3600))
    try cache.put(body, request)
  }
  let keys = try order(count).map { try key($0) }
  for source in [CachedImage.Source.disk, .memory] {
    let start = ContinuousClock.now
    for key in keys {
      guard try await cache.image(for: key).source == source else { throw Usage() }
    }
    print("\(source)=\(seconds(.now - start))")
  }
}

/// The same order for both.
private func order(_ count: Int) -> [Int] {
  var random = SeededNumbers(seed: 7)
  return Array(0..<count).shuffled(using: &random)
}

/// Takes pages of a listing, and prints the time to the first of `count` entries and to the next.
func pageLoop(_ store: Store, count: Int) async throws {
  let cache = ImageCache(store, FetchSettings(userAgent: "bench"))
  var entries = cache.entries(batchSize: count).makeAsyncIterator()
  var taken: [Double] = []
  for _ in 0..<2 {
    let start = ContinuousClock.now
    for _ in 0..<count {
      guard let entry = try await entries.next(), try entry.entry() != nil else { throw Usage() }
    }
    taken.append(seconds(.now - start))
  }
  print("page entries=\(count) seconds=\(taken[0]) next=\(taken[1])")
}
