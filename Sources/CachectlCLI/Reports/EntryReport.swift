internal import CacheModel
internal import CacheStore

/// Everything that is known of one entry.
struct EntryReport {
  let inspection: Inspection
  let place: Place?
  let path: String
  let now: Instant

  /// How the process ends: whether a reader would be given the image.
  var verdict: Verdict {
    if inspection.isServed { return Verdict() }
    return Verdict(inspection.state == .unreadable ? .incomplete : .findings)
  }

  /// The report for people.
  func lines(_ session: Session) -> [String] {
    var rows = identity(session)
    rows += content
    rows += origin(session)
    if let place { rows.append(("place", words(place))) }
    let width = rows.map(\.name.count).max() ?? 0
    return rows.map { $0.name.wide(width + 2) + $0.text }
  }

  private typealias Row = (name: String, text: String)

  private func identity(_ session: Session) -> [Row] {
    let key = inspection.origin.map { printable(session.shown($0.key.text)) } ?? "not recorded"
    let state = inspection.state.rawValue + (inspection.detail.map { ": \($0)" } ?? "")
    return [
      ("key", key), ("name", "\(inspection.name)"), ("path", printable(path)), ("state", state),
    ]
  }

  private var content: [Row] {
    var rows: [Row] = []
    if let bytes = inspection.bytes {
      rows.append(("bytes", "\(bytes), \(inspection.allocated ?? 0) on disk"))
    }
    if let record = inspection.record {
      if record.bytes != inspection.bytes { rows.append(("recorded", "\(record.bytes) bytes")) }
      rows.append(("cost", "\(record.cost)"))
      rows.append(("stored", when(record.stored)))
    }
    if let lastUse = inspection.lastUse { rows.append(("last use", when(lastUse))) }
    if let hash = inspection.hash { rows.append(("xxh128", "\(hash)")) }
    if let recorded = inspection.record?.hash, recorded != inspection.hash {
      rows.append(("recorded xxh128", "\(recorded)"))
    }
    return rows
  }

  private func origin(_ session: Session) -> [Row] {
    guard let origin = inspection.origin else { return [] }
    var rows: [Row] = []
    func add(_ name: String, _ text: String?) {
      if let text { rows.append((name, printable(text))) }
    }
    add("url", origin.url.map(session.shown))
    add("type", origin.type)
    add("etag", origin.etag)
    add("last-modified", origin.lastModified)
    add("vary", origin.vary.map(session.shownFields))
    add("checked", when(origin.checked))
    add("fresh", freshness(origin))
    return rows
  }

  private func freshness(_ origin: OriginRecord) -> String {
    guard let until = origin.freshUntil else { return "the origin set no time" }
    let left = until.since(now)
    return left > .zero
      ? "until \(until), for \(left.words)"
      : "no: stale since \(until), for \(now.since(until).words)"
  }

  private func when(_ instant: Instant) -> String {
    let age = now.since(instant)
    return age < .zero ? "\(instant), in the future" : "\(instant), \(age.words) ago"
  }

  private func words(_ place: Place) -> String {
    let rank = place.before + 1
    return place.isExact
      ? "\(rank) of \(place.entries) in the order of eviction"
      : "about \(rank) of \(place.entries) in the order of eviction (--exact counts)"
  }
}

extension EntryReport {
  /// The members of `cachectl.show/1`.
  func write(to json: inout JSONText, _ session: Session) {
    let origin = inspection.origin
    json.member("name", "\(inspection.name)")
    json.member("key", origin.map { session.shown($0.key.text) })
    json.member("path", path)
    json.member("state", inspection.state.rawValue)
    json.member("detail", inspection.detail)
    json.optional("bytes", inspection.bytes)
    json.optional("disk_bytes", inspection.allocated)
    json.member("xxh128", inspection.hash.map { "\($0)" })
    json.member("last_use", inspection.lastUse)
    json.optional("recorded_bytes", inspection.record?.bytes)
    json.member("recorded_xxh128", inspection.record?.hash.map { "\($0)" })
    json.optional("cost", inspection.record?.cost)
    json.member("stored", inspection.record?.stored)
    json.member("url", origin?.url.map(session.shown))
    json.member("type", origin?.type)
    json.member("etag", origin?.etag)
    json.member("last_modified", origin?.lastModified)
    json.member("vary", origin?.vary.map(session.shownFields))
    json.member("checked", origin?.checked)
    json.member("fresh_until", origin?.freshUntil)
    json.name("fresh")
    if let until = origin?.freshUntil { json.value(until > now) } else { json.null() }
    json.name("place")
    place.write(to: &json)
  }
}

extension Optional where Wrapped == Place {
  fileprivate func write(to json: inout JSONText) {
    guard let place = self else { return json.null() }
    json.beginObject()
    json.member("rank", place.before + 1)
    json.member("entries", place.entries)
    json.member("exact", place.isExact)
    json.endObject()
  }
}

extension JSONText {
  /// A member with a number, or null.
  mutating func optional(_ name: String, _ number: Int64?) {
    if let number { member(name, number) } else { member(name, nil as String?) }
  }
}

extension Session {
  /// Request fields, `name: value` lines, as they may be shown: values can be cookies or credentials.
  func shownFields(_ fields: String) -> String {
    if global.showSecrets { return fields }
    return fields.split(separator: "\n").map { line in
      line.prefix { $0 != ":" } + ": ***"
    }.joined(separator: "\n")
  }
}
