public import CacheModel

extension Store {
  /// Writes last uses that objects told into the records, so that the next run need not look at these
  /// objects again: a bound in a record only ever moves forward.
  ///
  /// For the sake of speed alone, and for no other: a shard of which few were looked at is left as it
  /// is, and so is one that cannot be changed now, on a full disk for example.
  ///
  /// - Parameter candidates: entries that were looked at, in any order; they are sorted by name.
  public func recordUses(of candidates: UnsafeMutableBufferPointer<Candidate>) {
    let runs = candidates.sortedRuns().filter { $0.count >= Self.leastUsesRecorded }
    let uses = UseRecording(
      candidates: UnsafeBufferPointer(candidates), runs: runs, queue: WorkQueue(runs.count))
    onThreads(min(processorCount, runs.count)) { [self] _ in
      let reader = LineReader()
      while let index = uses.queue.take() {
        // What is not written now is looked at again next time.
        try? record(uses.candidates[uses.runs[index]], reader)
      }
    }
  }

  /// Reading and locking a shard costs as much as looking at some objects.
  private static var leastUsesRecorded: Int { 8 }

  private func record(
    _ candidates: Slice<UnsafeBufferPointer<Candidate>>, _ reader: LineReader
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

/// Each run is one thread's alone.
private struct UseRecording: @unchecked Sendable {
  let candidates: UnsafeBufferPointer<Candidate>
  let runs: [Range<Int>]
  let queue: WorkQueue
}
