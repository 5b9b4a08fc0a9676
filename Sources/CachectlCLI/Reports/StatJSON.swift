internal import CacheModel
internal import CacheStore

extension StatReport {
  /// The members of `cachectl.stat/1`.
  func write(to json: inout JSONText) {
    let census = figures.census
    json.object("usage") { $0.members(of: census.usage) }
    json.member("exact", figures.isExact)
    json.member("measure", store.configuration.budget.measure.rawValue)
    json.array("budget") { json in budget.forEach { $0.write(to: &json) } }
    json.object("file_system") { json in
      json.member("bytes", room.totalBytes)
      json.member("free_bytes", room.freeBytes)
      json.member("inodes", room.totalInodes)
      json.member("free_inodes", room.freeInodes)
    }
    json.member("oldest_last_use", figures.oldest)
    json.member("newest_last_use", figures.newest)
    json.array("ages") { figures.ages.write(to: &$0, "seconds") }
    json.array("lengths") { figures.sizes.write(to: &$0, "bytes") }
    json.array("types") { figures.types.write(to: &$0, "type") }
    json.array("hosts") { figures.hosts.write(to: &$0, "host") }
    json.member("records", census.records)
    json.member("strays", census.strays)
    json.member("missing", census.missing)
    json.member("mismatched", census.mismatched)
    json.member("foreign", census.foreign)
    json.member("future", census.future)
    json.member("regretted", census.regretted)
    json.member("leftovers", leftovers.count)
    json.member("leftover_bytes", leftovers.bytes)
    json.member("damaged_lines", census.damagedLines)
    json.array("checks") { json in results.forEach { $0.write(to: &json) } }
    json.array("problems") { json in census.problems.forEach { $0.write(to: &json) } }
  }
}

extension StatReport.BudgetLine {
  fileprivate func write(to json: inout JSONText) {
    json.beginObject()
    json.member("name", name)
    json.member("limit", limit)
    json.member("value", used)
    json.member("met", isMinimum ? used >= limit : used <= limit)
    json.endObject()
  }
}

extension StatCheck.Result {
  fileprivate func write(to json: inout JSONText) {
    json.beginObject()
    json.member("name", name)
    json.member("limit", limit)
    json.member("value", value)
    json.member("met", isMet)
    json.endObject()
  }
}

extension Steps {
  /// An object a step: up to how much, null for the last, and what is in it.
  fileprivate func write(to json: inout JSONText, _ unit: String) {
    for (index, amount) in amounts.enumerated() {
      json.beginObject()
      json.optional("up_to_\(unit)", index < ends.count ? ends[index] : nil)
      json.member("entries", amount.entries)
      json.member("bytes", amount.bytes.bytes)
      json.endObject()
    }
  }
}

extension Tally {
  /// The labels with the most bytes, null for entries without one, and `others` together last.
  fileprivate func write(to json: inout JSONText, _ name: String) {
    let (first, others) = largest(100)
    for (label, amount) in first {
      amount.write(to: &json) { $0.member(name, label.isEmpty ? nil : label) }
    }
    if others.entries > 0 { others.write(to: &json) { $0.member("others", true) } }
  }
}

extension Tally.Amount {
  fileprivate func write(to json: inout JSONText, _ label: (inout JSONText) -> Void) {
    json.beginObject()
    label(&json)
    json.member("entries", entries)
    json.member("bytes", bytes.bytes)
    json.endObject()
  }
}
