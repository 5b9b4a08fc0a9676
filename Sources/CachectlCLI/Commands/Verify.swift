internal import CacheModel
internal import CacheStore
internal import CommandTable

/// `verify`: hashes every object and compares it with its records.
struct Verify: Sendable {
  var part = VerifyPartOptions()
  var repair = VerifyRepair.none
  var adopts = false
  var strict = false
  var images: Images?
  var format: VerifyFormat?
  var list: [UInt8]?
  var jobs: Int?
  var rate: ByteCount?
  var wait = Duration.zero
  var origin = OriginOptions()

  /// How closely images are looked at.
  enum Images: String, CaseIterable { case structure, decode }

  static let command = Command<Global>(
    "verify", "check every entry against its records", Verify(), page: verifyPage
  ) {
    Group(\.part) { VerifyPartOptions.rows() }
    Option("repair", \.repair, value: .oneOf(repairs), help: "what to do about damage")
    Switch("adopt", \.adopts, help: "give strays a record")
    Switch("strict", \.strict, help: "exit 1 for findings of any class")
    Option(
      "images", \.images, value: .oneOf(imageDepths), bare: .structure,
      help: "check that each object is a whole image of its type")
    Option("format", \.format, value: .oneOf(VerifyFormat.choices), help: "for whom to report")
    Option(
      "list", \.list, value: .path("FILE"),
      help: "write what is damaged, for `rm --from`")
    Option(
      "jobs", short: "j", \.jobs, value: .number("N", in: 1...1024),
      help: "threads that read; else as many as the disk can use")
    Option("rate", \.rate, value: .rate(), help: "bytes per second at most: 20MB/s")
    Option("wait", \.wait, value: .duration(), help: "wait this long for another verify to end")
    Group(\.origin) { OriginOptions.trust() }
  } run: { global, options in
    Session.run(global, "verify") { session throws(Session.Failure) in
      try VerifyCommand(session, options).run()
    }
  }

  private static let repairs: [(word: String, value: VerifyRepair, help: String)] = [
    ("quarantine", .quarantine, "keep damaged objects in `quarantine/`, each with a note"),
    ("delete", .delete, "remove damaged objects"),
    ("refetch", .refetch, "ask the origins for them again, without a condition"),
    ("none", .none, "report only"),
  ]

  private static let imageDepths: [(word: String, value: Images, help: String)] = [
    ("structure", .structure, "kind, declared type, and the structure up to the end"),
    ("decode", .decode, "decode them as well, in a process without rights (`cachectl-decode`)"),
  ]
}
