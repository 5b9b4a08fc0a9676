public import CacheModel
internal import Glibc

/// What came of removing several entries.
public struct RemovalOutcome: Sendable, Equatable {
  /// Entries that were removed.
  public var removed: Int64 = 0
  /// The lengths of their objects.
  public var bytes: Int64 = 0
  /// Names that had no object: gone already, or never there.
  public var absent: Int64 = 0
  /// Entries that were used since the decision, and stay.
  public var spared: Int64 = 0
  /// Entries that would not go: the path and the kernel's reason, up to a thousand of them.
  public var failures: [String] = []
  /// How many would not go.
  public var failureCount: Int64 = 0

  /// Nothing yet.
  public init() {}

  /// Takes in what another part of the run did.
  public mutating func merge(_ other: RemovalOutcome) {
    removed += other.removed
    bytes = bytes.addingReportingOverflow(other.bytes).overflow ? .max : bytes + other.bytes
    absent += other.absent
    spared += other.spared
    failureCount += other.failureCount
    failures += other.failures.prefix(max(0, Census.mostProblems - failures.count))
  }

  fileprivate mutating func fail(_ name: EntryName, _ reason: String) {
    failureCount += 1
    guard failures.count < Census.mostProblems else { return }
    failures.append("cannot remove \(Layout.object(name)): \(reason)")
  }
}

extension Store {
  /// Removes entries, those of a shard together under its lock.
  ///
  /// Each object is looked at again first: one that is no regular file, or that was used at
  /// `spared` or later, stays. Removing needs no free space.
  ///
  /// - Parameters:
  ///   - names: the entries, in any order.
  ///   - spared: the last use from which an entry stays; nil to remove whatever its last use.
  ///   - renewed: an entry that was stored at this time or later stays; nil to remove whatever it is.
  ///   - now: the time to record.
  ///   - why: the word that the manifest keeps, for example `rm`.
  /// - Returns: what was removed, and what would not go.
  public func remove(
    _ names: [EntryName], usedBefore spared: Instant? = nil,
    storedBefore renewed: Instant? = nil, now: Instant, why: String = "rm"
  ) -> RemovalOutcome {
    var outcome = RemovalOutcome()
    for (shard, names) in Dictionary(grouping: names, by: \.shard).sorted(by: { $0.key < $1.key }) {
      do {
        // A watch costs as much as a removal.
        let locked = try LockedShard(
          shard, of: self, watched: names.count > 1 ? .always : .whereDue)
        var batch = BatchRemoval(locked, spared, now: now, why: why)
        if let renewed { try batch.spare(storedSince: renewed) }
        for name in names { batch.remove(name) }
        outcome.merge(batch.finish())
      } catch {
        for name in names { outcome.fail(name, "\(error)") }
      }
    }
    return outcome
  }
}

/// The removals of one shard under its lock.
private struct BatchRemoval: ~Copyable {
  private var shard: LockedShard
  private let spared: Instant?
  private let now: Instant
  private let why: String
  private var lines = LineWriter()
  private var outcome = RemovalOutcome()
  private var renewed: (since: Instant, records: ShardRecords)?

  init(_ shard: consuming LockedShard, _ spared: Instant?, now: Instant, why: String) {
    self.shard = shard
    self.spared = spared
    self.now = now
    self.why = why
    self.shard.beginRemoving()
  }

  /// Lets stay what was stored at `time` or later.
  mutating func spare(storedSince time: Instant) throws(StoreError) {
    renewed = (time, try shard.records())
  }

  mutating func remove(_ name: EntryName) {
    do throws(Errno) { try tryToRemove(name) } catch { failed(name, error) }
  }

  private mutating func tryToRemove(_ name: EntryName) throws(Errno) {
    let status = try shard.objects.status(of: name)
    guard status.kind == .regular else {
      return outcome.fail(name, "a \(status.kind.rawValue) is no entry and is left alone")
    }
    if let spared, status.modified >= spared {
      outcome.spared += 1
      return
    }
    if let renewed, let record = renewed.records.record(of: name), record.stored >= renewed.since {
      outcome.spared += 1
      return
    }
    try shard.unlink(name)
    outcome.removed += 1
    outcome.bytes += status.size
    lines.removed(name, at: now, why: why)
  }

  /// Gone already is as good as removed; the record still has to end.
  private mutating func failed(_ name: EntryName, _ error: Errno) {
    guard error == .notFound else { return outcome.fail(name, "\(error)") }
    outcome.absent += 1
    lines.removed(name, at: now, why: why)
  }

  /// Records what was done and lets the shard go.
  mutating func finish() -> RemovalOutcome {
    shard.recordRemovals(lines)
    return outcome
  }
}
