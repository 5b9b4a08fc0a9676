public import CacheModel

/// What an origin's word makes of an entry's record, its image being the same.
public struct Confirmation: Sendable {
  /// The entry as it was asked about.
  public let entry: AskableEntry
  /// Its record from now on.
  public let record: OriginRecord

  /// Puts a confirmation together.
  public init(_ entry: AskableEntry, _ record: OriginRecord) {
    self.entry = entry
    self.record = record
  }
}

/// What came of recording confirmations.
public struct ConfirmationOutcome: Sendable {
  /// Entries that were replaced or removed meanwhile: what was said is not of them.
  public var superseded: [EntryName] = []
  /// Shards or entries whose records could not be written, and why.
  public var failures: [(name: EntryName, reason: String)] = []
}

extension Store {
  /// Records confirmations: a line of etag.jsonl each, those of a shard in one write under its lock.
  ///
  /// No object and no time is touched. An entry that is not any more what was asked about is left
  /// alone.
  public func confirm(_ confirmations: [Confirmation]) -> ConfirmationOutcome {
    var outcome = ConfirmationOutcome()
    var standing = Standing()
    for (shard, batch) in Dictionary(grouping: confirmations, by: \.entry.name.shard) {
      do throws(StoreError) { try confirm(batch, in: shard, &standing, &outcome) } catch {
        let reason = "\(error)"
        outcome.failures += batch.map { ($0.entry.name, reason) }
      }
    }
    return outcome
  }

  private func confirm(
    _ batch: [Confirmation], in shard: Shard, _ standing: inout Standing,
    _ outcome: inout ConfirmationOutcome
  ) throws(StoreError) {
    var locked = try LockedShard(shard, of: self)
    standing.begin()
    var lines = LineWriter()
    for confirmation in batch {
      let name = confirmation.entry.name
      guard try standing.holds(confirmation.entry, in: locked) else {
        outcome.superseded.append(name)
        continue
      }
      if !lines.origin(name, confirmation.record) {
        outcome.failures.append((name, "its record would be longer than a line may be"))
      }
    }
    try locked.appendOrigin(lines)
  }
}
