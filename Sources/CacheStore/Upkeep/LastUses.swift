public import CacheModel

extension Store {
  /// Writes last uses that objects told into the records, so that the next run need not look at these
  /// objects again: a bound in a record only ever moves forward.
  ///
  /// For the sake of speed alone, and for no other: a shard of which few were looked at is left as it
  /// is, and so is one that cannot be changed now, on a full disk for example.
  ///
  /// - Parameter candidates: entries that were looked at, in any order; those of a shard are moved together.
  public func recordUses(of candidates: UnsafeMutableBufferPointer<Candidate>) {
    let work = CandidateRuns(ofShards: candidates, least: Self.leastUsesRecorded)
    onThreads(min(processorCount, work.count)) { [self] _ in
      let reader = LineReader()
      while let run = work.take() {
        // What is not written now is looked at again next time.
        try? record(run, reader)
      }
    }
  }

  /// Reading and locking a shard costs as much as looking at some objects.
  private static var leastUsesRecorded: Int { 8 }

  private func record(
    _ candidates: UnsafeMutableBufferPointer<Candidate>, _ reader: LineReader
  ) throws(StoreError) {
    guard let shard = candidates.first?.name.shard else { return }
    var locked = try LockedShard(shard, of: self)
    var records = ShardRecords()
    try locked.load(&records, reader: reader)
    var lines = LineWriter()
    for candidate in candidates where !candidate.traits.contains(.future) {
      guard var record = records.record(of: candidate.name), record.used < candidate.lastUse else {
        continue
      }
      record.used = candidate.lastUse
      lines.cost(record)
    }
    if lines.bytes.isEmpty { return }
    try locked.begin()
    do throws(StoreError) { try locked.appendCost(lines) } catch {
      locked.takeBack()
      throw error
    }
    try locked.finish()
  }
}
