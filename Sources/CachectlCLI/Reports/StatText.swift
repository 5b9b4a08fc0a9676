internal import CacheModel
internal import CacheStore

extension StatReport {
  /// The report for people.
  var lines: [String] {
    var lines = totals
    lines += picture("last use", figures.ages) { "\(Duration.seconds($0).words) ago" }
    if !figures.isExact { lines.append("  as recorded: a use since then shows with --exact") }
    lines += picture("length", figures.sizes) { "\(ByteCount($0))" }
    lines += picture("type", figures.types, nameless: "not recorded")
    lines += picture("host", figures.hosts, nameless: "none")
    lines += findings
    lines += results.filter { !$0.isMet }.map {
      "check failed: \($0.name) is \($0.value), the limit is \($0.limit)"
    }
    return lines
  }

  private var totals: [String] {
    let usage = figures.census.usage
    let disk = ByteCount(clamped: usage.allocated)
    var lines = [
      "cache    \(printable(store.path)), \(store.configuration.sharing.rawValue)",
      "entries  \(usage.entries)",
      "bytes    \(ByteCount(clamped: usage.bytes)); \(figures.isExact ? "" : "about ")\(disk) on disk",
    ]
    if usage.cost != usage.bytes { lines.append("cost     \(usage.cost)") }
    if let oldest = figures.oldest {
      lines.append("oldest   last used \(oldest), \(Duration.seconds(oldestAge).words) ago")
    }
    lines.append("free     \(ByteCount(max(0, room.freeBytes))), \(room.freeInodes) inodes")
    return lines + budget.map { "budget   \($0.text)" }
  }

  private var findings: [String] {
    let census = figures.census
    func note(_ count: Int64, _ text: String) -> [String] { count == 0 ? [] : ["\(count) \(text)"] }
    let found =
      note(census.strays, "objects have no record (strays)")
      + note(census.missing, "records have no object (missing)")
      + note(census.mismatched, "objects have another length than recorded: run cachectl verify")
      + note(census.foreign, "things are no entries")
      + note(census.future, "entries were last used in the future; that counts as now")
      + note(census.damagedLines, "manifest lines could not be read")
      + note(leftovers.count, "leftovers of dead writers, which gc removes")
    return found.isEmpty ? [] : [""] + found
  }
}

extension StatReport.BudgetLine {
  fileprivate var text: String {
    let bar = Picture.bar(Double(percent) / 100)
    let amounts =
      isMinimum
      ? "\(shown(used)) free, \(shown(limit)) to be kept" : "\(shown(used)) of \(shown(limit))"
    return "\(name.wide(15))  \(bar)  \(percent)%  \(amounts)"
  }

  private func shown(_ amount: Int64) -> String {
    switch name {
    case "max-size", "min-free": "\(ByteCount(max(0, amount)))"
    case "max-age": Duration.seconds(amount).words
    default: String(amount)
    }
  }
}

/// Rows with bars, in ASCII: a picture that every terminal, log and locale shows.
private enum Picture {
  static let width = 20

  /// A bar for a share of the whole; anything but nothing shows.
  static func bar(_ share: Double) -> String {
    let full = min(width, Int((max(0, share) * Double(width)).rounded(.up)))
    return String(repeating: "#", count: full) + String(repeating: ".", count: width - full)
  }

  static func row(_ name: String, _ amount: Tally.Amount, of whole: Int64) -> String {
    let share = whole == 0 ? 0 : Double(amount.entries) / Double(whole)
    return "  \(name.wide(24))  \(bar(share))  \(String(amount.entries).narrow(10))  "
      + "\(amount.bytes)".narrow(9)
  }
}

extension StatReport {
  private func picture(
    _ title: String, _ steps: Steps, _ shown: (Int64) -> String
  ) -> [String] {
    let whole = steps.amounts.reduce(0) { $0 + $1.entries }
    if whole == 0 { return [] }
    let last = steps.ends.last.map { "more than \(shown($0))" } ?? ""
    let names = steps.ends.map { "up to \(shown($0))" } + [last]
    return ["", title] + zip(names, steps.amounts).map { Picture.row($0, $1, of: whole) }
  }

  private func picture(_ title: String, _ tally: Tally, nameless: String) -> [String] {
    let (first, others) = tally.largest(8)
    let whole = first.reduce(others.entries) { $0 + $1.amount.entries }
    if whole == 0 { return [] }
    var rows = first.map { label, amount in
      Picture.row(label.isEmpty ? nameless : printable(label), amount, of: whole)
    }
    if others.entries > 0 { rows.append(Picture.row("others", others, of: whole)) }
    return ["", title] + rows
  }
}
