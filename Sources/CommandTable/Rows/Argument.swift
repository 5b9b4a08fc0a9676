/// A row of the table: a value that is told by its place.
///
/// The rows stand in the order of the places.
public struct Argument<Options>: Sendable {
  let shape: ArgumentShape
  let set: @Sendable (inout Options, [UInt8]) throws(ValueError) -> Void

  /// An argument that must be given.
  public init<T>(
    _ name: String, _ property: Property<Options, T>, value: Value<T>, help: String
  ) {
    shape = ArgumentShape(name: name, value: value.shape, help: help, isRequired: true)
    set = { (options, bytes) throws(ValueError) in
      options[keyPath: property] = try value.parse(bytes)
    }
  }

  /// An argument whose property is nil unless it is given.
  public init<T>(
    _ name: String, _ property: Property<Options, T?>, value: Value<T>, help: String,
    required: Bool = false
  ) {
    shape = ArgumentShape(name: name, value: value.shape, help: help, isRequired: required)
    set = { (options, bytes) throws(ValueError) in
      options[keyPath: property] = try value.parse(bytes)
    }
  }

  /// The last argument, any number of times, at least once where it is required.
  public init<T>(
    _ name: String, _ property: Property<Options, [T]>, each: Value<T>, help: String,
    required: Bool = false
  ) {
    shape = ArgumentShape(
      name: name, value: each.shape, help: help, isRequired: required, repeats: true)
    set = { (options, bytes) throws(ValueError) in
      options[keyPath: property].append(try each.parse(bytes))
    }
  }

  init<Part>(_ argument: Argument<Part>, of part: Property<Options, Part>) {
    shape = argument.shape
    set = { (options, bytes) throws(ValueError) in
      try argument.set(&options[keyPath: part], bytes)
    }
  }
}

/// What parser and renderings need to know of an argument.
struct ArgumentShape: Sendable, Hashable {
  var name: String
  var value: ValueShape
  var help: String
  var isRequired: Bool
  var repeats = false

  /// `NAME`, `[NAME]`, `NAME...` or `[NAME...]`.
  var synopsis: String {
    let each = repeats ? name + "..." : name
    return isRequired ? each : "[\(each)]"
  }
}
