// What the benchmark and the soak need of the library itself: caches to measure on, and loops that no process
// starts in.
//
//   cachectl-bench fill ROOT COUNT BYTES SEED   makes a cache of COUNT entries of BYTES (or LEAST-MOST) bytes
//   cachectl-bench put ROOT COUNT BYTES         makes one, entry after entry, and prints the time
//   cachectl-bench read ROOT COUNT              reads random entries that fill made until its input ends
//   cachectl-bench churn ROOT KEYS SEED         stores, reads and removes at random until its input ends
//   cachectl-bench check ROOT KEYS              reads every entry that churn may have made
//   cachectl-bench get ROOT COUNT               reads the entries that fill made, and prints the time
//   cachectl-bench open ROOT COUNT              the bare system calls of that
//   cachectl-bench page ROOT COUNT              lists the first COUNT entries and the next, and prints the times
//   cachectl-bench image ROOT COUNT             stores COUNT images of 4096 bytes and reads them through all tiers,
//                                               from disk and then from memory, and prints the times
//   cachectl-bench memory THREADS COUNT         finds COUNT values in memory again and again, and prints the rate

import CacheModel
import CacheStore
import Glibc

func run(_ words: [String]) async throws {
  guard words.count > 2, let count = Int(words[2]) else { throw Usage() }
  let root = words[1]
  switch (words[0], words.count) {
  case ("fill", 5):
    guard let sizes = sizes(words[3]), let seed = UInt64(words[4]) else { throw Usage() }
    try fill(Store.create(at: root, Configuration()), count: count, sizes: sizes, seed: seed)
  case ("put", 4):
    guard let bytes = Int(words[3]) else { throw Usage() }
    try putLoop(Store.create(at: root, Configuration()), count: count, bytes: bytes)
  case ("read", 3): try readLoop(Store(at: root, for: .reading), count: count)
  case ("churn", 4):
    guard let seed = UInt64(words[3]) else { throw Usage() }
    try churn(Store(at: root), keys: count, seed: seed)
  case ("check", 3): try checkAll(Store(at: root, for: .reading), keys: count)
  case ("get", 3): try getLoop(Store(at: root, for: .reading), count: count)
  case ("open", 3): try openLoop(Store(at: root, for: .reading), count: count)
  case ("page", 3): try await pageLoop(Store(at: root, for: .reading), count: count)
  case ("image", 3):
    try await imageLoop(Store.create(at: root, Configuration()), count: count, bytes: 4096)
  case ("memory", 3):
    guard let threads = Int(root) else { throw Usage() }
    try memoryLoop(values: count, threads: threads)
  default: throw Usage()
  }
}

/// The words were none of the above.
struct Usage: Error, CustomStringConvertible {
  var description: String {
    "usage: cachectl-bench fill|put|read|churn|check|get|open|page|image|memory ROOT COUNT ..."
  }
}

/// `4096`, or `50-600` for sizes between the two.
func sizes(_ text: String) -> ClosedRange<Int>? {
  let ends = text.split(separator: "-").compactMap { Int($0) }
  guard let least = ends.first, let most = ends.last, least <= most else { return nil }
  return least...most
}

do {
  try await run(Array(CommandLine.arguments.dropFirst()))
} catch {
  var message = "cachectl-bench: \(error)\n"
  message.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  exit(error is WrongBody ? 1 : 2)
}
