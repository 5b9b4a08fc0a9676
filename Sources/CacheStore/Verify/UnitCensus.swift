public import CacheModel
internal import Synchronization

/// What each part of the cache holds by its records, and how much of that was verified in time.
struct UnitCensus {
  private(set) var units = [Coverage](repeating: Coverage(), count: 256 * UnitMask.count)

  subscript(shard: Shard, unit: Int) -> Coverage {
    get { units[Int(shard.number) * UnitMask.count + unit] }
    set { units[Int(shard.number) * UnitMask.count + unit] = newValue }
  }

  /// All parts together.
  var whole: Coverage { units.reduce(into: Coverage()) { $0.merge($1) } }

  /// Counts the records of every shard.
  init(of store: Store, _ times: VerifiedTimes, since earliest: Instant) {
    let counted = Mutex([Coverage](repeating: Coverage(), count: 256 * UnitMask.count))
    let queue = WorkQueue(Shard.all.count)
    onThreads(processorCount) { _ in
      var records = ShardRecords()
      let (reader, json) = (LineReader(), JSONReader())
      while let index = queue.take() {
        let shard = Shard.all[index]
        // A shard that cannot be read is reported by the check itself.
        guard (try? records.load(shard, of: store, reader: reader, json: json)) != nil else {
          continue
        }
        let units = Self.count(records, shard, times, earliest)
        counted.withLock { all in
          for unit in units.indices { all[index * UnitMask.count + unit] = units[unit] }
        }
      }
    }
    units = counted.withLock { $0 }
  }

  private static func count(
    _ records: borrowing ShardRecords, _ shard: Shard, _ times: VerifiedTimes, _ earliest: Instant
  ) -> [Coverage] {
    var units = [Coverage](repeating: Coverage(), count: UnitMask.count)
    for slot in records.slots where slot.isLive {
      let unit = slot.record.name.unit
      let verified = times[shard, unit]
      units[unit].entries += 1
      units[unit].bytes = units[unit].bytes.addingClamped(slot.record.bytes)
      guard verified > 0, verified >= max(slot.record.stored, earliest).milliseconds else {
        continue
      }
      units[unit].coveredEntries += 1
      units[unit].coveredBytes = units[unit].coveredBytes.addingClamped(slot.record.bytes)
    }
    return units
  }
}

extension Int64 {
  /// The sum, stopping at the end: hostile records must not trap it.
  fileprivate func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}

extension Store {
  /// How much of the cache was verified within `window`, by what earlier runs kept in state/.
  ///
  /// Reads every record: a tenth of a second for a million entries.
  public func coverage(within window: Duration, now: Instant) -> Coverage {
    let times = VerifiedTimes(of: self)
    let census = UnitCensus(of: self, times, since: now.before(by: window))
    var whole = census.whole
    whole.oldest = Self.oldest(census, times)
    return whole
  }

  /// The earliest time of a part that holds something; nil where one never was.
  private static func oldest(_ census: UnitCensus, _ times: VerifiedTimes) -> Instant? {
    var oldest = Int64.max
    for shard in Shard.all {
      for unit in 0..<UnitMask.count where census[shard, unit].entries > 0 {
        oldest = min(oldest, times[shard, unit])
      }
    }
    return oldest == 0 || oldest == .max ? nil : Instant(milliseconds: oldest)
  }
}
