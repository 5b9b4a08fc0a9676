internal import CacheModel

extension EvictionReport {
  /// The report for people.
  func text(verbose: Bool) -> [String] {
    var text = [headline] + (lines.isEmpty ? [] : table) + keptLine
    text += findings
    if verbose { text += outcome.skips.map { "skipped \($0.name): \($0.reason)" } }
    // What makes the run incomplete is said to everybody.
    let problems = before.problems.filter { verbose || $0.kind == .unreadable }
    text += problems.map { "\($0.kind.rawValue): \($0.path): \($0.detail)" }
    return text
  }

  private var headline: String {
    let verb = isDryRun ? "would evict" : "evicted"
    let amount = "\(outcome.removed.entries) entries, \(ByteCount(clamped: outcome.removed.bytes))"
    let freed =
      isDryRun
      ? "" : "; \(ByteCount(clamped: outcome.freedBytes)) and \(outcome.freedInodes) inodes freed"
    return "\(verb) \(amount)\(freed)"
  }

  private var table: [String] {
    let rows = lines.map { line in
      [
        line.limit.rawValue, shown(line.before, line.limit), shown(line.after, line.limit),
        shown(line.most, line.limit), line.isMet ? "met" : "not met: \(line.why ?? "")",
      ]
    }
    return aligned([["limit", "before", "after", "allowed", ""]] + rows)
  }

  private func shown(_ amount: Int64, _ limit: Limit) -> String {
    switch limit {
    case .maxBytes, .minFree: "\(ByteCount(max(0, amount)))"
    case .maxAge: Duration.seconds(amount).words
    case .maxCount, .maxCost, .minFreeInodes: String(amount)
    }
  }

  private var keptLine: [String] {
    guard let oldestKept else { return ["kept \(after.usage.entries) entries"] }
    let retention = now.since(oldestKept)
    return [
      "kept \(after.usage.entries) entries; the oldest was last used \(oldestKept), \(retention.words) ago"
    ]
  }

  private var findings: [String] {
    func note(_ count: Int64, _ text: String) -> [String] { count == 0 ? [] : ["\(count) \(text)"] }
    return note(
      youngVictims, "victims were used within the last day: the budget is too small for the traffic"
    )
      + note(after.regretted, "entries were stored again within a week after their eviction")
      + note(outcome.gone.entries, "victims were gone already")
      + note(outcome.spared, "victims were used or replaced meanwhile and stay")
      + note(after.strays, "objects have no record (strays); they count all the same")
      + note(before.missing, "records have no object (missing)")
      + note(before.mismatched, "objects have another length than recorded: run cachectl verify")
      + note(before.foreign, "things are no entries and were left alone")
      + note(before.future, "entries were last used in the future; that counts as now")
      + note(before.damagedLines, "manifest lines could not be read")
      + note(leftovers, "leftovers of dead writers\(isDryRun ? "" : " removed")")
      + outcome.failures.map(\.reason)
      + note(outcome.failureCount - Int64(outcome.failures.count), "further failures")
  }
}

extension ByteCount {
  /// A 128-bit sum, stopping at the ends.
  init(clamped bytes: Int128) { self.init(max(0, Int64(clamping: bytes))) }
}

/// Columns of text, each as wide as its widest cell; the first to the left, the others to the right,
/// the last as it is.
func aligned(_ rows: [[String]]) -> [String] {
  guard let columns = rows.first?.count else { return [] }
  let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
  return rows.map { row in
    var line = ""
    for (index, cell) in row.enumerated() {
      let pad = String(repeating: " ", count: widths[index] - cell.count)
      line += index == columns - 1 ? cell : index == 0 ? cell + pad + "  " : pad + cell + "  "
    }
    return String(line.reversed().drop { $0 == " " }.reversed())
  }
}
