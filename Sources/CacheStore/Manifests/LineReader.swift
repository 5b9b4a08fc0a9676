internal import CSimdJSON
internal import Glibc

/// The lines of a manifest, a chunk at a time: however long the file or a line in it, memory is one
/// buffer, which serves file after file.
///
/// For one thread at a time.
final class LineReader {
  /// The longest line that counts; a longer one is damaged (LAYOUT: 64 KiB).
  static let longestLine = 1 << 16

  private let chunk: Int
  private let buffer: UnsafeMutableRawPointer

  /// - Parameter chunk: bytes read at a time: half a mebibyte stays in the second-level cache
  ///   between the copy out of the kernel and the parsing.
  init(chunk: Int = 1 << 19) {
    self.chunk = max(chunk, 2 * Self.longestLine)
    // Zeroed by the kernel as it is touched: one line of a short manifest costs a page or two.
    guard let buffer = calloc(1, self.chunk + Int(CACHECTL_JSON_PADDING)) else {
      fatalError("out of memory: \(self.chunk) bytes for a manifest")
    }
    self.buffer = buffer
  }

  deinit { free(buffer) }

  /// One line without its newline.
  struct Line {
    /// The bytes, readable `CACHECTL_JSON_PADDING` beyond their end; valid during the call.
    let bytes: UnsafeRawBufferPointer
    /// Where the line begins in the file.
    let offset: Int64
    /// Its number, from 1.
    let number: Int
    /// The file ends before a newline: the line was torn, or is being written just now.
    let isTorn: Bool
    /// The line is too long to count; `bytes` holds its beginning.
    let isTooLong: Bool

    /// The bytes' place in the file.
    var place: Range<Int64> { offset..<offset + Int64(bytes.count) }
  }

  /// A line that is known to be at this place; it may be cut short where the file is by now.
  ///
  /// Valid until the reader is used again.
  func line(
    of file: borrowing OpenFile, at place: Range<Int64>
  ) throws(Errno) -> UnsafeRawBufferPointer {
    let room = UnsafeMutableRawBufferPointer(start: buffer, count: min(chunk, place.count))
    let got = try file.readFully(into: room, at: place.lowerBound)
    return UnsafeRawBufferPointer(rebasing: room[..<got])
  }

  /// Calls `body` with every line from `start`, which is the beginning of a line, to the end.
  ///
  /// Returns the length that was read.
  @discardableResult
  func forEachLine(
    of file: borrowing OpenFile, from start: Int64 = 0, _ body: (Line) -> Void
  ) throws(Errno) -> Int64 {
    var walk = Walk(offset: start)
    var held = 0
    while true {
      let room = UnsafeMutableRawBufferPointer(start: buffer + held, count: chunk - held)
      let got = try file.read(into: room, at: walk.offset + Int64(held))
      if got == 0 { break }
      held += got
      held = walk.lines(in: UnsafeRawBufferPointer(start: buffer, count: held), body)
      if held > 0, walk.consumed > 0 { memmove(buffer, buffer + walk.consumed, held) }
    }
    walk.end(UnsafeRawBufferPointer(start: buffer, count: held), body)
    return walk.offset + Int64(held)
  }
}

/// The state of one pass: where the buffer lies in the file, and whether a long line is being passed.
private struct Walk {
  var offset: Int64
  var number = 1
  var consumed = 0
  var isInLongLine = false

  init(offset: Int64) { self.offset = offset }

  /// Gives out every whole line of `bytes`; returns how many bytes are left behind the last one.
  mutating func lines(in bytes: UnsafeRawBufferPointer, _ body: (LineReader.Line) -> Void) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    var at = 0
    while let newline = memchr(base + at, 0x0a, bytes.count - at) {
      let size = UnsafeRawPointer(newline) - (base + at)
      emit(UnsafeRawBufferPointer(start: base + at, count: size), at: at, isTorn: false, body)
      at += size + 1
      isInLongLine = false
    }
    if bytes.count - at > LineReader.longestLine { at = passLongLine(bytes, from: at, body) }
    consumed = at
    offset += Int64(at)
    return bytes.count - at
  }

  mutating func end(_ rest: UnsafeRawBufferPointer, _ body: (LineReader.Line) -> Void) {
    guard rest.count > 0, !isInLongLine else { return }
    emit(rest, at: 0, isTorn: true, body)
  }

  private mutating func passLongLine(
    _ bytes: UnsafeRawBufferPointer, from at: Int, _ body: (LineReader.Line) -> Void
  ) -> Int {
    if !isInLongLine {
      emit(UnsafeRawBufferPointer(rebasing: bytes[at...]), at: at, isTorn: false, body)
    }
    isInLongLine = true
    return bytes.count
  }

  @inline(__always)
  private mutating func emit(
    _ bytes: UnsafeRawBufferPointer, at: Int, isTorn: Bool, _ body: (LineReader.Line) -> Void
  ) {
    if isInLongLine { return }
    body(
      LineReader.Line(
        bytes: bytes, offset: offset + Int64(at), number: number, isTorn: isTorn,
        isTooLong: bytes.count > LineReader.longestLine))
    number += 1
  }
}
