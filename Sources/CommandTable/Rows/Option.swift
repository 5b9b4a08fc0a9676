/// A writable property of a command's options.
public typealias Property<Root, T> = any WritableKeyPath<Root, T> & Sendable

/// A row of the table: an option that takes a value.
public struct Option<Options>: Sendable {
  let shape: OptionShape
  let set: @Sendable (inout Options, [UInt8]?) throws(ValueError) -> Void

  /// An option whose property is nil unless it is given.
  public init<T>(
    _ name: String, short: Character? = nil, _ property: Property<Options, T?>, value: Value<T>,
    help: String, details: String = "", required: Bool = false, forwarded: Bool = false
  ) {
    shape = OptionShape(
      name: name, short: short, value: value.shape, help: help, details: details,
      isRequired: required, isForwarded: forwarded)
    set = { (options, bytes) throws(ValueError) in
      options[keyPath: property] = try value.parse(bytes ?? [])
    }
  }

  /// An option whose property keeps its first value unless it is given.
  public init<T>(
    _ name: String, short: Character? = nil, _ property: Property<Options, T>, value: Value<T>,
    help: String, details: String = "", required: Bool = false, forwarded: Bool = false
  ) {
    shape = OptionShape(
      name: name, short: short, value: value.shape, help: help, details: details,
      isRequired: required, isForwarded: forwarded)
    set = { (options, bytes) throws(ValueError) in
      options[keyPath: property] = try value.parse(bytes ?? [])
    }
  }

  /// An option that may be given several times, each adding a value.
  public init<T>(
    _ name: String, short: Character? = nil, _ property: Property<Options, [T]>, each: Value<T>,
    help: String, details: String = "", required: Bool = false, forwarded: Bool = false
  ) {
    shape = OptionShape(
      name: name, short: short, value: each.shape, help: help, details: details,
      isRequired: required, isForwarded: forwarded, repeats: true)
    set = { (options, bytes) throws(ValueError) in
      options[keyPath: property].append(try each.parse(bytes ?? []))
    }
  }

  /// An option whose value may be left out, `--name[=VALUE]`: `bare` is then what it sets.
  public init<T>(
    _ name: String, short: Character? = nil, _ property: Property<Options, T?>, value: Value<T>,
    bare: T, help: String, details: String = ""
  ) {
    shape = OptionShape(
      name: name, short: short, value: value.shape, help: help, details: details,
      valueIsOptional: true)
    set = { (options, bytes) throws(ValueError) in
      options[keyPath: property] = if let bytes { try value.parse(bytes) } else { bare }
    }
  }

  init(_ shape: OptionShape, set: @escaping @Sendable (inout Options) -> Void) {
    self.shape = shape
    self.set = { (options, _) throws(ValueError) in set(&options) }
  }

  init<Part>(_ option: Option<Part>, of part: Property<Options, Part>) {
    shape = option.shape
    set = { (options, bytes) throws(ValueError) in
      try option.set(&options[keyPath: part], bytes)
    }
  }
}
