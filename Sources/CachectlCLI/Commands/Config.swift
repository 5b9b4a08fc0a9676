internal import CacheModel
internal import CacheStore
internal import CommandTable

/// `config`: reads and changes the cache's own policy.
struct Config: Sendable {
  var setting: Setting?
  var value: String?

  static let command = Command<Global>(
    "config", "read and change the cache's policy", Config(),
    page: Page(
      description: """
        Prints every setting of the cache, or that of `NAME`, or sets it to `VALUE`. The value `none` takes a limit away. Sizes, shares and durations are typed as for `gc`. What `init --shared` set stays for the cache's life.
        """,
      examples: [
        Example("cachectl config", "every setting"),
        Example("cachectl config max-size 20GB", "a byte limit from now on"),
        Example("cachectl config max-age none", "no age limit any more"),
      ], files: [Term("cachectl.json", "holds the settings")])
  ) {
    Argument("NAME", \.setting, value: .oneOf(names), help: "the setting")
    Argument("VALUE", \.value, value: .text("VALUE"), help: "its new value, or none")
  } run: { global, options in
    Session.run(global, "config") { session throws(Session.Failure) in try options.run(session) }
  }

  private static let names = Setting.all.map { (word: $0.name, value: $0, help: $0.help) }

  private func run(_ session: Session) throws(Session.Failure) -> Verdict {
    let store = try session.open(for: value == nil ? .reading : .writing)
    var configuration = store.configuration
    if let setting, let value { try change(setting, to: value, &configuration, store, session) }
    report(configuration, store, session)
    return Verdict()
  }

  private func change(
    _ setting: Setting, to value: String, _ configuration: inout Configuration, _ store: Store,
    _ session: Session
  ) throws(Session.Failure) {
    guard let set = setting.set else {
      throw Session.Failure(.usage, "\(setting.name) is set by init and stays")
    }
    // What is wrong with the value is said before anything is locked.
    do { try set(&configuration, value) } catch {
      throw Session.Failure(.usage, "\(setting.name) \"\(printable(value))\": \(error)")
    }
    configuration = try session.attempt { () throws(StoreError) in
      try store.changeConfiguration { configuration in
        // It was accepted just now.
        try? set(&configuration, value)
      }
    }
  }

  private func report(_ configuration: Configuration, _ store: Store, _ session: Session) {
    if session.global.json {
      session.document(store.path, Verdict()) { Setting.write(configuration, to: &$0) }
    } else if let setting {
      if value == nil { session.output.line(setting.text(configuration) ?? Setting.none) }
    } else {
      let rows = Setting.all.map { [$0.name, $0.text(configuration) ?? Setting.none] }
      let width = rows.map(\.[0].count).max() ?? 0
      for row in rows {
        session.output.line(
          row[0] + String(repeating: " ", count: width - row[0].count + 2) + row[1])
      }
    }
  }
}
