internal import CLinux
internal import Synchronization

/// Chooses how many threads read: as many as processors where the kernel has the files in memory,
/// a disk's whole queue where they have to come from there.
///
/// What tells the two apart is how often a thread had to wait, which is true of every file system. A
/// disk with 32 requests before it gave what it gives five times as fast as with two.
final class Depth: Sendable {
  private let entries = Atomic<Int>(0)
  private let waits = Atomic<Int>(0)

  enum Advice { case asBefore, deeper, shallower }

  /// So many entries without waiting, and the queue is no longer worth its threads.
  private static let window = 2048

  /// Takes in that a thread checked `count` entries and waited `waited` times meanwhile.
  func note(_ count: Int, waited: Int) -> Advice {
    let sum = waits.add(waited, ordering: .relaxed).newValue
    if waited * 2 >= count { return .deeper }
    guard entries.add(count, ordering: .relaxed).newValue >= Self.window else { return .asBefore }
    entries.store(0, ordering: .relaxed)
    waits.store(0, ordering: .relaxed)
    return sum * 16 < Self.window ? .shallower : .asBefore
  }
}
