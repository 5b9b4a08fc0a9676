public import Synchronization

/// Numbers uses in their order, on a cache line of its own: every hit changes it.
@usableFromInline
struct MemoryClock: ~Copyable, Sendable {
  // Nothing else may lie on the line, nor on the one that the processor fetches with it.
  private let before: CacheLine = (0, 0, 0, 0, 0, 0, 0, 0)
  @usableFromInline let ticks = Atomic<UInt64>(0)
  private let behind: CacheLine = (0, 0, 0, 0, 0, 0, 0, 0)

  init() {}

  @inlinable
  func next() -> UInt64 { ticks.add(1, ordering: .relaxed).newValue }
}
