internal import CacheModel
internal import Glibc

/// A manifest open for appending, with the shard's lock held.
struct ManifestFile: ~Copyable {
  /// Nil where there is no such file: it is made when a line comes, because removal must go on where
  /// nothing can be made.
  private var file: OpenFile?
  /// Where the next line goes.
  private(set) var length: Int64
  private let path: String
  /// Where this change's lines begin.
  private let start: Int64

  init(_ path: String, in root: borrowing Directory) throws(Errno) {
    guard let file = try root.openExisting(path, O_RDWR | O_APPEND) else {
      self.init(nil, path, length: 0)
      return
    }
    let status = try file.status()
    guard status.kind == .regular else { throw .notAFile }
    self.init(consume file, path, length: status.size)
  }

  private init(_ file: consuming OpenFile?, _ path: String, length: Int64) {
    self.file = file
    self.path = path
    self.length = length
    start = length
  }

  /// Appends whole lines by one write.
  ///
  /// After a failure the file is as it was, or ends in a torn line that harms itself alone. With
  /// `endsInNewline` the caller knows that the last line is whole, and it is not read again.
  mutating func append(
    _ lines: [UInt8], of store: Store, endsInNewline: Bool = false
  ) throws(Errno) {
    if lines.isEmpty { return }
    try makeWhereMissing(of: store)
    let isWhole = endsInNewline ? true : try isLastLineWhole()
    length += try write(isWhole ? lines : [0x0a] + lines)
  }

  private func write(_ bytes: [UInt8]) throws(Errno) -> Int64 {
    switch file {
    case nil: return 0
    case .some(let file):
      do {
        try bytes.withBytes { (bytes) throws(Errno) in try file.write(bytes) }
        return Int64(bytes.count)
      } catch {
        // Half a line on a full disk: taking it back needs no room. If that fails too, the next
        // writer starts on a line of its own.
        try? file.truncate(to: length)
        throw error
      }
    }
  }

  /// Whether the file ends in a newline, or is empty.
  func isLastLineWhole() throws(Errno) -> Bool {
    if length == 0 { return true }
    var last: [UInt8] = [0]
    let end = length - 1
    let got = try read { (file) throws(Errno) in
      try last.withMutableBytes { (buffer) throws(Errno) in try file.read(into: buffer, at: end) }
    }
    return got == 1 && last[0] == 0x0a
  }

  /// Gives the file to `body`; nil where there is none.
  @discardableResult
  func read<Result: ~Copyable>(
    _ body: (borrowing OpenFile) throws(Errno) -> Result
  ) throws(Errno) -> Result? {
    switch file {
    case nil: return nil
    case .some(let file): return try body(file)
    }
  }

  private mutating func makeWhereMissing(of store: Store) throws(Errno) {
    if file != nil { return }
    file = try store.root.openOrMake(path, O_RDWR | O_APPEND, ownership: store.ownership)
    // A line is no safer than the name of the file that it is in.
    if store.configuration.isDurable { try store.root.synchronize(directoryOf: path) }
  }

  /// Takes this change's lines out again, where nobody has written behind them.
  mutating func takeBack() throws(Errno) {
    guard length > start else { return }
    let (start, length) = (start, length)
    let isBack = try read { (file) throws(Errno) in
      guard try file.status().size == length else { return false }
      try file.truncate(to: start)
      return true
    }
    if isBack == true { self.length = start }
  }

  /// The lines reach the disk.
  func synchronize() throws(Errno) {
    try read { (file) throws(Errno) in try file.synchronize() }
  }
}
