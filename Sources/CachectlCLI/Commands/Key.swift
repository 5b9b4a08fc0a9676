internal import CacheModel
internal import CacheStore
internal import CommandTable

/// `key`: tells where an entry lies.
struct Key: Sendable {
  var key = ""

  static let command = Command<Global>(
    "key", "tell an entry's name and path", Key(),
    page: Page(
      description: """
        Prints two lines: the name that `KEY` gets, 64 hex digits, and the path of its object, whether there is one or not. The name is the SHA-256 of the key as it is recorded: a URL with scheme and host in lower case, without default port and fragment.
        """,
      examples: [Example("cachectl key https://img.example/a.jpg", "where it lies or would lie")],
      seeAlso: [Reference("sha256sum", 1), Reference("cachectl-layout", 5)])
  ) {
    Argument("KEY", \.key, value: .text("KEY"), help: "the key")
  } run: { global, options in
    Session.run(global, "key") { session throws(Session.Failure) in try options.run(session) }
  }

  private func run(_ session: Session) throws(Session.Failure) -> Verdict {
    let key = try session.key(key)
    let store = try session.open(for: .reading)
    let path = store.objectPath(of: key.name)
    if session.global.json {
      session.document(store.path, Verdict()) { json in
        json.member("key", session.shown(key.text))
        json.member("name", "\(key.name)")
        json.member("path", path)
      }
    } else {
      session.output.line("\(key.name)")
      session.output.line(printable(path))
    }
    return Verdict()
  }
}
