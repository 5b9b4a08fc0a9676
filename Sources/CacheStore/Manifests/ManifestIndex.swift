internal import CSimdJSON
internal import CacheModel
internal import Glibc

/// Where the last line of each name begins in one manifest, as far as it has been read.
struct ManifestIndex {
  /// The file that was read, and how far: behind a whole line.
  private var stamp = ManifestStamp(inode: 0, length: 0)
  /// The bytes before that place, which tell whether lines were taken back and others appended: a line
  /// ends in a sum of what it says.
  private var ending: [UInt8] = []
  private var damagedLineCount = 0
  /// Open addressing, its size a power of two and at most three quarters full: 32 bits of the name's hash
  /// above the line's offset plus one; 0 for empty.
  private var table: [UInt64] = []
  private var count = 0
  private let hash = NameHash()

  private static let endingSize: Int64 = 40
  /// Taking in more takes as long as a disk.
  private static let longestReadAtOnce: Int64 = 1 << 16
  /// An offset that takes 32 bits.
  private static let longest: Int64 = 1 << 32 - 2

  var bytes: Int { table.capacity * MemoryLayout<UInt64>.stride }

  /// What a line turned out to be.
  enum Reading<Record> {
    case record(Record)
    case ended
    /// Not a line of the name that was looked for.
    case other
  }

  /// Looks a name up.
  ///
  /// - Parameters:
  ///   - name: the entry.
  ///   - path: the manifest.
  ///   - store: whose manifest it is.
  ///   - nameOf: the name that a line speaks of; nil for a damaged one.
  ///   - read: reads the line that was found.
  /// - Returns: what holds; nil where only the whole manifest can tell.
  /// - Throws: `Errno` where the manifest cannot be read.
  mutating func find<Record: Sendable>(
    _ name: EntryName, _ path: String, in store: Store,
    _ nameOf: (LineReader.Line, JSONReader) -> EntryName?,
    _ read: (LineReader.Line, JSONReader) -> Reading<Record>
  ) throws(Errno) -> RecordIndex.Finding<Record>? {
    guard let file = try store.manifest(path) else { return RecordIndex.Finding() }
    let json = JSONReader()
    guard try follow(file, { nameOf($0, json) }) else { return nil }
    var finding = RecordIndex.Finding<Record>(stamp: stamp, damagedLineCount: damagedLineCount)
    guard let offset = offset(of: name) else { return finding }
    var reading = Reading<Record>.other
    try file.withLine(at: offset) { reading = read($0, json) }
    switch reading {
    case .record(let record): finding.record = record
    case .ended: break
    case .other: return nil
    }
    return finding
  }

  /// Takes in what was appended, or all of what is another file now; false where it ends in half a line or
  /// is too long.
  private mutating func follow(
    _ file: borrowing OpenFile, _ nameOf: (LineReader.Line) -> EntryName?
  ) throws(Errno) -> Bool {
    let status = try file.status()
    if status.size > Self.longest { return false }
    var isAnother = status.inode != stamp.inode || status.size < stamp.length
    if !isAnother {
      isAnother = try file.ending(before: stamp.length, Self.endingSize) != ending
    }
    if isAnother {
      self = ManifestIndex()
      stamp.inode = status.inode
    }
    if status.size == stamp.length { return true }
    if isImpatient, status.size - stamp.length > Self.longestReadAtOnce { return false }
    do throws(Errno) {
      if try takeLines(of: file, nameOf) { return true }
      // What is half a line now may be whole the next time.
      self = ManifestIndex()
      return false
    } catch {
      // Lines that were taken in before it failed are not to be counted twice.
      self = ManifestIndex()
      throw error
    }
  }

  /// Takes in what follows; false where it ends in half a line.
  private mutating func takeLines(
    of file: borrowing OpenFile, _ nameOf: (LineReader.Line) -> EntryName?
  ) throws(Errno) -> Bool {
    var isTorn = false
    stamp.length = try LineReader().forEachLine(of: file, from: stamp.length) { line in
      if line.isTorn {
        isTorn = true
      } else {
        self.take(nameOf(line), at: line.offset)
      }
    }
    ending = try file.ending(before: stamp.length, Self.endingSize)
    return !isTorn
  }

  private mutating func take(_ name: EntryName?, at offset: Int64) {
    guard let name else {
      damagedLineCount += 1
      return
    }
    if 4 * (count + 1) > 3 * table.count { grow() }
    let hash = UInt64(hash(name) >> 32)
    let place = place(of: hash)
    if table[place] == 0 { count += 1 }
    table[place] = hash << 32 | UInt64(offset + 1)
  }

  /// Where the last line begins that has this name's hash; nil where no line has.
  private func offset(of name: EntryName) -> Int64? {
    if table.isEmpty { return nil }
    let held = table[place(of: UInt64(hash(name) >> 32))]
    return held == 0 ? nil : Int64(held & 0xffff_ffff) - 1
  }

  /// The place that holds a hash, or the empty one where it belongs.
  private func place(of hash: UInt64) -> Int {
    let mask = table.count - 1
    var place = Int(hash) & mask
    while table[place] != 0, table[place] >> 32 != hash { place = (place + 1) & mask }
    return place
  }

  private mutating func grow() {
    let old = table
    table = [UInt64](repeating: 0, count: max(64, 2 * old.count))
    for held in old where held != 0 { table[place(of: held >> 32)] = held }
  }
}

extension OpenFile {
  /// At most `size` bytes that end at `offset`.
  fileprivate func ending(before offset: Int64, _ size: Int64) throws(Errno) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(min(size, offset)))
    let start = offset - Int64(bytes.count)
    let got = try bytes.withMutableBytes { (buffer) throws(Errno) in
      try readFully(into: buffer, at: start)
    }
    return Array(bytes[..<got])
  }

  /// Gives the line that begins at `offset` to `body`, unless none does, or it is torn or too long.
  fileprivate func withLine(at offset: Int64, _ body: (LineReader.Line) -> Void) throws(Errno) {
    // With the byte before it, which ends the line before.
    let front = offset > 0 ? 1 : 0
    for room in [1024, LineReader.longestLine + 2] {
      let isWhole = try withUnsafeTemporaryAllocation(
        byteCount: room + Int(CACHECTL_JSON_PADDING), alignment: 16
      ) { (buffer) throws(Errno) -> Bool in
        let got = try readFully(
          into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]), at: offset - Int64(front))
        guard let base = buffer.baseAddress, got > front, front == 0 || buffer[0] == 0x0a,
          let newline = memchr(base + front, 0x0a, got - front)
        else { return false }
        body(
          LineReader.Line(
            bytes: UnsafeRawBufferPointer(start: base + front, count: newline - (base + front)),
            offset: offset, number: 0, isTorn: false, isTooLong: false))
        return true
      }
      if isWhole { return }
    }
  }
}
