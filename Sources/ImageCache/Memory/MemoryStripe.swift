public import Synchronization

/// A part of a memory cache under a lock of its own.
@usableFromInline
struct MemoryStripe<Key: Hashable & Sendable, Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let table = Mutex(MemoryTable<Key, Value>())
  /// The stamp of its least recently used value, never later than the truth; the largest number where
  /// it holds nothing.
  @usableFromInline let oldest = Atomic<UInt64>(.max)

  init() {}

  /// The value of a key, which becomes the most recently used.
  @inlinable
  func value(_ key: Key, _ hash: UInt, _ clock: UnsafeMutablePointer<MemoryClock>) -> Value? {
    table.withLock { table in
      guard let slot = table.find(key, hash) else { return nil }
      let wasOldest = table.oldest == Int32(truncatingIfNeeded: slot)
      table.use(slot, at: clock.pointee.next())
      if wasOldest { publish(table) }
      return table.slots[slot].value
    }
  }

  /// Tells the stamp of the least recently used.
  @inlinable
  func publish(_ table: borrowing MemoryTable<Key, Value>) {
    let slot = Int(table.oldest)
    oldest.store(slot < 0 ? .max : table.slots[slot].stamp, ordering: .releasing)
  }

  /// Makes a change and tells what it made the least recently used.
  func change<Result: Sendable>(_ body: (inout MemoryTable<Key, Value>) -> Result) -> Result {
    table.withLock { table in
      defer { publish(table) }
      return body(&table)
    }
  }
}

/// Numbers uses in their order, on a cache line of its own: every hit changes it.
@usableFromInline
struct MemoryClock: ~Copyable, Sendable {
  @usableFromInline let ticks = Atomic<UInt64>(0)
  // Nothing else may lie on the line, nor on the one that the processor fetches with it.
  let room: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
    (0, 0, 0, 0, 0, 0, 0, 0)

  init() {}

  @inlinable
  func next() -> UInt64 { ticks.add(1, ordering: .relaxed).newValue }
}
