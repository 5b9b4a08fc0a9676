internal import CacheModel
internal import CacheStore

/// A report in the OpenMetrics text format, 1.0: gauges, each with its help and unit.
struct StatMetrics {
  private(set) var text = ""

  init(_ report: StatReport) {
    let census = report.figures.census
    gauge("entries", "Entries in the cache.", census.usage.entries)
    gauge("size_bytes", "The lengths of all objects.", Int64(clamping: census.usage.bytes))
    gauge(
      "disk_bytes", "The bytes that the objects allocate.", Int64(clamping: census.usage.allocated))
    gauge("cost", "The sum of costs.", Int64(clamping: census.usage.cost))
    gauge("oldest_use_age_seconds", "Time since the oldest last use.", report.oldestAge)
    gauge("strays", "Objects without a record.", census.strays)
    gauge("missing", "Records without an object.", census.missing)
    gauge("foreign", "Things in the cache that are no entries.", census.foreign)
    gauge("damaged_lines", "Manifest lines that could not be read.", census.damagedLines)
    gauge("leftovers", "Files of dead writers.", report.leftovers.count)
    gauge("free_bytes", "Free bytes of the file system.", report.room.freeBytes)
    gauge("free_inodes", "Free inodes of the file system.", report.room.freeInodes)
    family("budget_used_ratio", "Used share of each limit of the cache's policy.")
    for line in report.budget {
      let percent = String(line.percent % 100)
      let fraction = percent.utf8.count < 2 ? "0" + percent : percent
      sample("budget_used_ratio", "limit", line.name, "\(line.percent / 100).\(fraction)")
    }
    labelled("type_entries", "Entries by media type.", report.figures.types, "type") { $0.entries }
    labelled("type_size_bytes", "Lengths by media type.", report.figures.types, "type") {
      $0.bytes.bytes
    }
    text += "# EOF\n"
  }

  private mutating func gauge(_ name: String, _ help: String, _ value: Int64) {
    family(name, help)
    text += "cachectl_\(name) \(value)\n"
  }

  private mutating func family(_ name: String, _ help: String) {
    text += "# TYPE cachectl_\(name) gauge\n"
    for unit in ["bytes", "seconds", "ratio"] where name.hasSuffix("_" + unit) {
      text += "# UNIT cachectl_\(name) \(unit)\n"
    }
    text += "# HELP cachectl_\(name) \(help)\n"
  }

  /// Few labels: each is a series of its own in whatever reads this.
  private mutating func labelled(
    _ name: String, _ help: String, _ tally: Tally, _ label: String,
    _ value: (Tally.Amount) -> Int64
  ) {
    family(name, help)
    let (first, others) = tally.largest(20)
    for (text, amount) in first { sample(name, label, text, "\(value(amount))") }
    // A media type has a slash: no type is called so.
    if others.entries > 0 { sample(name, label, "others", "\(value(others))") }
  }

  private mutating func sample(_ name: String, _ label: String, _ text: String, _ value: String) {
    let escaped = text.reduce(into: "") { escaped, sign in
      switch sign {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.append(sign)
      }
    }
    self.text += "cachectl_\(name){\(label)=\"\(escaped)\"} \(value)\n"
  }
}
