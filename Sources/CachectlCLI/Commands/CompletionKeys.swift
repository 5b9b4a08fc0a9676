internal import CacheModel
internal import CacheStore
internal import CommandTable

/// `__keys`: what completion offers where a key is expected, each followed by a NUL.
struct CompletionKeys: Sendable {
  var prefix = ""

  static let name = "__keys"
  /// As many as a person reads through.
  private static let most = 100
  /// As long as a person does not notice.
  private static let patience = Duration.milliseconds(100)

  static let command = Command<Global>(
    name, "print keys for completion", CompletionKeys(), hidden: true
  ) {
    Argument("PREFIX", \.prefix, value: .text("PREFIX"), help: "how they begin")
  } run: { global, options in
    Session.run(global, name) { session throws(Session.Failure) in
      let store = try session.open(for: .reading)
      let keys = store.keys(
        beginningWith: options.prefix, atMost: most, within: patience)
      // A key that holds a secret is not shown, and masked it would be no key.
      for key in keys where session.shown(key) == key {
        session.output.write(key.utf8)
        session.output.write([0])
      }
      return Verdict()
    }
  }
}
