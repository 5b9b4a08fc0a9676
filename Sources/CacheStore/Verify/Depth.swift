internal import CLinux
internal import Glibc
internal import Synchronization

/// Chooses how many threads read: as many as processors where the kernel has the files in memory,
/// a disk's whole queue where they have to come from there.
///
/// What tells the two apart is how often a thread had to wait, which is true of every file system. A
/// disk with 32 requests before it gave what it gives five times as fast as with two.
final class Depth: Sendable {
  private static let deepest = 32
  /// So many entries without waiting, and the queue is no longer worth its threads.
  private static let window = 2048

  /// Threads at most.
  let most: Int
  private let few: Int
  private let isFixed: Bool
  private let isDeep = Atomic<Bool>(false)
  private let entries = Atomic<Int>(0)
  private let waits = Atomic<Int>(0)

  init(asked: Int?) {
    isFixed = asked != nil
    most = min(asked ?? max(Self.deepest, processorCount), Self.room())
    few = isFixed ? most : min(most, processorCount)
  }

  /// Threads that descriptors suffice for, beside the ones for directories and manifests.
  private static func room() -> Int {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let reserved: UInt = 48
    return limit.rlim_cur > reserved ? Int(clamping: limit.rlim_cur - reserved) : 1
  }

  /// Whether a thread, by its number, is to work now.
  func wants(_ thread: Int) -> Bool { thread < few || isDeep.load(ordering: .relaxed) }

  /// Slices to have ready before their turn comes: reading the next shard's manifests must not keep
  /// readers waiting, and the more there are, the sooner it would.
  var slicesWanted: Int { most == 1 ? 1 : isDeep.load(ordering: .relaxed) ? max(2, most / 4) : 2 }

  /// Takes in that a thread checked `count` entries and waited `waited` times meanwhile; true where
  /// that changes how many are wanted.
  func note(_ count: Int, waited: Int) -> Bool {
    if isFixed { return false }
    let sum = waits.add(waited, ordering: .relaxed).newValue
    if waited * 2 >= count { return !isDeep.exchange(true, ordering: .relaxed) }
    guard entries.add(count, ordering: .relaxed).newValue >= Self.window else { return false }
    entries.store(0, ordering: .relaxed)
    waits.store(0, ordering: .relaxed)
    return sum * 16 < Self.window && isDeep.exchange(false, ordering: .relaxed)
  }
}
