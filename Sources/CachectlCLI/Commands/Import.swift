internal import CacheModel
internal import CacheStore
internal import CommandTable

/// `import`: stores trees of files.
struct Import: Sendable {
  var paths: [[UInt8]] = []
  var baseURL = ""

  static let command = Command<Global>(
    "import", "store a tree of files", Import(),
    page: Page(
      description: """
        Stores every regular file of each `PATH`. A file's key is the base URL, a slash unless that ends in one, and the file's path below `PATH`, percent-encoded as a URL's path is; a `PATH` that is a file goes by its own name. The media type is told from the content.

        What the cache holds already with the same content is left as it is, so that a second import of a tree stores nothing. Symbolic links are not followed. What cannot be read is named, makes the status 3, and stops nothing else.
        """,
      examples: [
        Example(
          "cachectl import /srv/photos --base-url https://img.example/photos/",
          "each file below /srv/photos"),
        Example("cachectl import logo.png --base-url https://img.example", "one file"),
      ])
  ) {
    Argument("PATH", \.paths, each: .path("PATH"), help: "a directory or a file", required: true)
    Option(
      "base-url", \.baseURL, value: .text("URL"), help: "what stands before the path in a key",
      required: true)
  } run: { global, options in
    Session.run(global, "import") { session throws(Session.Failure) in try options.run(session) }
  }

  private func run(_ session: Session) throws(Session.Failure) -> Verdict {
    _ = try session.key(baseURL)
    let store = try session.open(for: .writing)
    Signals.catchAll()
    let progress = Progress(session.global.progress, quiet: session.global.quiet, noun: "imported")
    let orders = ImportOrders(
      baseURL: baseURL, now: .now, shouldStop: { Signals.caught != nil },
      progress: { progress?.add(items: $0, bytes: $1) })
    var outcome = ImportOutcome()
    for path in paths where !orders.shouldStop() {
      do throws(StoreError) { outcome.merge(try store.importTree(at: path, orders)) } catch {
        outcome.fail("\(error)")
      }
    }
    progress?.end()
    return report(outcome, store, session)
  }

  private func report(_ outcome: ImportOutcome, _ store: Store, _ session: Session) -> Verdict {
    var verdict = Verdict()
    verdict.add(.incomplete, if: outcome.failureCount > 0)
    verdict.signal = Signals.caught
    for failure in outcome.failures { session.say(failure) }
    if session.global.json {
      session.document(store.path, verdict) { outcome.write(to: &$0) }
    } else if !session.global.quiet {
      session.output.line(outcome.text)
    }
    return verdict
  }
}

extension ImportOutcome {
  fileprivate var text: String {
    var text = "stored \(stored.counted("file", "files")), \(ByteCount(storedBytes))"
    func note(_ count: Int64, _ what: String) {
      if count > 0 { text += "; \(count) \(what)" }
    }
    note(unchanged, "in the cache already")
    note(untyped, "of them are no images that have a type here")
    note(links, links == 1 ? "symbolic link left out" : "symbolic links left out")
    note(others, "other things left out")
    note(failureCount, "failed")
    return text
  }

  fileprivate func write(to json: inout JSONText) {
    json.object("stored") { json in
      json.member("entries", stored)
      json.member("bytes", storedBytes)
    }
    json.object("unchanged") { json in
      json.member("entries", unchanged)
      json.member("bytes", unchangedBytes)
    }
    json.member("untyped", untyped)
    json.member("links", links)
    json.member("others", others)
    json.member("failed", failureCount)
    json.member("failures", failures)
  }
}
