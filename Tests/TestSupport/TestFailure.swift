/// Something a test needed did not work, which is neither a pass nor a finding of the test.
public struct TestFailure: Error, CustomStringConvertible {
  /// What did not work.
  public let description: String

  /// Says what did not work, in a sentence a person can act on.
  public init(_ description: String) { self.description = description }
}
