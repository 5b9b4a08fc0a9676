extension Value {
  /// Two values with a separator between them: `99%/7d`.
  public init<First, Second>(
    _ first: Value<First>, _ separator: Character, _ second: Value<Second>,
    _ join: @escaping @Sendable (First, Second) -> T
  ) {
    let placeholder = first.shape.placeholder + String(separator) + second.shape.placeholder
    self.init(placeholder) { (text: String) throws(ValueError) in
      let parts = text.split(separator: separator, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw ValueError("not of the form \(placeholder)") }
      return join(
        try first.parse(Array(parts[0].utf8)), try second.parse(Array(parts[1].utf8)))
    }
  }
}
