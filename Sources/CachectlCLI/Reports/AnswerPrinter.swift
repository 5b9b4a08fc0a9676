internal import CacheModel
internal import CachePlan
internal import CacheStore
internal import ImageCache

/// Prints what came of reading images through the cache, one by one.
final class AnswerPrinter {
  private let session: Session
  private let store: Store
  private let isSilent: Bool
  private var json = JSONText()
  private var verdict = Verdict()

  /// Prints no lines where `isSilent`: standard output is the image's.
  init(_ session: Session, _ store: Store, isSilent: Bool) {
    self.session = session
    self.store = store
    self.isSilent = isSilent
    guard session.global.json else { return }
    json.beginDocument("fetch", store.path)
    json.name("images")
    json.beginArray()
  }

  func print(_ answer: borrowing ImageAnswer) {
    note(answer.source, answer.key)
    let bytes = answer.byteCount
    if session.global.json {
      json.beginObject()
      describe(answer.key, answer.source, bytes, answer.freshness, url: nil)
      json.endObject()
      session.output.write(&json)
    } else if !isSilent, !session.global.quiet {
      line(answer.key, answer.source.word, bytes, answer.freshness)
    }
  }

  func print(_ head: OriginHead) {
    let source = head.source
    note(source, head.key)
    if session.global.json {
      json.beginObject()
      describe(head.key, source, head.bytes, head.freshness, url: head.url)
      json.endObject()
      session.output.write(&json)
    } else {
      line(head.key, source.word, head.bytes, head.freshness)
      head.freshness.map { details($0, head.url) }
    }
  }

  func end() -> Verdict {
    verdict.signal = Signals.caught
    if session.global.json {
      json.endArray()
      json.members(of: verdict)
      json.endDocument()
      session.output.write(&json)
    }
    return verdict
  }

  private func note(_ source: ImageAnswer.Source, _ key: CacheKey) {
    let shown = printable(session.shown(key.text))
    switch source {
    case .gone:
      verdict.add(.findings)
      session.say("\(shown): not in the cache, and its origin has none")
    case .failed(let reason):
      verdict.add(.incomplete)
      session.say("\(shown): \(printable(reason))")
    case .stale(let reason): session.mention("\(shown): stale: \(printable(reason))")
    case .fresh, .confirmed, .received, .notKept: break
    }
  }

  private func line(
    _ key: CacheKey, _ word: String, _ bytes: Int64?, _ freshness: FreshnessMetadata?
  ) {
    let size = bytes.map(String.init) ?? "-"
    session.output.line(
      "\(word)  \(size)  \(printable(freshness?.type ?? "-"))  \(printable(session.shown(key.text)))"
    )
  }

  private func details(_ freshness: FreshnessMetadata, _ url: String?) {
    let lines = [
      ("url", url.map(session.shown)), ("etag", freshness.etag),
      ("last-modified", freshness.lastModified), ("fresh until", "\(freshness.freshUntil)"),
      ("terms", freshness.directives),
    ]
    for (name, value) in lines {
      if let value { session.output.line("  \(name): \(printable(value))") }
    }
  }

  private func describe(
    _ key: CacheKey, _ source: ImageAnswer.Source, _ bytes: Int64?,
    _ freshness: FreshnessMetadata?, url: String?
  ) {
    json.member("name", "\(key.name)")
    json.member("key", session.shown(key.text))
    json.member("source", source.word)
    json.member("reason", source.reason)
    json.member("url", url.map(session.shown))
    json.member("bytes", bytes: bytes)
    json.member("type", freshness?.type)
    json.member("etag", freshness?.etag)
    json.member("last_modified", freshness?.lastModified)
    json.member("fresh_until", freshness?.freshUntil)
    json.member("terms", freshness?.directives)
  }
}

extension JSONText {
  fileprivate mutating func member(_ name: String, bytes: Int64?) {
    self.name(name)
    if let bytes { value(bytes) } else { null() }
  }
}

extension ImageAnswer.Source {
  /// The word for programs and people.
  var word: String {
    switch self {
    case .fresh: "fresh"
    case .confirmed: "confirmed"
    case .received: "received"
    case .notKept: "not_kept"
    case .stale: "stale"
    case .gone: "gone"
    case .failed: "failed"
    }
  }

  /// Why, where there is a reason.
  var reason: String? {
    switch self {
    case .stale(let reason), .failed(let reason): reason
    case .fresh, .confirmed, .received, .notKept, .gone: nil
    }
  }
}
