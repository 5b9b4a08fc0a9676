/// How closely images are looked at.
public enum ImageDepth: Sendable, Equatable {
  /// Not at all: an object is bytes.
  case none
  /// Kind, declared type and structure up to the end.
  case structure
  /// Also decoded, by the helper program at this path, in processes without rights.
  case decode(helper: String)

  /// Whether anything of them is looked at.
  var isAny: Bool { self != .none }
}
