internal import CacheModel
internal import CacheStore
internal import CommandTable

/// An entry as a person names it: by its key, or by its name, 64 hex digits.
struct EntryTarget {
  let name: EntryName
  /// What was typed, fit to be shown.
  let shown: String

  /// Reads a key or a name.
  init(_ text: String, _ session: Session) throws(Session.Failure) {
    shown = printable(session.shown(text))
    if let name = EntryName(text) {
      self.name = name
    } else {
      name = try session.key(text).name
    }
  }
}

extension Session {
  /// Reads a key.
  func key(_ text: String) throws(Failure) -> CacheKey {
    do { return try CacheKey(text) } catch { throw Failure(.usage, "\(error)") }
  }
}

extension Value where T == String {
  /// A key of the cache, which completion offers.
  static func knownKey(_ placeholder: String = "KEY") -> Value {
    .text(placeholder, completes: .call(CompletionKeys.name))
  }
}
