internal import Synchronization

// What goes on under the account's lock.
extension MemoryCache {
  typealias Leaver = MemoryLeaver<Key, Value>

  /// Makes a change, and tells the watcher of what left by it once all locks are free.
  func change<Result>(
    _ body: (inout MemoryAccount.State, inout [Leaver]) -> Result
  ) -> Result {
    var left: [Leaver] = []
    let result = account.withLock { body(&$0, &left) }
    if let watcher { left.forEach(watcher) }
    return result
  }

  /// Evicts until a value of this cost fits.
  func makeRoom(
    for key: Key, _ cost: Int64, _ account: inout MemoryAccount.State, _ left: inout [Leaver]
  ) {
    let hash = UInt(bitPattern: key.hashValue)
    // The value that it replaces counts until then, and is used now: all others leave before it.
    var own = change(Self.stripe(hash)) { table -> Int64? in
      guard let slot = table.find(key, hash) else { return nil }
      table.use(slot, at: clock.pointee.next())
      return table.slots[slot].cost
    }
    while let why = account.limits.excess(
      account.usage.count + (own == nil ? 1 : 0),
      account.usage.cost - Int128(own ?? 0) + Int128(cost))
    {
      guard let evicted = evictOldest(why, &account, &left) else { return }
      if evicted == key { own = nil }
    }
  }

  /// Takes the least recently used value out; returns its key, nil where nothing is held.
  @discardableResult
  func evictOldest(
    _ why: MemoryDeparture, _ account: inout MemoryAccount.State, _ left: inout [Leaver]
  ) -> Key? {
    while true {
      var (first, stamp) = (0, UInt64.max)
      for index in 0..<Self.stripeCount {
        let oldest = stripes[index].oldest.load(ordering: .acquiring)
        if oldest < stamp { (first, stamp) = (index, oldest) }
      }
      guard stamp != .max else { return nil }
      // No stripe's oldest is older than it was told to be. So where this one still is what it was told
      // to be, it is the oldest of all.
      let slot = change(first) { table in
        let slot = Int(table.oldest)
        return table.uses[slot].stamp == stamp ? table.remove(slot) : nil
      }
      guard let slot else { continue }
      take(slot, why, &account, &left)
      return slot.key
    }
  }

  func remove(
    _ key: Key, _ why: MemoryDeparture, _ account: inout MemoryAccount.State, _ left: inout [Leaver]
  ) {
    let hash = UInt(bitPattern: key.hashValue)
    let slot = change(Self.stripe(hash)) { table in
      table.find(key, hash).map { table.remove($0) }
    }
    if let slot { take(slot, why, &account, &left) }
  }

  /// Notes that a value has left.
  func take(
    _ slot: MemoryTable<Key, Value>.Slot, _ why: MemoryDeparture,
    _ account: inout MemoryAccount.State,
    _ left: inout [Leaver]
  ) {
    account.usage.count -= 1
    account.usage.cost -= Int128(slot.cost)
    left.append(Leaver(key: slot.key, value: slot.value, cost: slot.cost, why: why))
  }
}
