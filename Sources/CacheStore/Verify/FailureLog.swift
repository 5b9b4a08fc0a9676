internal import CSimdJSON
internal import CacheModel
internal import Glibc

/// What failed when it was last checked: `state/failed.jsonl`, bounded, safe to delete.
///
/// The last line of a name holds, until the name's part of the cache is verified anew.
struct FailureLog {
  private static let file = "failed.jsonl"
  static let path = "state/\(file)"
  /// Beyond this length nothing is appended any more.
  static let longest: Int64 = 8 << 20

  /// What one line says.
  struct Line: Equatable {
    /// An entry, or the first possible name of a shard that failed as a whole.
    var name: EntryName
    var isWholeShard = false
    /// The finding's class; nil where it was found sound.
    var kind: Finding.Kind?
    var at: Int64
  }

  /// The lines that hold, in the order of their names.
  static func read(_ store: Store, _ times: VerifiedTimes) -> [Line] {
    guard let file = try? store.root.open(path, O_RDONLY | O_NONBLOCK) else { return [] }
    let json = JSONReader()
    var lines: [EntryName: Line] = [:]
    _ = try? LineReader().forEachLine(of: file) { raw in
      guard !raw.isTooLong, let line = line(raw.bytes, json) else { return }
      lines[line.name] = line
    }
    return lines.values.filter { $0.kind != nil && $0.at >= times[$0.name.shard, $0.name.unit] }
      .sorted { $0.name < $1.name }
  }

  private static func line(_ bytes: UnsafeRawBufferPointer, _ json: JSONReader) -> Line? {
    guard let members = json.members(of: bytes) else { return nil }
    func text(_ name: StaticString) -> String? {
      members.first { $0.isNamed(name) }?.stringValue
    }
    guard let at = members.first(where: { $0.isNamed("at") })?.integerValue,
      let word = text("class")
    else { return nil }
    let shard = text("shard")
    let digits = shard.map { $0 + String(repeating: "0", count: 62) } ?? text("name") ?? ""
    guard let name = EntryName(digits) else { return nil }
    return Line(
      name: name, isWholeShard: shard != nil, kind: Finding.Kind(rawValue: word), at: at)
  }

  /// The text of lines.
  static func text(_ lines: [Line]) -> [UInt8] {
    var json = JSONText()
    for line in lines {
      json.beginObject()
      json.member(
        line.isWholeShard ? "shard" : "name",
        line.isWholeShard ? "\(line.name.shard)" : "\(line.name)")
      json.member("class", line.kind?.rawValue ?? "sound")
      json.member("at", line.at)
      json.endObject()
      json.endLine()
    }
    return json.bytes
  }

  /// Appends lines; false where there is no more room for them.
  static func append(_ lines: [Line], to store: Store) throws(Errno) -> Bool {
    _ = try store.root.directory(Layout.state, orMake: store.ownership)
    var log = try ManifestFile(path, in: store.root)
    if log.length > longest { return false }
    try log.append(text(lines), of: store)
    return true
  }

  /// Replaces the log by `lines`.
  static func replace(by lines: [Line], in store: Store) throws(Errno) {
    let state = try store.root.directory(Layout.state, orMake: store.ownership)
    var new = try TemporaryFile(in: store)
    try new.file.write(bytes: text(lines))
    try new.rename(to: file, in: state)
  }
}
