/// The header fields of one response, as received: any order, any case, repeated or not.
///
/// All bytes lie in one buffer, so that a header costs no allocation of its own and a reused value
/// costs none at all. Values come out as text whose code points are the bytes received (ISO 8859-1,
/// RFC 9110, 5.5): whatever an origin sends can be stored as text and sent back byte for byte.
public struct HTTPFields: Sendable {
  private struct Line: Sendable {
    var name: Range<Int32>
    var value: Range<Int32>
  }

  private var bytes: [UInt8] = []
  private var lines: [Line] = []
  private var isLastRefused = false

  /// No fields.
  public init() {}

  /// Fields from names and values, for tests and for callers that have them as text; a value that
  /// is not legal is left out.
  public init(_ fields: KeyValuePairs<String, String>) {
    for (name, value) in fields {
      guard let bytes = HTTPText.bytes(name + ": " + value) else { continue }
      _ = bytes.withUnsafeBytes { append(line: $0) }
    }
  }

  /// The number of fields.
  public var count: Int { lines.count }

  /// Forgets all fields and keeps the memory.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    lines.removeAll(keepingCapacity: true)
  }

  /// Adds one line of a header block; its line end may be there or not.
  ///
  /// A line that begins with a blank continues the one before (RFC 9112, 5.2: the fold becomes a
  /// space). False where the line is no field: no colon, a blank before it, an illegal character; it
  /// is left out with whatever continues it.
  public mutating func append(line: UnsafeRawBufferPointer) -> Bool {
    let content = HTTPFields.withoutLineEnd(line)
    if let first = content.first, HTTPText.isBlank(first) { return fold(content) }
    isLastRefused = !appendField(content)
    return !isLastRefused
  }

  private mutating func appendField(_ content: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard let colon = content.firstIndex(of: UInt8(ascii: ":")), colon > content.startIndex,
      content[..<colon].allSatisfy(HTTPText.isToken)
    else { return false }
    let value = HTTPText.trimmed(content[(colon + 1)...])
    guard value.allSatisfy(HTTPText.isFieldValue) else { return false }
    let start = Int32(bytes.count)
    for byte in content[..<colon] { bytes.append(HTTPText.lower(byte)) }
    let middle = Int32(bytes.count)
    bytes.append(contentsOf: value)
    lines.append(Line(name: start..<middle, value: middle..<Int32(bytes.count)))
    return true
  }

  /// The field's values, one for each line it stood on, in order.
  public func values(_ name: StaticString) -> [String] {
    var found: [String] = []
    each(name) { found.append(HTTPText.text($0)) }
    return found
  }

  /// A field that is a list: its lines joined by commas (RFC 9110, 5.3); nil where it is absent.
  public func list(_ name: StaticString) -> String? {
    let found = values(name)
    return found.isEmpty ? nil : found.count == 1 ? found[0] : found.joined(separator: ", ")
  }

  /// A field that may stand once; nil where it is absent or its lines contradict each other.
  public func single(_ name: StaticString) -> String? {
    var found: ArraySlice<UInt8>?
    var isClear = true
    each(name) { value in
      if let first = found, !first.elementsEqual(value) { isClear = false }
      found = found ?? value
    }
    return isClear ? found.map(HTTPText.text) : nil
  }

  /// Whether the field is there at all.
  public func has(_ name: StaticString) -> Bool {
    var isThere = false
    each(name) { _ in isThere = true }
    return isThere
  }

  /// Every field in order, the name in lower case.
  public var all: [(name: String, value: String)] {
    lines.map { line in
      (HTTPText.text(slice(line.name)), HTTPText.text(slice(line.value)))
    }
  }

  private func each(_ name: StaticString, _ body: (ArraySlice<UInt8>) -> Void) {
    let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    for line in lines where line.name.count == wanted.count {
      let isMatch = zip(slice(line.name), wanted).allSatisfy { $0 == HTTPText.lower($1) }
      if isMatch { body(slice(line.value)) }
    }
  }

  private func slice(_ range: Range<Int32>) -> ArraySlice<UInt8> {
    bytes[Int(range.lowerBound)..<Int(range.upperBound)]
  }

  private mutating func fold(_ content: Slice<UnsafeRawBufferPointer>) -> Bool {
    let more = HTTPText.trimmed(content)
    guard !isLastRefused, let last = lines.indices.last, more.allSatisfy(HTTPText.isFieldValue)
    else { return false }
    bytes.append(HTTPText.space)
    bytes.append(contentsOf: more)
    lines[last].value = lines[last].value.lowerBound..<Int32(bytes.count)
    return true
  }

  private static func withoutLineEnd(
    _ line: UnsafeRawBufferPointer
  ) -> Slice<UnsafeRawBufferPointer> {
    var content = line[...]
    if content.last == 0x0A { content = content.dropLast() }
    if content.last == 0x0D { content = content.dropLast() }
    return content
  }
}
