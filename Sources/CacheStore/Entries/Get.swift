internal import CLinux
public import CacheModel
internal import Glibc

/// An object opened for reading.
///
/// It stays whole for its reader whatever happens to the entry: objects are replaced and removed,
/// never changed.
public struct OpenObject: ~Copyable, Sendable {
  /// The entry.
  public let name: EntryName
  /// The open file, at its beginning.
  public let file: OpenFile
  /// The object's length.
  public let byteCount: Int64
  let modified: Instant

  /// The longest object that is read whole: a sparse file may claim more than there is memory.
  public static let longestInMemory: Int64 = 1 << 31

  /// Reads the object whole.
  ///
  /// - Throws: ``StoreError`` when the disk fails, or the object is longer than ``longestInMemory``.
  public func bytes() throws(StoreError) -> [UInt8] {
    guard byteCount <= Self.longestInMemory else {
      throw StoreError("read", Layout.object(name), .system(.tooLarge))
    }
    return try StoreError.attempt("read", Layout.object(name)) { () throws(Errno) in
      try file.bytes(atMost: Int(byteCount))
    }
  }

  /// Reads the object's first bytes, as many as there is room for; returns how many there were.
  ///
  /// - Throws: ``StoreError`` when the disk fails.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(StoreError) -> Int {
    try StoreError.attempt("read", Layout.object(name)) { () throws(Errno) in
      try file.readFully(into: buffer, at: 0)
    }
  }

  /// Gives the bytes to `take`, piece by piece, until it says that it is enough.
  ///
  /// - Throws: ``StoreError`` when the disk fails.
  public func read(_ take: (UnsafeRawBufferPointer) -> Bool) throws(StoreError) {
    var buffer = [UInt8](repeating: 0, count: ContentHasher.chunk)
    var offset: Int64 = 0
    var goesOn = true
    while goesOn {
      let got = try StoreError.attempt("read", Layout.object(name)) { () throws(Errno) in
        try buffer.withMutableBytes { (buffer) throws(Errno) in
          try file.read(into: buffer, at: offset)
        }
      }
      if got == 0 { return }
      offset += Int64(got)
      goesOn = buffer.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[..<got])) }
    }
  }

  /// Hashes the object's bytes.
  public func contentHash() throws(StoreError) -> ContentHash {
    try StoreError.attempt("read", Layout.object(name)) { () throws(Errno) in
      try file.contentHash(using: ContentHasher(), ContentHasher.chunk)
    }
  }
}

/// How much of an object a reader wants compared before it is given out.
public enum Check: Sendable {
  /// That it is there and is a regular file.
  case presence
  /// Its length with the record's.
  case length
  /// Its bytes with the record's hash.
  case content
}

extension Store {
  /// How old the recorded last use must be before another use is recorded (LAYOUT: once a minute).
  static let touchInterval = Duration.seconds(60)

  /// Opens the image of `key`.
  ///
  /// Takes no lock. What is missing, is no regular file, cannot be read, or does not pass `check` is
  /// a miss, never an error.
  ///
  /// - Parameters:
  ///   - key: what the entry is asked for by.
  ///   - check: what to compare first; a comparison reads the shard's records.
  ///   - now: the time of use to record, at most once a minute; nil records none.
  /// - Returns: the object, or nil for a miss.
  public func get(_ key: CacheKey, check: Check = .presence, touchAt now: Instant?) -> OpenObject? {
    let name = key.name
    guard let object = open(name), passes(object, check) else { return nil }
    if let now { touch(object, now: now) }
    return object
  }

  /// Opens an object without recording a use.
  func open(_ name: EntryName) -> OpenObject? {
    // What cannot be opened is a miss, whatever the reason.
    guard let file = try? root.openObject(name),
      // It may be something else than what was looked at by now.
      let status = try? file.status(), status.kind == .regular
    else { return nil }
    return OpenObject(
      name: name, file: file, byteCount: status.size, modified: status.modified)
  }

  private func passes(_ object: borrowing OpenObject, _ check: Check) -> Bool {
    if check == .presence { return true }
    // Without a readable record there is nothing to compare with: the entry is a stray, a hit.
    guard let record = try? record(of: object.name) else { return true }
    if record.bytes != object.byteCount { return false }
    guard check == .content, let expected = record.hash else { return true }
    return (try? object.contentHash()) == expected
  }

  /// Records a use of an open object now, at most once a minute.
  ///
  /// Best effort: a reader without the right to write still reads.
  public func touch(_ object: borrowing OpenObject, now: Instant) {
    if isUseDue(object, now: now) { try? object.file.touch() }
  }

  func isUseDue(_ object: borrowing OpenObject, now: Instant) -> Bool {
    now.since(object.modified) >= Self.touchInterval || object.modified > now
  }

  /// Records a use of `key` now, at most once a minute; false where there is no such entry.
  @discardableResult
  public func touch(_ key: CacheKey, now: Instant) -> Bool { touch(key.name, now: now) }

  /// Records a use of an entry now, at most once a minute; false where there is no such entry.
  @discardableResult
  public func touch(_ name: EntryName, now: Instant) -> Bool {
    guard let object = open(name) else { return false }
    touch(object, now: now)
    return true
  }
}

extension ContentHasher {
  /// Read at a time: fits the second-level cache beside what is hashed.
  static let chunk = 1 << 18
}

extension OpenFile {
  func contentHash(using hasher: ContentHasher, _ chunk: Int) throws(Errno) -> ContentHash {
    var buffer = [UInt8](repeating: 0, count: chunk)
    hasher.reset()
    var offset: Int64 = 0
    while true {
      let got = try buffer.withMutableBytes { (buffer) throws(Errno) in
        let got = try read(into: buffer, at: offset)
        hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
        return got
      }
      if got == 0 { return hasher.finish() }
      offset += Int64(got)
    }
  }
}
