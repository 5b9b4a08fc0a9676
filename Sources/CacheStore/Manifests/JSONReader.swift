internal import CSimdJSON
internal import CacheModel
internal import Glibc

/// Reads flat JSON objects with simdjson, for one thread at a time.
final class JSONReader {
  /// More members than any record has; a line with more is damaged rather than a reason to allocate.
  static let mostMembers = 256

  private let parser: OpaquePointer
  private let members: UnsafeMutablePointer<cachectl_json_member>

  init() {
    guard let parser = cachectl_json_parser_new() else { fatalError("out of memory") }
    self.parser = parser
    members = .allocate(capacity: Self.mostMembers)
  }

  deinit {
    cachectl_json_parser_free(parser)
    members.deallocate()
  }

  /// The members of the object that `text` is, in order, or nil where it is no well-formed object.
  ///
  /// `text` must be readable `CACHECTL_JSON_PADDING` bytes beyond its end. The members hold until
  /// the next call.
  func members(of text: UnsafeRawBufferPointer) -> UnsafeBufferPointer<cachectl_json_member>? {
    guard let base = text.baseAddress?.assumingMemoryBound(to: CChar.self) else { return nil }
    let count = cachectl_json_members(parser, base, text.count, members, Self.mostMembers)
    return count < 0 ? nil : UnsafeBufferPointer(start: members, count: count)
  }

  /// The same for text in memory of our own, copied to where the padding is.
  func withMembers<Result>(
    of text: String, _ body: (UnsafeBufferPointer<cachectl_json_member>) -> Result
  ) -> Result? {
    let padded = Array(text.utf8) + [UInt8](repeating: 0, count: Int(CACHECTL_JSON_PADDING))
    return padded.withUnsafeBytes { bytes in
      members(of: UnsafeRawBufferPointer(rebasing: bytes[..<text.utf8.count])).map(body)
    }
  }
}

extension cachectl_json_member {
  /// Whether the member is called `other`.
  func isNamed(_ other: StaticString) -> Bool {
    name_size == other.utf8CodeUnitCount && memcmp(name, other.utf8Start, name_size) == 0
  }

  /// The member's name.
  var nameValue: String {
    String(decoding: UnsafeRawBufferPointer(start: name, count: name_size), as: UTF8.self)
  }

  /// The value as compact JSON.
  var jsonValue: String {
    switch kind {
    case CACHECTL_JSON_NULL: return "null"
    case CACHECTL_JSON_FALSE: return "false"
    case CACHECTL_JSON_TRUE: return "true"
    case CACHECTL_JSON_INTEGER: return String(integer)
    case CACHECTL_JSON_STRING:
      var json = JSONText()
      json.value(stringValue ?? "")
      return json.text
    default:
      return String(decoding: UnsafeRawBufferPointer(start: text, count: text_size), as: UTF8.self)
    }
  }

  /// The value where it is an integer that fits 64 bits.
  var integerValue: Int64? { kind == CACHECTL_JSON_INTEGER ? integer : nil }

  /// The value where it is an integer and not negative.
  var countValue: Int64? { integerValue.flatMap { $0 >= 0 ? $0 : nil } }

  /// The unescaped bytes of a string, which may hold NUL.
  var textBytes: UnsafeRawBufferPointer? {
    kind == CACHECTL_JSON_STRING ? UnsafeRawBufferPointer(start: text, count: text_size) : nil
  }

  /// The value where it is a string; simdjson has checked that it is UTF-8.
  var stringValue: String? { textBytes.map { String(decoding: $0, as: UTF8.self) } }
}
