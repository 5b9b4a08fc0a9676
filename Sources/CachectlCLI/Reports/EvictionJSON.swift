internal import CacheModel

extension EvictionReport {
  /// The members of `cachectl.gc/1` that follow the victims.
  func write(to json: inout JSONText) {
    json.member("status", verdict.status)
    json.array("statuses") { json in verdict.all.forEach { json.value($0) } }
    json.member("met", isMet)
    json.object("before") { $0.members(of: before.usage) }
    json.object("after") { $0.members(of: after.usage) }
    json.member("measure", budget.measure.rawValue)
    json.array("limits") { json in lines.forEach { $0.write(to: &json) } }
    json.object("evicted") { json in
      json.member("entries", outcome.removed.entries)
      json.member("bytes", Int64(clamping: outcome.removed.bytes))
      json.member("freed_bytes", Int64(clamping: outcome.freedBytes))
      json.member("freed_inodes", outcome.freedInodes)
      json.member("gone_already", outcome.gone.entries)
      json.member("spared", outcome.spared)
      json.member("younger_than_a_day", youngVictims)
    }
    json.object("kept") { json in
      json.member("oldest_last_use", oldestKept)
      json.name("retention")
      if let oldestKept {
        json.value(max(0, now.since(oldestKept).wholeMilliseconds / 1000))
      } else {
        json.null()
      }
    }
    json.object("stats") { json in
      json.member("records", before.records)
      json.member("stated", before.stated + looked)
      json.member("listed_shards", before.listed.count)
      json.member("compacted_bytes", compactedBytes)
    }
    json.member("strays", after.strays)
    json.member("missing", before.missing)
    json.member("mismatched", before.mismatched)
    json.member("foreign", before.foreign)
    json.member("future", before.future)
    json.member("leftovers", leftovers)
    json.member("leftover_bytes", leftoverBytes)
    json.member("regretted", after.regretted)
    json.member("damaged_lines", before.damagedLines)
    json.array("problems") { json in before.problems.forEach { $0.write(to: &json) } }
    json.array("skipped") { json in outcome.skips.forEach { $0.write(to: &json) } }
    json.array("failures") { json in outcome.failures.forEach { $0.write(to: &json) } }
  }
}

extension JSONText {
  /// The members of an amount of entries.
  mutating func members(of usage: Usage) {
    member("entries", usage.entries)
    member("bytes", Int64(clamping: usage.bytes))
    member("disk_bytes", Int64(clamping: usage.allocated))
    member("cost", Int64(clamping: usage.cost))
  }
}

extension EvictionReport.Line {
  fileprivate func write(to json: inout JSONText) {
    json.beginObject()
    json.member("name", limit.rawValue)
    json.member("limit", most)
    json.member("before", before)
    json.member("after", after)
    json.member("met", isMet)
    json.member("why", why)
    json.endObject()
  }
}

extension Census.Problem {
  /// One problem as an object.
  func write(to json: inout JSONText) {
    json.beginObject()
    json.member("kind", kind.rawValue)
    json.member("path", path)
    json.member("detail", detail)
    json.endObject()
  }
}

extension EvictionOutcome.Failure {
  fileprivate func write(to json: inout JSONText) {
    json.beginObject()
    json.member("name", "\(name)")
    json.member("reason", reason)
    json.endObject()
  }
}
