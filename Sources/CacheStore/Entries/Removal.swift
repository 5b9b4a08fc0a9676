public import CacheModel
internal import Glibc

extension Store {
  /// Removes the entry of `name`.
  ///
  /// What is no regular file is no entry and is left alone. Readers that have the object open keep
  /// it. Removing needs no free space.
  ///
  /// - Parameters:
  ///   - name: the entry.
  ///   - now: the time to record.
  ///   - why: the word that the manifest keeps, for example `rm`.
  /// - Returns: whether there was one; false is no error.
  /// - Throws: ``StoreError`` when the kernel refuses; the entry is then still there.
  @discardableResult
  public func remove(
    _ name: EntryName, now: Instant, why: String = "rm"
  ) throws(StoreError) -> Bool {
    var shard = try LockedShard(name.shard, of: self)
    var ended = LineWriter()
    shard.beginRemoving()
    let wasThere: Bool
    do throws(Errno) { wasThere = try shard.remove(name) } catch {
      throw StoreError("remove", Layout.object(name), .system(error))
    }
    ended.removed(name, at: now, why: why)
    shard.recordRemovals(ended)
    return wasThere
  }
}

extension LockedShard {
  /// ``begin()`` for changes that must go on without a free byte.
  ///
  /// Where the witness cannot be cleared, what is removed still shows by the directory's new time.
  mutating func beginRemoving() {
    try? begin()
  }

  /// Removes one object; false where it was gone already, which is as good.
  fileprivate mutating func remove(_ name: EntryName) throws(Errno) -> Bool {
    do {
      guard try objects.status(of: name).kind == .regular else { return false }
      try unlink(name)
    } catch {
      guard error == .notFound else { throw error }
      return false
    }
    return true
  }

  /// Ends the entries in both manifests and the change with them.
  ///
  /// A full disk takes no line: then the missing objects are enough, and the next listing writes
  /// what is due.
  mutating func recordRemovals(_ lines: LineWriter) {
    // Before the writing, which may take long.
    look()
    do {
      try appendCost(lines)
      try appendOrigin(lines)
    } catch { distrust() }
    // An old witness tells of a change that nobody vouches for, which costs a listing.
    try? finish()
  }
}
