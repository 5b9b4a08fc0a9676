internal import CacheModel
internal import Glibc

/// A manifest open for appending, with the shard's lock held.
struct ManifestFile: ~Copyable {
  let file: OpenFile
  /// Where the next line goes.
  private(set) var length: Int64

  init(_ name: String, in directory: borrowing Directory, of store: Store) throws(Errno) {
    let file = try directory.openOrMake(name, O_RDWR | O_APPEND, ownership: store.ownership)
    let status = try file.status()
    guard status.kind == .regular else { throw .notAFile }
    self.init(file: file, length: status.size)
  }

  private init(file: consuming OpenFile, length: Int64) {
    self.file = file
    self.length = length
  }

  /// Appends whole lines by one write. After a failure the file is as it was, or ends in a torn line
  /// that harms itself alone.
  ///
  /// - Parameter endsInNewline: whether the caller knows that the last line is whole.
  mutating func append(_ lines: [UInt8], endsInNewline: Bool = false) throws(Errno) {
    if lines.isEmpty { return }
    let isWhole = endsInNewline ? true : try isLastLineWhole()
    let bytes = isWhole ? lines : [0x0a] + lines
    do {
      try bytes.withBytes { (bytes) throws(Errno) in try file.write(bytes) }
    } catch {
      // Half a line on a full disk: taking it back needs no room. If that fails too, the next
      // writer starts on a line of its own.
      try? file.truncate(to: length)
      throw error
    }
    length += Int64(bytes.count)
  }

  private func isLastLineWhole() throws(Errno) -> Bool {
    if length == 0 { return true }
    var last: [UInt8] = [0]
    let end = length - 1
    let got = try last.withMutableBytes { (buffer) throws(Errno) in
      try file.read(into: buffer, at: end)
    }
    return got == 1 && last[0] == 0x0a
  }
}

extension Directory {
  /// Opens a file of the layout, making it with the right mode where it is missing.
  func openOrMake(
    _ name: String, _ flags: Int32, ownership: Ownership
  ) throws(Errno) -> OpenFile {
    while true {
      do { return try open(name, flags | O_NONBLOCK) } catch {
        guard error == .notFound else { throw error }
      }
      do {
        let made = try open(name, flags | O_CREAT | O_EXCL, mode: ownership.fileMode)
        try ownership.settle(made)
        return made
      } catch {
        // Somebody else made it just now.
        guard error == .exists else { throw error }
      }
    }
  }
}
