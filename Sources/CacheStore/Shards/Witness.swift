internal import CacheModel

/// What `manifests/3f/lock` says: the state in which the last rule-abiding writer left the shard.
///
/// While it agrees with the disk, the records of cost.jsonl are exactly what the directory holds.
struct Witness: Equatable {
  /// The modification time of the objects' directory, nanoseconds since 1970.
  var directoryModified: Int64
  /// The length of cost.jsonl.
  ///
  /// A power cut may take the end of it and leave the rest (delayed allocation), and somebody may
  /// shorten it by hand: both would hide objects.
  var manifestLength: Int64

  /// Somebody is in the middle of a change, or died there.
  static let cleared = Witness(directoryModified: 0, manifestLength: 0)

  /// The directory has to be listed, but every store whose records stand before this length reached
  /// its end.
  ///
  /// No directory was changed in the first nanosecond of 1970.
  static func stale(manifestLength: Int64) -> Witness {
    Witness(directoryModified: 1, manifestLength: manifestLength)
  }

  /// Two lines of twenty digits.
  static let size = 42

  private func write(to buffer: UnsafeMutableRawBufferPointer) {
    Self.write(directoryModified, to: buffer)
    Self.write(manifestLength, to: UnsafeMutableRawBufferPointer(rebasing: buffer[21...]))
  }

  private static func write(_ number: Int64, to line: UnsafeMutableRawBufferPointer) {
    var rest = max(0, number)
    for place in (0..<20).reversed() {
      line[place] = 0x30 + UInt8(rest % 10)
      rest /= 10
    }
    line[20] = 0x0a
  }

  /// Reads the two lines; anything else says as little as a cleared witness.
  init(reading bytes: UnsafeRawBufferPointer) {
    self = .cleared
    guard bytes.count >= Self.size, bytes[20] == 0x0a, bytes[41] == 0x0a,
      let directory = Self.number(UnsafeRawBufferPointer(rebasing: bytes[..<20])),
      let length = Self.number(UnsafeRawBufferPointer(rebasing: bytes[21..<41]))
    else { return }
    self.init(directoryModified: directory, manifestLength: length)
  }

  init(directoryModified: Int64, manifestLength: Int64) {
    self.directoryModified = directoryModified
    self.manifestLength = manifestLength
  }

  private static func number(_ digits: UnsafeRawBufferPointer) -> Int64? {
    var number: Int64 = 0
    for digit in digits {
      guard digit >= 0x30, digit <= 0x39 else { return nil }
      let (tenfold, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tenfold.addingReportingOverflow(Int64(digit - 0x30))
      guard !overflow, !carry else { return nil }
      number = sum
    }
    return number
  }

  /// Reads the witness of an open lock file.
  init(in file: borrowing OpenFile) throws(Errno) {
    self = try Self.withBuffer { (buffer) throws(Errno) in
      let got = try file.readFully(into: buffer, at: 0)
      return Witness(reading: UnsafeRawBufferPointer(rebasing: buffer[..<got]))
    }
  }

  func write(to file: borrowing OpenFile) throws(Errno) {
    try Self.withBuffer { (buffer) throws(Errno) in
      write(to: buffer)
      try file.write(UnsafeRawBufferPointer(buffer), at: 0)
    }
  }

  private static func withBuffer<Result>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Errno) -> Result
  ) throws(Errno) -> Result {
    try withUnsafeTemporaryAllocation(byteCount: size, alignment: 1, body)
  }
}
