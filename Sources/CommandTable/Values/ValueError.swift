/// Why a value was refused, without the option's name, which the parser puts before it.
///
/// Written to be read after a colon: `not a whole number`.
public struct ValueError: Error, Hashable, CustomStringConvertible {
  /// The reason, with no capital and no full stop.
  public let description: String

  /// Wraps a reason.
  public init(_ description: String) { self.description = description }
}
