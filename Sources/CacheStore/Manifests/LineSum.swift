internal import CLibXXHash
internal import CacheModel
internal import Glibc

/// The `sum` of a manifest line: XXH3-64 of the bytes before it, which tells a torn or flipped line
/// from a whole one.
enum LineSum {
  /// The length of `,"sum":"0123456789abcdef"}`.
  static let tailSize = 26

  enum Verdict { case right, wrong, absent }

  /// Looks at the end of the line alone: `sum` is the last member where there is one.
  @inline(__always)
  static func verdict(on line: UnsafeRawBufferPointer) -> Verdict {
    guard line.count > tailSize, let base = line.baseAddress else { return .absent }
    let size = line.count - tailSize
    let prefix: StaticString = ",\"sum\":\""
    guard memcmp(base + size, prefix.utf8Start, 8) == 0 else {
      return isSum(line, at: size) ? .wrong : .absent
    }
    var tail = LineCursor(UnsafeRawBufferPointer(rebasing: line[(size + 8)...]))
    guard let sum = tail.hexWord(), tail.skip("\"}"), tail.isAtEnd else { return .wrong }
    return sum == XXH3_64bits(base, size) ? .right : .wrong
  }

  /// Whether the last member is the sum of what stands before it and only its name has been changed:
  /// a flipped bit there must not make a line look as if it never had a sum.
  private static func isSum(_ line: UnsafeRawBufferPointer, at size: Int) -> Bool {
    var tail = LineCursor(UnsafeRawBufferPointer(rebasing: line[(size + 8)...]))
    guard let sum = tail.hexWord(), tail.skip("\"}"), tail.isAtEnd else { return false }
    return sum == XXH3_64bits(line.baseAddress, size)
  }

  /// Ends a line that holds an object without its closing brace: the sum, the brace, a newline.
  static func close(_ line: inout [UInt8], from start: Int) {
    let sum = line.withUnsafeBytes { bytes in
      XXH3_64bits(bytes.baseAddress.map { $0 + start }, bytes.count - start)
    }
    line.append(contentsOf: ",\"sum\":\"".utf8)
    line.append(contentsOf: Hex.text(sum).utf8)
    line.append(contentsOf: "\"}\n".utf8)
  }
}
