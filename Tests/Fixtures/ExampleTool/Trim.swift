import CommandTable

/// Options of every kind, with help that no shell likes.
struct Trim: Sendable {
  var maxMB: Int64?
  var age: Duration?
  var target: Percent?
  var measure = "bytes"
  var hosts: [String] = []
  var images: String?
  var plan: [UInt8]?
  var apply: [UInt8]?
  var dryRun = false
  var full = false
  var free: String?

  static let command = Command<Global>(
    "trim", "keep the store within its limits", Trim(),
    page: Page(
      description: """
        Drops what was used least. A line of `trim -n` is 'quoted' \\ and ends with a stop.

        .A paragraph that begins with a point, and "quotes". Sizes are exact; see `--max-mb`.
        """,
      examples: [
        Example("example trim --max-mb 40", "40 MB at most"),
        Example("example trim -n --host 'a b' | wc -l", "count what \"a b\" would lose"),
      ],
      exitStatus: [Term("4", "the limit is not met")],
      files: [Term("state/'log'", "what was dropped")], seeAlso: [Reference("find", 1)])
  ) {
    Option(
      "max-mb", short: "m", \.maxMB, value: .number("N", of: "megabytes"),
      help: "megabytes at most [1 MB is `10^6` bytes]",
      details: "A megabyte is 1,000,000 bytes. `0` empties the store: \"no limit\" is no option.")
    Option("age", \.age, value: .duration(), help: "drop what's older: 90s, 15m, 12h, 7d, 4w")
    Option("free", \.free, value: .text("SIZE|%"), help: "keep 100% free [%d %B]")
    Option("target", \.target, value: .percent(), help: "go down to this share ($HOME, `date`)")
    Option(
      "measure", \.measure,
      value: .oneOf([
        ("bytes", "bytes", "lengths: [exact] 'sum'"), ("disk", "disk", "allocated `blocks`, $x"),
        ("dirs", "dirs", "directories"),
      ]), help: "what counts: it's \"length\" or disk")
    Option("host", \.hosts, each: .text("HOST"), help: "only this host; may be repeated")
    Option(
      "images", \.images,
      value: .oneOf([("header", "header", "look at the head"), ("decode", "decode", "all")]),
      bare: "header", help: "look at images as well")
    Option("plan", short: "p", \.plan, value: .path("FILE"), help: "save the plan \\ to FILE")
    Option("apply", \.apply, value: .path("FILE"), help: "carry out a saved plan")
    Switch("dry-run", short: "n", \.dryRun, help: "print what would be dropped; change nothing")
    Switch("full", short: "f", \.full, help: "look at everything")
    Rule.atMostOne("--plan", "--apply")
  } run: { global, options in
    show(global, "trim \(options)")
  }
}
