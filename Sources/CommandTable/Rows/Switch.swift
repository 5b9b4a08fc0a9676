/// A row of the table: an option that takes no value.
public struct Switch<Options>: Sendable {
  let option: Option<Options>

  /// A switch that turns its property on.
  public init(
    _ name: String, short: Character? = nil, _ property: Property<Options, Bool>, help: String,
    details: String = ""
  ) {
    self.init(name, short: short, property, sets: true, help: help, details: details)
  }

  /// A switch that sets its property to a value.
  public init<T: Sendable>(
    _ name: String, short: Character? = nil, _ property: Property<Options, T>, sets value: T,
    help: String, details: String = ""
  ) {
    let shape = OptionShape(name: name, short: short, help: help, details: details)
    option = Option(shape) { $0[keyPath: property] = value }
  }

  /// A switch that counts how often it is given.
  public init(
    _ name: String, short: Character? = nil, counting property: Property<Options, Int>,
    help: String, details: String = ""
  ) {
    let shape = OptionShape(
      name: name, short: short, help: help, details: details, repeats: true)
    option = Option(shape) { $0[keyPath: property] += 1 }
  }
}
