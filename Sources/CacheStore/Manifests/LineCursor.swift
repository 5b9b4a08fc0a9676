internal import Glibc
internal import CacheModel

/// Walks over a line whose form is known, without a parser and without allocating.
///
/// Every step says whether the bytes were as expected; what a failed step leaves behind is undefined.
struct LineCursor {
  private var at: UnsafeRawPointer
  private let end: UnsafeRawPointer

  init(_ line: UnsafeRawBufferPointer) {
    at = line.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
    end = at + line.count
  }

  var isAtEnd: Bool { at == end }

  /// Whether nothing is left but the line's sum.
  var isBeforeSum: Bool { end - at == LineSum.tailSize }

  /// Steps over `literal`, which is ASCII.
  @inline(__always)
  mutating func skip(_ literal: StaticString) -> Bool {
    let count = literal.utf8CodeUnitCount
    guard end - at >= count, memcmp(at, literal.utf8Start, count) == 0 else { return false }
    at += count
    return true
  }

  /// Whether these bytes come next.
  func isBefore(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard end - at >= bytes.count else { return false }
    return bytes.withUnsafeBytes { memcmp(at, $0.baseAddress ?? at, $0.count) == 0 }
  }

  /// Steps over what a line of a removal holds behind the name of that member, up to the line's sum;
  /// gives the time of the removal.
  mutating func endsRemoval() -> Int64? {
    guard let time = decimal() else { return nil }
    if skip(",\"why\":\""), string(escapes: false) == nil { return nil }
    return isBeforeSum ? time : nil
  }

  /// Steps over the rest of a JSON string and its closing quote; gives what stood before that.
  ///
  /// Only plain ASCII and, where they are allowed, the short escapes: nil for anything else.
  mutating func string(escapes: Bool) -> UnsafeRawBufferPointer? {
    let start = at
    while at < end {
      let byte = at.load(as: UInt8.self)
      at += 1
      switch byte {
      case UInt8(ascii: "\""):
        return UnsafeRawBufferPointer(start: start, count: at - start - 1)
      case UInt8(ascii: "\\"):
        guard escapes, at < end, isShortEscape(at.load(as: UInt8.self)) else { return nil }
        at += 1
      case 0x20..<0x7f: break
      default: return nil
      }
    }
    return nil
  }

  private func isShortEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "n"): true
    default: false
    }
  }

  /// Steps over sixteen lower-case hex digits.
  @inline(__always)
  mutating func hexWord() -> UInt64? {
    guard end - at >= 16, let high = hexHalf(at), let low = hexHalf(at + 8) else { return nil }
    at += 16
    return high << 32 | low
  }

  @inline(__always)
  mutating func name() -> EntryName? {
    guard let a = hexWord(), let b = hexWord(), let c = hexWord(), let d = hexWord() else {
      return nil
    }
    return EntryName(words: (a, b, c, d))
  }

  /// Steps over a decimal number of at most 18 digits with no sign and no leading zero.
  @inline(__always)
  mutating func decimal() -> Int64? {
    let start = at
    var value: Int64 = 0
    while at < end {
      let digit = at.load(as: UInt8.self) &- 0x30
      guard digit <= 9 else { break }
      value = value &* 10 &+ Int64(digit)
      at += 1
    }
    let digits = at - start
    guard digits >= 1, digits <= 18, digits == 1 || start.load(as: UInt8.self) != 0x30 else {
      return nil
    }
    return value
  }
}

/// Eight hex digits at a time in one register: a manifest line holds 112 of them.
@inline(__always)
private func hexHalf(_ pointer: UnsafeRawPointer) -> UInt64? {
  let text = UInt64(littleEndian: pointer.loadUnaligned(as: UInt64.self))
  let isLetter = (text >> 6) & everyByte(0x01)
  let nibbles = (text & everyByte(0x0f)) &+ isLetter &* 9
  let isTenOrMore = ((nibbles &+ everyByte(6)) >> 4) & everyByte(0x01)
  guard nibbles &+ everyByte(0x30) &+ isLetter &* 0x27 == text, isTenOrMore == isLetter,
    nibbles & everyByte(0xf0) == 0
  else { return nil }
  let pairs = (nibbles << 4 | nibbles >> 8) & 0x00ff_00ff_00ff_00ff
  let quads = (pairs | pairs >> 8) & 0x0000_ffff_0000_ffff
  return UInt64(UInt32(truncatingIfNeeded: quads | quads >> 16).byteSwapped)
}

@inline(__always)
private func everyByte(_ value: UInt64) -> UInt64 { value &* 0x0101_0101_0101_0101 }
