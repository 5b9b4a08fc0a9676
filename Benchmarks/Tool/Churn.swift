import CacheModel
import CacheStore
import Glibc
import SeededRandom

/// Bodies that tell by themselves whether they are whole and belong to their key: the entry's number, a version,
/// and as many bytes as the version says, all of which follow from the two.
struct VersionedBody {
  static func bytes(_ index: Int, version: UInt64) -> [UInt8] {
    var random = SeededNumbers(seed: version ^ UInt64(index) &* 0x9e37_79b9)
    var words = [UInt64(index), version]
    for _ in 0..<(version % 500) { words.append(random.next()) }
    return words.withUnsafeBytes { Array($0) }
  }

  static func isWhole(_ bytes: [UInt8], _ index: Int) -> Bool {
    guard bytes.count >= 16 else { return false }
    let version = bytes.withUnsafeBytes { $0.load(fromByteOffset: 8, as: UInt64.self) }
    return bytes == Self.bytes(index, version: version)
  }
}

/// A body that is not what was stored under its key.
struct WrongBody: Error, CustomStringConvertible {
  let index: Int
  var description: String { "entry \(index) is not what was stored" }
}

/// Stores, replaces, reads and removes entries at random until standard input ends; every body read must be whole.
func churn(_ store: Store, keys: Int, seed: UInt64) throws {
  var random = SeededNumbers(seed: seed)
  var stored = 0
  while !inputHasEnded() {
    let index = Int.random(in: 0..<keys, using: &random)
    switch UInt64.random(in: 0..<10, using: &random) {
    case 0: _ = try store.remove(key(index).name, now: now(), why: "churn")
    case 1...4:
      try store.put(
        VersionedBody.bytes(index, version: random.next()), StoreRequest(key: key(index)),
        now: now())
      stored += 1
    default: _ = try isPresent(index, in: store)
    }
  }
  print("churn stored=\(stored)")
}

/// Looks at every entry once and prints how many there are.
func checkAll(_ store: Store, keys: Int) throws {
  var present = 0
  for index in 0..<keys where try isPresent(index, in: store) { present += 1 }
  print("check present=\(present) absent=\(keys - present)")
}

/// Whether there is an entry; throws where it is a wrong one.
private func isPresent(_ index: Int, in store: Store) throws -> Bool {
  guard let object = store.get(try key(index), touchAt: now()) else { return false }
  guard VersionedBody.isWhole(try object.bytes(), index) else { throw WrongBody(index: index) }
  return true
}
