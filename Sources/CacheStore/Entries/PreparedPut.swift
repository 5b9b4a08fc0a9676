internal import CacheModel

/// An image that is written and lies in tmp/, ready to take its place.
final class PreparedPut {
  let record: CostRecord
  fileprivate let lines: Lines
  fileprivate var temporary: TemporaryFile
  /// What the entry must still be; nil: anything.
  var expected: AskableEntry?
  /// Whether the entry was not that any more, and stays as it is.
  fileprivate(set) var isSuperseded = false

  /// What the manifests will say of it.
  struct Lines {
    var cost = LineWriter()
    var origin = LineWriter()
  }

  init(_ record: CostRecord, _ lines: Lines, _ temporary: consuming TemporaryFile) {
    self.record = record
    self.lines = lines
    self.temporary = temporary
  }
}

extension PreparedPut {
  /// Whether the entry still is what it is to replace.
  fileprivate func isDue(in shard: borrowing LockedShard) throws(StoreError) -> Bool {
    guard let expected else { return true }
    var standing = Standing()
    isSuperseded = try !standing.holds(expected, in: shard)
    return !isSuperseded
  }

  /// The commit point.
  ///
  /// A record without its object is an interrupted store, which tells itself apart from damage; an
  /// object without its record would not.
  fileprivate func moveIn(_ shard: inout LockedShard) throws(Errno) {
    let name = "\(record.name)"
    try shard.change(.arrival) { (objects) throws(Errno) in
      try temporary.rename(to: name, in: objects)
    }
  }
}

extension Store {
  /// An image that did not take its place.
  struct PublicationFailure {
    let name: EntryName
    let error: StoreError
  }

  /// Lets images of one shard take their places under its lock: all records first, then each
  /// rename.
  ///
  /// Returns those that did not; where the records cannot be written, that is all of them.
  func publish(_ puts: [PreparedPut]) -> [PublicationFailure] {
    guard let shard = puts.first?.record.name.shard else { return [] }
    do throws(StoreError) {
      // A watch costs as much as a store.
      let use: DirectoryWatches.Use = puts.count > 4 ? .always : .whereDue
      return try publish(puts, LockedShard(shard, of: self, watched: use))
    } catch {
      let error = error
      return puts.map { PublicationFailure(name: $0.record.name, error: error) }
    }
  }

  private func publish(
    _ puts: [PreparedPut], _ locked: consuming LockedShard
  ) throws(StoreError) -> [PublicationFailure] {
    var shard = locked
    var due: [PreparedPut] = []
    for put in puts where try put.isDue(in: shard) { due.append(put) }
    if due.isEmpty { return [] }
    try announce(due, &shard)
    var failures: [PublicationFailure] = []
    for put in due {
      do throws(Errno) { try put.moveIn(&shard) } catch {
        failures.append(put.failure("store", error))
      }
    }
    conclude(due, &shard, failed: failures.count)
    guard configuration.isDurable else { return failures }
    do throws(Errno) { try shard.objects.synchronize() } catch {
      return due.map { $0.failure("sync", error) }
    }
    return failures
  }

  /// Writes the records; where that fails, none of them stays.
  private func announce(_ puts: [PreparedPut], _ shard: inout LockedShard) throws(StoreError) {
    var lines = PreparedPut.Lines()
    for put in puts {
      lines.cost.append(put.lines.cost)
      lines.origin.append(put.lines.origin)
    }
    do throws(StoreError) {
      // No begin(): the longer cost.jsonl says that a change is under way, before anything else does.
      try shard.appendCost(lines.cost)
      try shard.appendOrigin(lines.origin)
    } catch {
      shard.takeBack()
      throw error
    }
  }

  private func conclude(_ puts: [PreparedPut], _ shard: inout LockedShard, failed: Int) {
    if failed == 0 {
      // The images are in the cache. A witness that stays wrong costs a listing and nothing else.
      try? shard.finish()
    } else if failed == puts.count, puts.allSatisfy({ $0.temporary.isInPlace }) {
      // Where a rename may have happened after all (NFS), the records have to stay. A record without
      // its object leaves the witness wrong, so that a listing settles it.
      shard.takeBack()
    }
  }
}

extension PreparedPut {
  fileprivate func failure(_ attempt: String, _ error: Errno) -> Store.PublicationFailure {
    Store.PublicationFailure(
      name: record.name,
      error: StoreError(attempt, Layout.object(record.name), .system(error)))
  }
}
