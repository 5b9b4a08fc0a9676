internal import CacheModel
internal import Glibc

/// Repairs entries of one shard under its lock, each looked at again first: what changed since it was
/// judged is somebody's newer work and stays.
struct Repair: ~Copyable {
  private var shard: LockedShard
  private let request: VerifyRequest
  private let quarantine: Quarantine
  private var lines = LineWriter()
  private let newest: [EntryName: CostRecord]
  private(set) var tally = RepairTally()

  /// - Throws: where the shard cannot be locked or read: then nothing has been changed.
  init(
    _ orders: [RepairOrder], of shard: Shard, in store: Store, _ request: VerifyRequest
  ) throws(Errno) {
    let locked = try LockedShard(shard, of: store)
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
  ) throws(Errno) -> [EntryName: CostRecord] {
    var records = ShardRecords()
    try records.load(shard.cost.file, reader: LineReader(), json: JSONReader())
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
      try quarantine.take(order, from: shard.objects, now: request.now)
      tally.quarantined += 1
    } else {
      try shard.objects.unlink(order.name)
      tally.deleted += 1
    }
    lines.removed(order.name, at: request.now, why: "damaged")
  }

  private mutating func settle(by earlier: CostRecord) {
    lines.cost(earlier)
    tally.settled += 1
  }

  private mutating func end(_ name: EntryName) {
    lines.removed(name, at: request.now, why: "missing")
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
    do {
      try shard.appendCost(lines)
      try shard.finish()
    } catch {
      // What was removed is removed; the next listing writes what is due.
      shard.fallBehind()
      tally.fail("cannot write \(Layout.cost(shard.shard)): \(error)")
    }
    return tally
  }
}

/// quarantine/: damaged objects and, beside each, a note for whoever looks into it.
struct Quarantine {
  private let store: Store

  init(_ store: Store) { self.store = store }

  /// Moves an object here. Its name is NAME, or NAME.2 and so on where that is taken.
  func take(
    _ order: RepairOrder, from objects: borrowing Directory, now: Instant
  ) throws(Errno) {
    let directory = try store.root.directory(Layout.quarantine)
    let place = try freeName(for: order.name, directory)
    // The note first: an object without one tells nothing.
    var note = try TemporaryFile(in: store)
    try note.file.write(bytes: text(order, now: now))
    try note.rename(to: "\(place).json", in: directory)
    try objects.rename("\(order.name)", to: place, in: directory)
  }

  private func freeName(
    for name: EntryName, _ directory: borrowing Directory
  ) throws(Errno) -> String {
    for number in 1... {
      let place = number == 1 ? "\(name)" : "\(name).\(number)"
      do { _ = try directory.status(at: place) } catch {
        if error == .notFound { return place }
        throw error
      }
    }
    return "\(name)"
  }

  private func text(_ order: RepairOrder, now: Instant) -> [UInt8] {
    // The key is for people; the name tells the entry.
    let origin = try? store.origin(of: order.name)
    var json = JSONText()
    json.beginObject()
    json.member("name", "\(order.name)")
    json.member("key", origin?.key.text)
    json.member("class", Finding.Kind.damaged.rawValue)
    json.member("detail", order.detail)
    json.member("quarantined", now)
    json.member("bytes", order.identity?.size ?? 0)
    json.member("xxh128", order.hash.map { "\($0)" })
    json.member("recorded_bytes", order.record?.bytes ?? 0)
    json.member("recorded_xxh128", order.record?.hash.map { "\($0)" })
    json.member("stored", order.record?.stored)
    json.member("etag", origin?.etag)
    json.member("type", origin?.type)
    json.endObject()
    json.endLine()
    return json.bytes
  }
}
