/// The values of one stripe of a memory cache: a hash table into slots, and the slots linked in the order
/// of their last use.
///
/// For whoever holds the stripe's lock.
@usableFromInline
struct MemoryTable<Key: Hashable & Sendable, Value: Sendable>: ~Copyable {
  @usableFromInline static var none: Int32 { -1 }

  /// A value and what it is found and judged by.
  @usableFromInline
  struct Slot: Sendable {
    @usableFromInline let hash: UInt
    @usableFromInline let key: Key
    @usableFromInline var value: Value
    @usableFromInline var cost: Int64

    @usableFromInline
    init(_ key: Key, _ hash: UInt, _ value: Value, cost: Int64) {
      self.hash = hash
      self.key = key
      self.value = value
      self.cost = cost
    }
  }

  /// A slot's last use, by the cache's own clock, and its neighbours in the order of use.
  @usableFromInline
  struct Use: Sendable {
    @usableFromInline var stamp: UInt64
    @usableFromInline var newer = MemoryTable.none
    @usableFromInline var older = MemoryTable.none

    @usableFromInline init(_ stamp: UInt64) { self.stamp = stamp }
  }

  // Memory of its own: an array would count references and look whether it is shared, at every hit.
  /// Slots without a gap: the last moves where one is removed.
  @usableFromInline private(set) var slots = UnsafeMutablePointer<Slot>.allocate(capacity: 4)
  /// The use of each slot, close together: a hit changes those of three.
  @usableFromInline private(set) var uses = UnsafeMutablePointer<Use>.allocate(capacity: 4)
  @usableFromInline private(set) var count = 0
  /// Slot numbers by hash: open addressing, at most half full.
  @usableFromInline private(set) var places = UnsafeMutablePointer<Int32>.allocate(capacity: 8)
  /// A power of two; slots have room for half as many.
  @usableFromInline private(set) var placeCount = 8
  @usableFromInline private(set) var newest: Int32 = -1
  @usableFromInline private(set) var oldest: Int32 = -1

  // Two tables on one cache line would be one to the processor.
  private let room: CacheLine = (0, 0, 0, 0, 0, 0, 0, 0)

  init() { places.initialize(repeating: Self.none, count: placeCount) }

  deinit {
    slots.deinitialize(count: count).deallocate()
    uses.deallocate()
    places.deallocate()
  }

  /// The slot of a key; nil where there is none.
  @inlinable
  func find(_ key: Key, _ hash: UInt) -> Int? {
    let mask = placeCount - 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while places[place] != Self.none {
      let slot = Int(places[place])
      if slots[slot].hash == hash, slots[slot].key == key { return slot }
      place = (place + 1) & mask
    }
    return nil
  }

  /// Makes a slot the newest.
  @inlinable
  mutating func use(_ slot: Int, at stamp: UInt64) {
    uses[slot].stamp = stamp
    if newest == Int32(truncatingIfNeeded: slot) { return }
    unlink(slot)
    link(slot)
  }

  @inlinable
  mutating func unlink(_ slot: Int) {
    let (newer, older) = (uses[slot].newer, uses[slot].older)
    if newer == Self.none { newest = older } else { uses[Int(newer)].older = older }
    if older == Self.none { oldest = newer } else { uses[Int(older)].newer = newer }
  }

  @inlinable
  mutating func link(_ slot: Int) {
    let number = Int32(truncatingIfNeeded: slot)
    uses[slot].older = newest
    uses[slot].newer = Self.none
    if newest == Self.none { oldest = number } else { uses[Int(newest)].newer = number }
    newest = number
  }
}

extension MemoryTable {
  /// Puts a value in as the newest; returns what was kept under its key.
  mutating func put(_ new: Slot, at stamp: UInt64) -> Slot? {
    if let slot = find(new.key, new.hash) {
      let old = slots[slot]
      slots[slot].value = new.value
      slots[slot].cost = new.cost
      use(slot, at: stamp)
      return old
    }
    if 2 * (count + 1) > placeCount { grow() }
    (slots + count).initialize(to: new)
    (uses + count).initialize(to: Use(stamp))
    count += 1
    link(count - 1)
    index(count - 1)
    return nil
  }

  /// Takes a slot out.
  mutating func remove(_ slot: Int) -> Slot {
    unlink(slot)
    unindex(slot)
    let last = count - 1
    if slot != last { move(last, to: slot) }
    count = last
    return (slots + last).move()
  }

  private mutating func move(_ last: Int, to slot: Int) {
    places[place(of: last)] = Int32(slot)
    swap(&slots[last], &slots[slot])
    uses[slot] = uses[last]
    let (newer, older) = (uses[slot].newer, uses[slot].older)
    if newer == Self.none { newest = Int32(slot) } else { uses[Int(newer)].older = Int32(slot) }
    if older == Self.none { oldest = Int32(slot) } else { uses[Int(older)].newer = Int32(slot) }
  }

  /// Where the table names a slot.
  private func place(of slot: Int) -> Int {
    let mask = placeCount - 1
    var place = Int(truncatingIfNeeded: slots[slot].hash) & mask
    while places[place] != Int32(slot) { place = (place + 1) & mask }
    return place
  }

  private mutating func index(_ slot: Int) {
    let mask = placeCount - 1
    var place = Int(truncatingIfNeeded: slots[slot].hash) & mask
    while places[place] != Self.none { place = (place + 1) & mask }
    places[place] = Int32(slot)
  }

  /// Closes the gap, so that no search ends at it: whatever stands behind moves up to where its hash
  /// wants it (Knuth, The Art of Computer Programming 3, 6.4, algorithm R).
  private mutating func unindex(_ slot: Int) {
    let mask = placeCount - 1
    var gap = place(of: slot)
    var place = gap
    while true {
      place = (place + 1) & mask
      let other = places[place]
      if other == Self.none { break }
      let home = Int(truncatingIfNeeded: slots[Int(other)].hash) & mask
      if (place - home) & mask >= (place - gap) & mask {
        places[gap] = other
        gap = place
      }
    }
    places[gap] = Self.none
  }

  private mutating func grow() {
    let (oldSlots, oldUses, oldPlaces) = (slots, uses, places)
    slots = .allocate(capacity: placeCount)
    slots.moveInitialize(from: oldSlots, count: count)
    oldSlots.deallocate()
    uses = .allocate(capacity: placeCount)
    uses.moveInitialize(from: oldUses, count: count)
    oldUses.deallocate()
    oldPlaces.deallocate()
    placeCount *= 2
    places = .allocate(capacity: placeCount)
    places.initialize(repeating: Self.none, count: placeCount)
    for slot in 0..<count { index(slot) }
  }
}
