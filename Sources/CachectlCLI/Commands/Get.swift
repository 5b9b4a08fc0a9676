internal import CacheModel
internal import CacheStore
internal import CommandTable

/// `get`: gives one image out.
struct Get: Sendable {
  var key = ""
  var file: [UInt8]?
  var noTouch = false

  static let command = Command<Global>(
    "get", "give one image out", Get(),
    page: Page(
      description: """
        Writes the image of `KEY`, or of a name (64 hex digits), to standard output or to `FILE`. The content is compared with its record first: what is damaged is not given out, and counts as not in the cache.

        This is a use, which the order of eviction takes notice of, unless `--no-touch` is given. A `FILE` is written beside and renamed into its place when it is whole.
        """,
      examples: [
        Example("cachectl get https://img.example/a.jpg -o a.jpg", "copy an image out"),
        Example("cachectl get https://img.example/a.jpg | xxhsum -H2", "hash it"),
      ])
  ) {
    Argument("KEY", \.key, value: .knownKey(), help: "the entry, by its key or its name")
    Option(
      "output", short: "o", \.file, value: .path("FILE"),
      help: "write to FILE; - is standard output")
    Switch("no-touch", \.noTouch, help: "do not count this as a use")
  } run: { global, options in
    Session.run(global, "get") { session throws(Session.Failure) in try options.run(session) }
  }

  private func run(_ session: Session) throws(Session.Failure) -> Verdict {
    if session.global.json, output == nil {
      throw Session.Failure(
        .usage, "--json needs --output FILE: standard output is for one of them")
    }
    let target = try EntryTarget(key, session)
    let store = try session.open(for: .reading)
    let found = try session.attempt { () throws(StoreError) in
      try store.inspectedObject(target.name, now: .now)
    }
    let inspection = found.inspection
    guard inspection.isServed else { throw Self.miss(target, inspection) }
    try give(found, target, session)
    if !noTouch { found.touch(in: store, now: .now) }
    report(inspection, store, session)
    return Verdict()
  }

  /// Where the image goes; nil for standard output.
  private var output: [UInt8]? { file == Array("-".utf8) ? nil : file }

  private static func miss(_ target: EntryTarget, _ inspection: Inspection) -> Session.Failure {
    switch inspection.state {
    case .absent, .missing: Session.Failure(.findings, "not in the cache: \(target.shown)")
    case .unreadable:
      Session.Failure(
        .incomplete, "cannot read \(target.shown) (\(target.name)): \(inspection.detail ?? "")")
    default:
      Session.Failure(
        .findings,
        "\(inspection.state.rawValue): \(target.shown) (\(target.name)): \(inspection.detail ?? "")"
      )
    }
  }

  private func give(
    _ found: borrowing InspectedObject, _ target: EntryTarget, _ session: Session
  ) throws(Session.Failure) {
    if let output {
      try OutputFile(output).write { (sink) throws(StoreError) in try found.read(sink) }
    } else {
      try session.attempt { () throws(StoreError) in
        try found.read { bytes in
          session.output.write(bytes)
          return !session.output.isClosed && session.output.failure == nil
        }
      }
    }
  }

  private func report(_ inspection: Inspection, _ store: Store, _ session: Session) {
    guard session.global.json, let output else { return }
    session.document(store.path, Verdict()) { json in
      json.member("name", "\(inspection.name)")
      json.member("key", inspection.origin.map { session.shown($0.key.text) })
      json.member("bytes", inspection.bytes ?? 0)
      json.member("xxh128", inspection.hash.map { "\($0)" })
      json.member("state", inspection.state.rawValue)
      json.member("file", String(decoding: output, as: UTF8.self))
    }
  }
}
