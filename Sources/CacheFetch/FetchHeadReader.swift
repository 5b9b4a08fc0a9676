internal import CachePlan

/// Puts a response's header together from its lines, and refuses what nobody should have to hold.
struct FetchHeadReader {
  private(set) var status = 0
  private(set) var fields = HTTPFields()
  /// Whether the final response's header is whole; interim ones (1xx) do not count.
  private(set) var isComplete = false
  private var isInBlock = false
  private var bytes = 0
  private var lines = 0
  private let limits: FetchLimits

  init(limits: FetchLimits) { self.limits = limits }

  /// Prepares for the next response.
  mutating func reset() {
    fields.removeAll()
    (status, bytes, lines) = (0, 0, 0)
    (isComplete, isInBlock) = (false, false)
  }

  /// Takes a line as it came.
  ///
  /// Interim responses and trailers count towards the limits as well: otherwise they would be
  /// without end.
  mutating func take(_ line: UnsafeRawBufferPointer) throws(FetchFailure) {
    bytes += line.count
    lines += 1
    guard bytes <= limits.headerBytes, lines <= limits.headerLines else { throw .headerTooLarge }
    guard !isComplete else { return }
    if line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) {
      isInBlock = false
      isComplete = status >= 200 || status == 101
      if isComplete { try check() }
    } else if isInBlock {
      _ = fields.append(line: line)
    } else {
      status = FetchHeadReader.status(line)
      fields.removeAll()
      isInBlock = true
    }
  }

  /// The body's length; nil where it is not said, or where the transfer coding marks the end.
  var length: Int64? {
    fields.has("transfer-encoding")
      ? nil : fields.single("content-length").flatMap { Int64($0) }
  }

  private func check() throws(FetchFailure) {
    if fields.has("content-length"), fields.single("content-length") == nil {
      throw .malformed("two lengths")
    }
    for coding in ["transfer-encoding", "content-encoding"] as [StaticString] {
      let value = (fields.list(coding) ?? "identity").lowercased()
      let isPlain = value == "identity" || value.isEmpty
      guard isPlain || (coding.description == "transfer-encoding" && value == "chunked") else {
        throw .coding(value)
      }
    }
    if let length, length > limits.bodyBytes, status == 200 { throw .bodyTooLong }
  }

  // HTTP/1.1 200 OK, or HTTP/2 200
  private static func status(_ line: UnsafeRawBufferPointer) -> Int {
    guard let space = line.firstIndex(of: 0x20) else { return 0 }
    let digits = line[(space + 1)...].prefix { $0 >= 0x30 && $0 <= 0x39 }
    return digits.count == 3 ? digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } : 0
  }
}
