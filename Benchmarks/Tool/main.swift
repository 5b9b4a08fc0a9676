// What the benchmark needs of the library itself: caches to measure on, and loops that no process starts in.
//
//   cachectl-bench fill ROOT COUNT BYTES SEED   makes a cache of COUNT entries of BYTES (or LEAST-MOST) bytes, used in the last 30 days
//   cachectl-bench put  ROOT COUNT BYTES        makes one, storing one entry after the other, and says how long it took
//   cachectl-bench read ROOT COUNT              reads random ones of the entries that fill made, until its input ends

import CacheModel
import CacheStore
import Glibc

func run(_ words: [String]) throws {
  switch (words.first, words.count) {
  case ("fill", 5):
    guard let count = Int(words[2]), let sizes = sizes(words[3]), let seed = UInt64(words[4]) else {
      break
    }
    return try fill(
      Store.create(at: words[1], Configuration()), count: count, sizes: sizes, seed: seed)
  case ("put", 4):
    guard let count = Int(words[2]), let bytes = Int(words[3]) else { break }
    return try putLoop(Store.create(at: words[1], Configuration()), count: count, bytes: bytes)
  case ("read", 3):
    guard let count = Int(words[2]) else { break }
    return try readLoop(Store(at: words[1], for: .reading), count: count)
  default: break
  }
  throw Usage()
}

/// The words were none of the above.
struct Usage: Error, CustomStringConvertible {
  var description: String { "usage: cachectl-bench fill|put|read ROOT COUNT ..." }
}

/// `4096`, or `50-600` for sizes between the two.
func sizes(_ text: String) -> ClosedRange<Int>? {
  let ends = text.split(separator: "-").compactMap { Int($0) }
  guard let least = ends.first, let most = ends.last, least <= most else { return nil }
  return least...most
}

do {
  try run(Array(CommandLine.arguments.dropFirst()))
} catch {
  var message = "cachectl-bench: \(error)\n"
  message.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  exit(2)
}
