internal import CacheFetch
internal import CacheModel
internal import CacheStore
internal import CommandTable
internal import ImageCache

/// `fetch`: reads images through the cache.
struct Fetch: Sendable {
  var urls: [String] = []
  var file: [UInt8]?
  var isHead = false
  var patience = Duration.seconds(60)
  var origin = OriginOptions()

  static let command = Command<Global>(
    "fetch", "read images through the cache", Fetch(),
    page: Page(
      description: """
        Reads images through the cache: a fresh one comes from disk, a stale one after its origin was asked, a missing one from its origin, and is stored. Each is a use.

        Of several processes that want the same image at once one asks, and the others wait for its result. Where an origin fails, a stale image is given out unless its terms forbid that, and is reported as `stale`. An image that its origin forbids to keep is given out and not stored.
        """,
      examples: [
        Example("cachectl fetch https://img.example/a.jpg -o a.jpg", "one image, into a file"),
        Example("cachectl fetch --head https://img.example/a.jpg", "what would be stored"),
        Example(
          "cachectl fetch https://img.example/a.jpg https://img.example/b.jpg", "fill the cache"),
      ])
  ) {
    Argument("URL", \.urls, each: .knownKey("URL"), help: "an image")
    Option(
      "output", short: "o", \.file, value: .path("FILE"),
      help: "write the image to FILE, or to standard output where it is -")
    Switch("head", \.isHead, help: "show what would be stored, and store nothing")
    Option(
      "wait", \.patience, value: .duration(),
      help: "how long to wait for another process that asks for the same image")
    Group(\.origin) { OriginOptions.rows() }
    Rule.atLeastOne("URL")
    Rule.atMostOne("--output", "--head")
  } run: { global, options in
    Session.run(global, "fetch") { session throws(Session.Failure) in try options.run(session) }
  }

  private var isToStandardOutput: Bool { file == Array("-".utf8) }

  private func run(_ session: Session) throws(Session.Failure) -> Verdict {
    if file != nil, urls.count != 1 {
      throw Session.Failure(.usage, "--output takes one image: give one URL")
    }
    if isToStandardOutput, session.global.json {
      throw Session.Failure(
        .usage, "--json needs --output FILE: standard output is for one of them")
    }
    var keys: [CacheKey] = []
    for url in urls { keys.append(try session.key(url)) }
    let store = try session.open(for: isHead ? .reading : .writing)
    var cache = ImageCache(store, try origin.settings(session, for: store))
    cache.patience = patience
    let stop = try session.stopOnSignals()
    let printer = AnswerPrinter(session, store, isSilent: isToStandardOutput)
    if isHead {
      try attempt { () throws(FetchFailure) in
        try cache.heads(keys, until: stop) { printer.print($0) }
      }
    } else {
      try read(keys, cache, stop, printer, session)
    }
    return printer.end()
  }

  private func read(
    _ keys: [CacheKey], _ cache: ImageCache, _ stop: FetchStop, _ printer: AnswerPrinter,
    _ session: Session
  ) throws(Session.Failure) {
    var failure: Session.Failure?
    try attempt { () throws(FetchFailure) in
      try cache.read(keys, until: stop) { answer in
        do throws(Session.Failure) { try give(answer, session) } catch { failure = error }
        printer.print(answer)
      }
    }
    if let failure { throw failure }
  }

  private func give(
    _ answer: borrowing ImageAnswer, _ session: Session
  ) throws(Session.Failure) {
    guard let file, answer.object != nil else { return }
    if isToStandardOutput {
      do throws(StoreError) {
        try answer.readObject { bytes in
          session.output.write(bytes)
          return !session.output.isClosed && session.output.failure == nil
        }
      } catch { throw Session.Failure(error) }
    } else {
      try OutputFile(file).write { sink throws(StoreError) in try answer.readObject(sink) }
    }
  }

  private func attempt(_ body: () throws(FetchFailure) -> Void) throws(Session.Failure) {
    do { try body() } catch { throw Session.Failure(.incomplete, "\(error)") }
  }
}
