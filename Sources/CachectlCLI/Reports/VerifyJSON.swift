internal import CacheModel
internal import CacheStore

extension VerifyReport {
  /// The members of `cachectl.verify/1` that follow the findings.
  func write(to json: inout JSONText) {
    json.member("status", verdict.status)
    json.array("statuses") { json in verdict.all.forEach { json.value($0) } }
    json.member("complete", isComplete)
    json.object("checked") { json in
      json.member("entries", tally.entries)
      json.member("bytes", tally.bytes)
    }
    json.object("counts") { json in
      json.member("sound", tally.sound)
      for kind in Finding.Kind.allCases { json.member(kind.countName, tally[kind]) }
    }
    json.member("unhashed", tally.unhashed)
    json.member("torn_lines", tally.tornLines)
    json.member("changing", tally.changing)
    json.object("repaired") { json in
      for name in ["quarantined", "deleted", "refetched", "failed"] { json.member(name, 0) }
    }
  }
}

extension Finding.Kind {
  /// The name among the counts.
  fileprivate var countName: String { self == .damagedLine ? "damaged_lines" : rawValue }
}

extension Finding {
  /// The finding as an object.
  func write(to json: inout JSONText) {
    json.beginObject()
    json.member("class", kind.rawValue)
    json.member("name", name.map { "\($0)" })
    json.member("key", key)
    json.member("path", path)
    json.member("detail", detail)
    json.endObject()
  }
}
