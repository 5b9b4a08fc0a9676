public import CacheModel
internal import Glibc

extension Store {
  /// What lies in tmp/ and belongs to nobody any more.
  public struct Leftovers: Sendable, Equatable {
    /// How many files.
    public var count: Int64 = 0
    /// Their lengths together.
    public var bytes: Int64 = 0
    /// Files of writers at work, or too young to tell.
    public var inUse: Int64 = 0

    /// None.
    public init() {}
  }

  /// How old a file in tmp/ must be before it can be a leftover.
  public static let leftoverAge = Duration.seconds(3600)

  /// Counts the leftovers of dead writers and, where asked for, removes them.
  ///
  /// A leftover was last written more than an hour before `now` and is not locked: a writer holds a
  /// lock on its file, which the kernel drops when the writer dies.
  ///
  /// - Throws: ``StoreError`` where tmp/ cannot be listed.
  public func leftovers(now: Instant, removing: Bool) throws(StoreError) -> Leftovers {
    try StoreError.attempt("list", Layout.temporary) { () throws(Errno) in
      var found = Leftovers()
      guard let directory = try existingTemporaries() else { return found }
      // Read every name before removing any: removal may disturb the directory cursor.
      for name in try directory.rawNames() {
        guard let size = leftover(name, in: directory, now: now, removing: removing) else {
          found.inUse += 1
          continue
        }
        found.count += 1
        found.bytes += size
      }
      return found
    }
  }

  /// Nil where somebody took tmp/ away: the next writer makes it again.
  private func existingTemporaries() throws(Errno) -> Directory? {
    do { return try root.directory(Layout.temporary) } catch {
      if error == .notFound { return nil }
      throw error
    }
  }

  /// The length of a leftover; nil for a file in use, or what is no file.
  ///
  /// `name` is raw, with a NUL at its end: other programs' names need not be UTF-8.
  private func leftover(
    _ name: [UInt8], in directory: borrowing Directory, now: Instant, removing: Bool
  ) -> Int64? {
    let path = name.map { CChar(bitPattern: $0) }
    // Whatever cannot be looked at, opened or locked is left alone.
    guard (try? directory.status(of: path))?.kind == .regular,
      let file = try? directory.open(raw: name, O_RDONLY | O_NONBLOCK),
      let status = try? file.status(), status.kind == .regular,
      now.since(status.modified) > Self.leftoverAge,
      (try? file.lock(blocking: false)) != nil
    else { return nil }
    if removing, (try? directory.unlink(path)) == nil { return nil }
    return status.size
  }

  /// The same for a name in UTF-8.
  func leftover(
    _ name: String, in directory: borrowing Directory, now: Instant, removing: Bool
  ) -> Int64? {
    leftover(Array(name.utf8) + [0], in: directory, now: now, removing: removing)
  }
}
