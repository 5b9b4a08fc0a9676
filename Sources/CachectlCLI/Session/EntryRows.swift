internal import CacheModel
internal import CacheStore
internal import CommandTable

/// Which entries are meant, as `ls` and `rm` are told.
struct EntryFilter: Sendable {
  var prefix: String?
  var host: String?
  var olderThan: Duration?

  /// Whether anything is asked for.
  var isSet: Bool { prefix != nil || host != nil || olderThan != nil }

  /// The same for the store.
  func query(now: Instant) -> EntryQuery {
    var query = EntryQuery()
    query.prefix = prefix
    query.host = host?.asciiLowercased
    query.usedBefore = olderThan.map { now.before(by: $0) }
    return query
  }

  /// The rows that `ls` and `rm` share.
  @RowBuilder<EntryFilter>
  static func rows() -> [Row<EntryFilter>] {
    Option("prefix", \.prefix, value: .something("TEXT"), help: "keys that begin with TEXT")
    Option("host", \.host, value: .something("HOST"), help: "keys that are URLs of this host")
    Option("older-than", \.olderThan, value: .duration(), help: "last used longer ago")
  }
}

extension Value where T == String {
  /// Any text but an empty one.
  static func something(_ placeholder: String) -> Value {
    Value(placeholder) { (text: String) throws(ValueError) in
      if text.isEmpty { throw ValueError("empty") }
      return text
    }
  }
}
