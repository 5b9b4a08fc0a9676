/// Builds JSON text (RFC 8259) a token at a time, without a tree and independent of any locale.
///
/// Commas are its own business; that brackets pair up is the caller's.
public struct JSONText: Sendable {
  /// The text so far, UTF-8.
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Starts empty.
  public init() {}

  /// The text so far.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Opens an object.
  public mutating func beginObject() { open(0x7b) }

  /// Closes an object.
  public mutating func endObject() { close(0x7d) }

  /// Opens an array.
  public mutating func beginArray() { open(0x5b) }

  /// Closes an array.
  public mutating func endArray() { close(0x5d) }

  /// Writes a member's name; its value comes next.
  public mutating func name(_ name: String) {
    separate()
    quote(name)
    bytes.append(0x3a)
    needsComma = false
  }

  /// Writes a number.
  public mutating func value(_ number: some FixedWidthInteger) { token(String(number)) }

  /// Writes true or false.
  public mutating func value(_ truth: Bool) { token(truth ? "true" : "false") }

  /// Writes a string, escaped.
  public mutating func value(_ text: String) {
    separate()
    quote(text)
  }

  /// Writes null.
  public mutating func null() { token("null") }

  /// Writes text that is JSON already.
  public mutating func value(json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }

  /// Ends a line, as JSON Lines want it, and starts afresh behind it.
  public mutating func endLine() {
    bytes.append(0x0a)
    needsComma = false
  }

  /// Gives the text out and starts afresh with the same memory.
  public mutating func drain(_ body: ([UInt8]) throws -> Void) rethrows {
    try body(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func token(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func separate() {
    if needsComma { bytes.append(0x2c) }
    needsComma = true
  }

  private mutating func quote(_ text: String) { bytes.append(jsonString: text) }
}

extension [UInt8] {
  /// Appends a JSON string (RFC 8259, section 7): quoted, with no more escaped than has to be.
  public mutating func append(jsonString text: String) {
    append(0x22)
    let isPlain = text.utf8.withContiguousStorageIfAvailable { utf8 -> Bool in
      guard !utf8.contains(where: Self.isEscaped) else { return false }
      append(contentsOf: utf8)
      return true
    }
    if isPlain != true { for byte in text.utf8 { append(escaping: byte) } }
    append(0x22)
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x22 || byte == 0x5c || byte == 0x7f
  }

  private mutating func append(escaping byte: UInt8) {
    guard Self.isEscaped(byte) else { return append(byte) }
    switch byte {
    case 0x22, 0x5c: append(contentsOf: [0x5c, byte])
    case 0x0a: append(contentsOf: #"\n"#.utf8)
    default:
      append(contentsOf: #"\u00"#.utf8)
      append(contentsOf: Hex.text(UInt64(byte)).utf8.suffix(2))
    }
  }
}

extension JSONText {
  /// Writes a member with a number.
  public mutating func member(_ name: String, _ number: some FixedWidthInteger) {
    self.name(name)
    value(number)
  }

  /// Writes a member with a truth.
  public mutating func member(_ name: String, _ truth: Bool) {
    self.name(name)
    value(truth)
  }

  /// Writes a member with a string, or null.
  public mutating func member(_ name: String, _ text: String?) {
    self.name(name)
    if let text { value(text) } else { null() }
  }

  /// Writes a member with a time in ISO 8601, or null.
  public mutating func member(_ name: String, _ instant: Instant?) {
    member(name, instant.map { "\($0)" })
  }

  /// Writes a member with an object.
  public mutating func object(_ name: String, _ body: (inout JSONText) -> Void) {
    self.name(name)
    beginObject()
    body(&self)
    endObject()
  }

  /// Writes a member with an array.
  public mutating func array(_ name: String, _ body: (inout JSONText) -> Void) {
    self.name(name)
    beginArray()
    body(&self)
    endArray()
  }
}
