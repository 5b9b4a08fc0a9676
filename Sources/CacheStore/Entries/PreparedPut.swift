internal import CacheModel

/// An image that is written and lies in tmp/, ready to take its place.
final class PreparedPut {
  let record: CostRecord
  fileprivate let lines: Lines
  fileprivate var temporary: TemporaryFile

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

extension Store {
  /// An image that did not take its place.
  struct PublicationFailure {
    let name: EntryName
    let error: StoreError

    init(_ put: PreparedPut, _ error: Errno) {
      name = put.record.name
      self.error = StoreError("store", Layout.object(name), .system(error))
    }
  }

  /// Lets images of one shard take their places under its lock: all records first, then each rename.
  /// Returns those that did not; where the records cannot be written, that is all of them.
  func publish(_ puts: [PreparedPut]) -> [PublicationFailure] {
    guard let shard = puts.first?.record.name.shard else { return [] }
    do throws(Errno) {
      return try publish(puts, LockedShard(shard, of: self))
    } catch { return failures(puts, error) }
  }

  private func failures(_ puts: [PreparedPut], _ error: Errno) -> [PublicationFailure] {
    puts.map { PublicationFailure($0, error) }
  }

  private func publish(
    _ puts: [PreparedPut], _ shard: consuming LockedShard
  ) throws(Errno) -> [PublicationFailure] {
    var lines = PreparedPut.Lines()
    for put in puts {
      lines.cost.append(put.lines.cost)
      lines.origin.append(put.lines.origin)
    }
    try shard.begin()
    try shard.appendOrigin(lines.origin)
    try shard.appendCost(lines.cost)
    if configuration.isDurable { try shard.cost.file.synchronize() }
    // The commit point of each. A record without its object is an interrupted store, which tells
    // itself apart from damage; an object without its record would not.
    var failures: [PublicationFailure] = []
    for put in puts {
      do { try put.temporary.rename(to: "\(put.record.name)", in: shard.objects) } catch {
        failures.append(PublicationFailure(put, error))
      }
    }
    // A record without its object leaves the witness cleared, so that a listing settles it.
    if failures.isEmpty { try shard.finish() }
    if configuration.isDurable { try shard.objects.synchronize() }
    return failures
  }
}
