/// A line that cannot be understood; nothing was done.
public struct UsageError: Error, Hashable, CustomStringConvertible {
  /// The tool, and the command where the line names one: `tool fetch`.
  public let command: String
  /// What is wrong, naming the option or argument and its value: `--max "abc": not a whole number`.
  public let problem: String

  /// One line: `tool fetch: --max "abc": not a whole number`.
  public var message: String { "\(command): \(problem)" }

  /// The message, and below it where to read on.
  public var description: String { "\(message)\nSee: \(command) -h" }
}

/// Bytes as a message shows them: quoted, one line, nothing in it that a terminal would obey.
func quoted(_ bytes: [UInt8]) -> String {
  let limit = 200
  var text = "\""
  // A repaired decoding would hide which bytes were wrong, so each is spelled as a number.
  let scalars = String(validating: bytes, as: UTF8.self)?.unicodeScalars
  if let scalars {
    for scalar in scalars.prefix(limit) { text += shown(scalar) }
  } else {
    for byte in bytes.prefix(limit) {
      text += byte < 0x80 ? shown(Unicode.Scalar(byte)) : hexadecimal(byte)
    }
  }
  return text + ((scalars?.count ?? bytes.count) > limit ? "...\"" : "\"")
}

private func shown(_ scalar: Unicode.Scalar) -> String {
  switch scalar {
  case "\"", "\\": "\\\(scalar)"
  case "\n": "\\n"
  case "\t": "\\t"
  case _ where scalar.isASCII && scalar.properties.generalCategory == .control:
    hexadecimal(UInt8(scalar.value))
  case _ where [.control, .format].contains(scalar.properties.generalCategory):
    "\\u{\(String(scalar.value, radix: 16))}"
  default: String(scalar)
  }
}

private func hexadecimal(_ byte: UInt8) -> String {
  "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
}
