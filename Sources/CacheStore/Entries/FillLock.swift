public import CacheModel
internal import Glibc

/// The right to ask an origin for an entry: one process asks, and the others wait for what it gets.
///
/// It is the kernel's lock on a file in state/, which goes when its holder does; the file is removed
/// with it. Where a mount gives no exclusion the origin is asked twice and nothing is wrong.
public struct FillLock: ~Copyable, Sendable {
  private let file: OpenFile
  private let store: Store
  /// Its name in state/.
  private let path: String

  fileprivate init(_ file: consuming OpenFile, _ store: Store, _ path: String) {
    self.file = file
    self.store = store
    self.path = path
  }

  /// Lets the waiting know that there is no image, and why, rather than have each of them ask again.
  public func leave(failure: String) {
    // Best effort: without the word they ask for themselves.
    try? Array(failure.utf8.prefix(FillLock.longestWord)).withBytes { (bytes) throws(Errno) in
      try file.write(bytes, at: 0)
    }
  }

  // The name goes first: whoever gets the lock of a file without a name knows that its holder ended.
  deinit { try? store.root.directory(Layout.state).unlink(path) }

  static let longestWord = 1024
}

/// What became of an attempt to ask for an entry.
public enum FillTurn: ~Copyable, Sendable {
  /// The right is ours.
  case mine(FillLock)
  /// Somebody else has asked meanwhile; with the reason where there was no image.
  case ended(failure: String?)
  /// Somebody else is still asking.
  case busy
}

extension Store {
  /// Tries to get the right to ask for an entry.
  ///
  /// - Parameters:
  ///   - name: the entry.
  ///   - patience: how long to wait for whoever has it.
  ///   - shouldStop: asked now and then while waiting.
  /// - Returns: the right, or what the one who had it left.
  /// - Throws: ``StoreError`` where no lock can be had here, as on a read-only mount.
  public func fillTurn(
    for name: EntryName, waiting patience: Duration, unless shouldStop: () -> Bool = { false }
  ) throws(StoreError) -> FillTurn {
    let path = "state/fetch-\(name)"
    let file = try StoreError.attempt("lock", path) { () throws(Errno) in
      try root.openOrMake(path, O_RDWR, ownership: ownership)
    }
    let deadline = ContinuousClock.now + patience
    do throws(Errno) {
      while try !file.isLockTaken() {
        guard ContinuousClock.now < deadline, !shouldStop() else { return .busy }
        usleep(10_000)
      }
      if try file.status().links > 0 {
        // One that was killed may have left its word.
        try file.truncate(to: 0)
        return .mine(FillLock(file, self, "fetch-\(name)"))
      }
      return .ended(failure: try file.word())
    } catch {
      throw StoreError("lock", path, .system(error))
    }
  }
}

extension OpenFile {
  fileprivate func isLockTaken() throws(Errno) -> Bool {
    do {
      try lock(blocking: false)
      return true
    } catch {
      guard error == .wouldBlock else { throw error }
      return false
    }
  }

  fileprivate func word() throws(Errno) -> String? {
    var bytes = [UInt8](repeating: 0, count: FillLock.longestWord)
    let got = try bytes.withMutableBytes { (buffer) throws(Errno) in
      try readFully(into: buffer, at: 0)
    }
    return got == 0 ? nil : String(decoding: bytes[..<got], as: UTF8.self)
  }
}
