/// How the text of a value becomes a `T`, what a usage line calls it, and what shells offer for it.
public struct Value<T: Sendable>: Sendable {
  let shape: ValueShape
  /// Reads the bytes of a word, for programs that take values elsewhere than in a line as well.
  public let parse: @Sendable (_ bytes: [UInt8]) throws(ValueError) -> T

  /// Makes a value of any bytes, UTF-8 or not.
  public init(
    _ placeholder: String, completes: Completion = .nothing,
    bytes parse: @escaping @Sendable ([UInt8]) throws(ValueError) -> T
  ) {
    shape = ValueShape(placeholder: placeholder, completion: completes)
    self.parse = parse
  }

  /// Makes a value of text; bytes that are not UTF-8 are refused.
  public init(
    _ placeholder: String, completes: Completion = .nothing,
    parse: @escaping @Sendable (String) throws(ValueError) -> T
  ) {
    self.init(placeholder, completes: completes) { (bytes: [UInt8]) throws(ValueError) in
      try parse(decoded(bytes))
    }
  }

  /// Makes a value of text, read by a parser whose errors describe themselves.
  public init<Failure: Error & CustomStringConvertible>(
    _ placeholder: String, completes: Completion = .nothing,
    parse: @escaping @Sendable (String) throws(Failure) -> T
  ) {
    self.init(placeholder, completes: completes) { (bytes: [UInt8]) throws(ValueError) in
      let text = try decoded(bytes)
      do throws(Failure) { return try parse(text) } catch { throw ValueError(error.description) }
    }
  }
}

/// What a rendering needs to know of a value.
struct ValueShape: Sendable, Hashable {
  let placeholder: String
  let completion: Completion

  var choices: [Choice] {
    guard case .words(let choices) = completion else { return [] }
    return choices
  }
}

/// The text of an argument; `String(decoding:)` would repair what is not UTF-8 and so change it.
private func decoded(_ bytes: [UInt8]) throws(ValueError) -> String {
  guard let text = String(validating: bytes, as: UTF8.self) else {
    throw ValueError("not valid UTF-8")
  }
  return text
}
