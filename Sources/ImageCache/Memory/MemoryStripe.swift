internal import Glibc
public import Synchronization

/// The lock of a part of a memory cache, its stripe.
///
/// It is taken for some hundred instructions and never while waiting for anything: whoever finds it taken
/// spins, and soon lets another thread run.
@usableFromInline
struct MemoryStripe: ~Copyable, Sendable {
  @usableFromInline let isTaken = Atomic<Bool>(false)
  /// The stamp of its least recently used value, never later than the truth; the largest number where
  /// it holds nothing.
  @usableFromInline let oldest = Atomic<UInt64>(.max)
  // Two stripes on one cache line would be one to the processor.
  let room: CacheLine = (0, 0, 0, 0, 0, 0, 0, 0)

  init() {}

  @inlinable
  func take() { if isTaken.exchange(true, ordering: .acquiring) { wait() } }

  @inlinable
  func letGo() { isTaken.store(false, ordering: .releasing) }

  @usableFromInline
  func wait() {
    var spins = 0
    while isTaken.load(ordering: .relaxed) || isTaken.exchange(true, ordering: .acquiring) {
      spins += 1
      // Its owner may have lost its processor.
      if spins > 100 { sched_yield() }
    }
  }
}

/// 64 bytes that nothing is kept in.
@usableFromInline
typealias CacheLine = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

extension MemoryCache {
  /// Gives the table of a stripe to `body`, under its lock.
  @inlinable
  func withTable<Result>(
    _ stripe: Int, _ body: (inout MemoryTable<Key, Value>) -> Result
  ) -> Result {
    stripes[stripe].take()
    defer { stripes[stripe].letGo() }
    return body(&tables[stripe])
  }

  /// The value of a key in its stripe.
  @inlinable
  func value(_ key: Key, _ hash: UInt, in stripe: Int) -> Value? {
    withTable(stripe) { table in
      guard let slot = table.find(key, hash) else { return nil }
      let wasOldest = table.oldest == Int32(truncatingIfNeeded: slot)
      table.use(slot, at: clock.pointee.next())
      if wasOldest { publish(table, of: stripe) }
      return table.slots[slot].value
    }
  }

  /// Tells the stamp of a stripe's least recently used.
  @inlinable
  func publish(_ table: borrowing MemoryTable<Key, Value>, of stripe: Int) {
    let slot = Int(table.oldest)
    let stamp = slot < 0 ? .max : table.uses[slot].stamp
    stripes[stripe].oldest.store(stamp, ordering: .releasing)
  }

  /// Makes a change to a stripe and tells what it made the least recently used.
  func change<Result>(
    _ stripe: Int, _ body: (inout MemoryTable<Key, Value>) -> Result
  ) -> Result {
    withTable(stripe) { table in
      defer { publish(table, of: stripe) }
      return body(&table)
    }
  }
}
