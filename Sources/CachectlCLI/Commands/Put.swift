internal import CacheModel
internal import CacheStore
internal import CommandTable
internal import Glibc

/// `put`: stores one image.
struct PutCommand: Sendable {
  var key = ""
  var file: [UInt8] = []
  var type: String?
  var etag: String?
  var lastModified: String?
  var freshFor: Duration?
  var cost: Int64?

  static let command = Command<Global>(
    "put", "store one image", PutCommand(),
    page: Page(
      description: """
        Stores what `FILE` holds, or standard input where it is `-`, under `KEY`, normally the image's URL. What the cache held under that key is replaced at once and whole: a reader sees the old image or the new one.

        The media type is told from the content unless `--type` gives it. For a variant, the key goes on behind a newline.
        """,
      examples: [
        Example(
          "cachectl put https://img.example/a.jpg a.jpg --etag '\"v1\"'", "store with a validator"),
        Example(
          "curl -s https://img.example/b.png | cachectl put https://img.example/b.png -",
          "store what another program prints"),
      ])
  ) {
    Argument("KEY", \.key, value: .text("KEY"), help: "what to store it under")
    Argument("FILE", \.file, value: .path("FILE"), help: "the image, or - for standard input")
    Option("type", \.type, value: .text("TYPE"), help: "the media type, such as image/webp")
    Option("etag", \.etag, value: .text("ETAG"), help: "the ETag with its quotes, as it came")
    Option(
      "last-modified", \.lastModified, value: .text("DATE"), help: "the Last-Modified, as it came")
    Option("fresh-for", \.freshFor, value: .duration(), help: "how long it may be used unasked")
    Option(
      "cost", \.cost, value: .number("N"), help: "what it costs to fetch again; else its bytes")
  } run: { global, options in
    Session.run(global, "put") { session throws(Session.Failure) in try options.run(session) }
  }

  private func run(_ session: Session) throws(Session.Failure) -> Verdict {
    let key = try session.key(key)
    let store = try session.open(for: .writing)
    let source = try source(session)
    let record = try session.attempt { () throws(StoreError) in
      try put(source, key, in: store)
    }
    if session.global.json {
      session.document(store.path, Verdict()) { json in
        json.member("name", "\(record.name)")
        json.member("key", session.shown(key.text))
        json.member("bytes", record.bytes)
        json.member("cost", record.cost)
        json.member("xxh128", record.hash.map { "\($0)" })
        json.member("stored", record.stored)
      }
    } else if session.global.verbosity > 0 {
      session.output.line("\(record.name)  \(record.bytes) bytes")
    }
    return Verdict()
  }

  private var isStandardInput: Bool { file == Array("-".utf8) }

  private var sourceName: String {
    isStandardInput ? "standard input" : printable(String(decoding: file, as: UTF8.self))
  }

  private func source(_ session: Session) throws(Session.Failure) -> OpenFile {
    let descriptor =
      isStandardInput ? dup(STDIN_FILENO) : open(file.map { CChar(bitPattern: $0) } + [0], O_RDONLY)
    guard descriptor >= 0 else {
      throw Session.Failure(.incomplete, "cannot read \(sourceName): \(Errno(errno))")
    }
    return OpenFile(owning: descriptor)
  }

  /// The type is told from the first bytes, but the record is written behind the last one.
  private func put(
    _ source: borrowing OpenFile, _ key: CacheKey, in store: Store
  ) throws(StoreError) -> CostRecord {
    let now = Instant.now
    var request = StoreRequest(key: key)
    request.type = type
    request.etag = etag
    request.lastModified = lastModified
    request.cost = cost
    request.freshUntil = freshFor.map { now.after(by: $0) }
    return try store.put(
      from: source, named: sourceName, request, now: now, tellingType: type == nil)
  }
}
