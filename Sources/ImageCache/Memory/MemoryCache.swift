/// Values in memory under strict limits; the least recently used leaves first.
///
/// Neither limit is ever passed, not even between two statements: room is made before a value comes in,
/// and a value above the limit alone is not kept. The order of use is exact over all values, however many
/// threads use them at once. Finding, storing and removing take the same time whatever the cache holds.
///
/// Safe between threads and tasks. Finding a value holds a lock that only a fraction of the keys
/// share; changes take turns.
///
///     let icons = MemoryCache<String, Icon>(MemoryLimits(count: 500, cost: .megabytes(64)))
///     icons.insert(icon, for: "home", cost: icon.byteCount)
///     let icon = icons.value(for: "home")
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Takes what left, on the thread whose call made it leave and after that call's change: it may use the
  /// cache itself.
  public typealias Watcher = @Sendable (MemoryLeaver<Key, Value>) -> Void

  // Raw memory, which no reference count travels with: two threads that only read would meet there.
  @usableFromInline nonisolated(unsafe) let stripes: UnsafeMutablePointer<MemoryStripe>
  @usableFromInline nonisolated(unsafe) let tables: UnsafeMutablePointer<MemoryTable<Key, Value>>
  @usableFromInline nonisolated(unsafe) let clock: UnsafeMutablePointer<MemoryClock>
  /// Whoever changes what is held has this, and takes a stripe's lock under it.
  let account: MemoryAccount
  let watcher: Watcher?

  /// More threads than this rarely meet; each eviction looks at all of them.
  @inlinable static var stripeCount: Int { 32 }
  // The table below uses the low bits.
  @inlinable static func stripe(_ hash: UInt) -> Int { Int(hash >> (UInt.bitWidth - 5)) }

  /// Makes an empty cache.
  ///
  /// - Parameters:
  ///   - limits: what it may hold.
  ///   - watcher: is told of every value that leaves, and why.
  public init(_ limits: MemoryLimits, leaving watcher: Watcher? = nil) {
    account = MemoryAccount(limits)
    self.watcher = watcher
    stripes = .allocate(capacity: Self.stripeCount)
    tables = .allocate(capacity: Self.stripeCount)
    for index in 0..<Self.stripeCount {
      (stripes + index).initialize(to: MemoryStripe())
      (tables + index).initialize(to: MemoryTable())
    }
    clock = .allocate(capacity: 1)
    clock.initialize(to: MemoryClock())
  }

  deinit {
    stripes.deinitialize(count: Self.stripeCount).deallocate()
    tables.deinitialize(count: Self.stripeCount).deallocate()
    clock.deinitialize(count: 1).deallocate()
  }

  /// The value of a key, which becomes the most recently used; nil where there is none.
  @inlinable
  public func value(for key: Key) -> Value? {
    let hash = UInt(bitPattern: key.hashValue)
    return value(key, hash, in: Self.stripe(hash))
  }

  /// Keeps a value as the most recently used, in place of the one that was kept under its key.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - key: what it is found by.
  ///   - cost: what it takes of the cost limit, in bytes; never negative.
  /// - Returns: whether it is kept; not where it alone is above a limit, and then nothing is kept under its
  ///   key.
  @discardableResult
  public func insert(_ value: Value, for key: Key, cost: Int64) -> Bool {
    precondition(cost >= 0, "a cost is never negative")
    return change { account, left in
      guard account.limits.admit(cost) else {
        remove(key, .replaced, &account, &left)
        return false
      }
      makeRoom(for: key, cost, &account, &left)
      let hash = UInt(bitPattern: key.hashValue)
      let old = change(Self.stripe(hash)) { table in
        table.put(.init(key, hash, value, cost: cost), at: clock.pointee.next())
      }
      if let old { take(old, .replaced, &account, &left) }
      account.usage.count += 1
      account.usage.cost += Int128(cost)
      return true
    }
  }

  /// Takes the value of a key out; nil where there is none.
  @discardableResult
  public func remove(_ key: Key) -> Value? {
    change { account, left in
      remove(key, .removed, &account, &left)
      return left.last?.value
    }
  }

  /// Takes every value out.
  public func removeAll(_ why: MemoryDeparture = .removed) {
    change { account, left in
      while evictOldest(why, &account, &left) != nil {}
    }
  }

  /// What is held.
  public var usage: MemoryUsage { account.withLock { $0.usage } }

  /// What may be held; what is too much under new limits has left when the setter returns.
  public var limits: MemoryLimits {
    get { account.withLock { $0.limits } }
    set {
      change { account, left in
        account.limits = newValue
        while let why = account.limits.excess(account.usage.count, account.usage.cost) {
          evictOldest(why, &account, &left)
        }
      }
    }
  }

  /// The keys of all that is held, the least recently used first; looking is no use.
  public var keysByUse: [Key] {
    account.withLock { _ in
      var found: [(stamp: UInt64, key: Key)] = []
      for index in 0..<Self.stripeCount {
        found += withTable(index) { table in
          (0..<table.count).map { (table.uses[$0].stamp, table.slots[$0].key) }
        }
      }
      return found.sorted { $0.stamp < $1.stamp }.map(\.key)
    }
  }
}
