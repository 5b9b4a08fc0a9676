internal import CacheModel
internal import Glibc

/// Repairs entries of one shard under its lock, each looked at again first: what changed since it was
/// judged is somebody's newer work and stays.
struct Repair: ~Copyable {
  private var shard: LockedShard
  private let request: VerifyRequest
  private let quarantine: Quarantine
  /// Records that hold again.
  private var lines = LineWriter()
  /// The ends of entries.
  private var ended = LineWriter()
  private let newest: [EntryName: CostRecord]
  private(set) var tally = RepairTally()

  /// - Throws: where the shard cannot be locked or read: then nothing has been changed.
  init(
    _ orders: [RepairOrder], of shard: Shard, in store: Store, _ request: VerifyRequest
  ) throws(StoreError) {
    var locked = try LockedShard(shard, of: store)
    let newest = try Self.newest(orders, locked)
    locked.beginRemoving()
    self.init(locked, newest, request, Quarantine(store))
  }

  private init(
    _ shard: consuming LockedShard, _ newest: [EntryName: CostRecord], _ request: VerifyRequest,
    _ quarantine: Quarantine
  ) {
    self.shard = shard
    self.newest = newest
    self.request = request
    self.quarantine = quarantine
  }

  private static func newest(
    _ orders: [RepairOrder], _ shard: borrowing LockedShard
  ) throws(StoreError) -> [EntryName: CostRecord] {
    let records = try shard.records()
    var found: [EntryName: CostRecord] = [:]
    for order in orders { found[order.name] = records.record(of: order.name) }
    return found
  }

  mutating func apply(_ order: RepairOrder) {
    do {
      guard newest[order.name] == order.record, try isAsJudged(order) else {
        tally.spared += 1
        return
      }
      switch order.kind {
      case .damaged: try remove(order)
      case .interrupted(let earlier): settle(by: earlier)
      case .missing: end(order.name)
      case .stray: try adopt(order)
      }
    } catch {
      tally.fail("cannot repair \(Layout.object(order.name)): \(error)")
    }
  }

  private func isAsJudged(_ order: RepairOrder) throws(Errno) -> Bool {
    do {
      let status = try shard.objects.status(of: order.name)
      return status.kind == .regular && ObjectReader.Identity(status) == order.identity
    } catch {
      if error == .notFound { return order.identity == nil }
      throw error
    }
  }

  private mutating func remove(_ order: RepairOrder) throws(Errno) {
    if request.repair == .quarantine {
      try shard.change(.departure) { (objects) throws(Errno) in
        try quarantine.take(order, from: objects, now: request.now)
      }
      tally.quarantined += 1
    } else {
      try shard.unlink(order.name)
      tally.deleted += 1
    }
    ended.removed(order.name, at: request.now, why: "damaged")
  }

  private mutating func settle(by earlier: CostRecord) {
    lines.cost(earlier)
    tally.settled += 1
  }

  private mutating func end(_ name: EntryName) {
    ended.removed(name, at: request.now, why: "missing")
    tally.ended += 1
  }

  private mutating func adopt(_ order: RepairOrder) throws(Errno) {
    guard let identity = order.identity, let hash = order.hash else {
      tally.spared += 1
      return
    }
    let used = min(
      Instant(milliseconds: identity.modifiedNanoseconds / 1_000_000), request.now)
    lines.cost(
      CostRecord(
        name: order.name, bytes: identity.size, cost: identity.size, hash: hash,
        stored: request.now, used: used))
    tally.adopted += 1
  }

  /// Records what was done and lets the shard go.
  mutating func finish() -> RepairTally {
    do { try shard.appendCost(lines) } catch {
      shard.distrust()
      tally.fail("\(error)")
    }
    shard.recordRemovals(ended)
    return tally
  }
}
