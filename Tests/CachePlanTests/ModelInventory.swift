import CacheModel
import Synchronization

/// A store in memory that lies as a real index may: bounds below the truth, records of objects that
/// are gone, objects without records.
final class ModelInventory: Inventory {
  struct Entry: Sendable {
    var truth: Candidate
    var bound: Instant
    var isThere = true
  }

  private let entries: Mutex<[Entry]>
  let partCount: Int

  init(_ entries: [Entry], parts: Int) {
    self.entries = Mutex(entries)
    partCount = parts
  }

  /// Every object as it truly is.
  var truths: [Candidate] { entries.withLock { $0.filter(\.isThere).map(\.truth) } }

  func scan(
    _ request: ScanRequest, _ take: @Sendable (ArraySlice<Candidate>, Census) -> Void
  ) throws(Never) -> Census {
    var whole = Census()
    let parts = entries.withLock { all in
      Dictionary(grouping: all) { Int($0.truth.name.words.0 % UInt64(partCount)) }
    }
    for part in 0..<partCount {
      var census = Census()
      var batch: [Candidate] = []
      for entry in parts[part] ?? [] {
        guard let candidate = offered(entry, request) else { continue }
        if entry.isThere { census.usage.add(entry.truth) }
        batch.append(candidate)
      }
      take(batch[...], census)
      whole.merge(census)
    }
    return whole
  }

  /// A bound, or the truth where a window begins behind the bound.
  private func offered(_ entry: Entry, _ request: ScanRequest) -> Candidate? {
    var candidate = entry.truth
    candidate.lastUse = entry.bound
    candidate.traits.remove(.exact)
    request.classify(&candidate)
    guard let floor = request.floor, candidate.key < floor else { return candidate }
    var truth = entry.truth
    request.classify(&truth)
    return entry.isThere && floor <= truth.key ? truth : nil
  }

  func look(at candidates: UnsafeMutableBufferPointer<Candidate>, _ request: ScanRequest) {
    let byName = entries.withLock { all in
      Dictionary(uniqueKeysWithValues: all.map { ($0.truth.name, $0) })
    }
    for index in candidates.indices {
      guard let entry = byName[candidates[index].name], entry.isThere else {
        candidates[index].traits.insert(.gone)
        continue
      }
      candidates[index] = entry.truth
      request.classify(&candidates[index])
    }
  }

  func evict(
    _ victims: UnsafeMutableBufferPointer<Candidate>, _ orders: EvictionOrders
  ) -> EvictionOutcome {
    var outcome = EvictionOutcome()
    entries.withLock { all in
      for victim in victims {
        guard let index = all.firstIndex(where: { $0.truth.name == victim.name }) else { continue }
        all[index].isThere = false
        outcome.removed.add(victim)
        outcome.freedBytes += Int128(victim.allocated)
        outcome.freedInodes += 1
      }
    }
    return outcome
  }
}
