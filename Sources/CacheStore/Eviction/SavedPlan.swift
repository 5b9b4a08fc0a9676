internal import CLinux
internal import CSimdJSON
public import CacheModel
internal import Glibc

/// A plan in a file: JSON Lines, the cache's identity first, a victim a line in the order of
/// eviction, and the number of victims last, so that half a plan is none.
public struct SavedPlan: Sendable {
  /// A victim and the limit that chose it.
  public struct Victim: Sendable, Equatable {
    /// The entry as the plan saw it.
    public var candidate: Candidate
    /// The limit.
    public var limit: Limit
  }

  static let schema = "cachectl.plan/1"
}

/// Writes a plan beside `path` and puts it there once it is whole.
public final class PlanWriter {
  private let path: String
  private let file: OpenFile
  private var json = JSONText()
  private var count: Int64 = 0
  private var isFinished = false

  private var draft: String { path + ".part" }

  /// Begins a plan for `store`.
  ///
  /// - Throws: ``StoreError`` where the file cannot be made.
  public init(_ path: String, for store: Store, now: Instant) throws(StoreError) {
    self.path = path
    file = try StoreError.attempt("write", path) { () throws(Errno) in
      OpenFile(
        owning: try Errno.check {
          cachectl_open_path(path + ".part", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        })
    }
    json.beginObject()
    json.member("schema", SavedPlan.schema)
    json.member("cache", store.configuration.identity)
    json.member("layout", Layout.version)
    json.member("made", now)
    json.endObject()
    json.endLine()
  }

  deinit { if !isFinished { Glibc.unlink(draft) } }

  /// Adds a victim.
  ///
  /// - Throws: ``StoreError`` where the disk is full or fails.
  public func add(_ victim: Candidate, _ limit: Limit) throws(StoreError) {
    json.beginObject()
    json.member("name", "\(victim.name)")
    json.member("bytes", victim.bytes)
    json.member("last_use", victim.lastUse.milliseconds)
    json.member("limit", limit.rawValue)
    json.endObject()
    json.endLine()
    count += 1
    if json.bytes.count > 1 << 16 { try flush() }
  }

  /// Ends the plan and puts it in its place.
  ///
  /// - Throws: ``StoreError`` where the disk is full or fails.
  public func finish() throws(StoreError) {
    json.beginObject()
    json.member("victims", count)
    json.endObject()
    json.endLine()
    try flush()
    try StoreError.attempt("write", path) { () throws(Errno) in
      try file.synchronize()
      _ = try Errno.check { Glibc.rename(draft, path) }
    }
    isFinished = true
  }

  private func flush() throws(StoreError) {
    let bytes = json.bytes
    json.drain { _ in }
    try StoreError.attempt("write", path) { () throws(Errno) in try file.write(bytes: bytes) }
  }
}

extension Store {
  /// Reads a saved plan, `size` victims at a time, having checked first that it is whole and of this
  /// cache.
  ///
  /// - Throws: ``StoreError``: not a plan, cut off, of another cache or layout, or a line that is no
  ///   victim; then nothing has been handed out.
  public func forEachVictim(
    ofPlan path: String, size: Int = 32_768, _ body: (ArraySlice<SavedPlan.Victim>) -> Bool
  ) throws(StoreError) {
    let file = try StoreError.attempt("read", path) { () throws(Errno) in
      OpenFile(owning: try Errno.check { cachectl_open_path(path, O_RDONLY | O_CLOEXEC, 0) })
    }
    var check = PlanReader(identity: configuration.identity)
    try read(file, path) {
      check.check($0)
      return check.problem == nil
    }
    if let problem = check.conclusion {
      throw StoreError("apply", path, .unacceptable(problem))
    }
    var batch: [SavedPlan.Victim] = []
    var isGoing = true
    try read(file, path) { line in
      guard isGoing, case .victim(let victim) = check.parse(line) else { return isGoing }
      batch.append(victim)
      if batch.count == size {
        isGoing = body(batch[...])
        batch.removeAll(keepingCapacity: true)
      }
      return isGoing
    }
    if isGoing, !batch.isEmpty { _ = body(batch[...]) }
  }

  private func read(
    _ file: borrowing OpenFile, _ path: String, _ body: (LineReader.Line) -> Bool
  ) throws(StoreError) {
    var isGoing = true
    try StoreError.attempt("read", path) { () throws(Errno) in
      _ = try LineReader().forEachLine(of: file) { line in if isGoing { isGoing = body(line) } }
    }
  }
}

/// Understands the lines of a plan.
private struct PlanReader {
  let identity: String
  private let json = JSONReader()
  private var victims: Int64 = 0
  private var isEnded = false
  private(set) var problem: String?

  init(identity: String) { self.identity = identity }

  enum Line {
    case head(schema: String?, cache: String?, layout: Int64?)
    case victim(SavedPlan.Victim)
    case end(Int64)
    case illegible
  }

  func parse(_ line: LineReader.Line) -> Line {
    guard !line.isTooLong, let members = json.members(of: line.bytes) else { return .illegible }
    func member(_ name: StaticString) -> cachectl_json_member? {
      members.first { $0.isNamed(name) }
    }
    if let schema = member("schema") {
      return .head(
        schema: schema.stringValue, cache: member("cache")?.stringValue,
        layout: member("layout")?.integerValue)
    }
    if let count = member("victims")?.countValue { return .end(count) }
    guard let name = member("name")?.textBytes.flatMap({ EntryName(hexDigits: $0) }),
      let bytes = member("bytes")?.countValue, let lastUse = member("last_use")?.integerValue,
      let limit = member("limit")?.stringValue.flatMap({ Limit(rawValue: $0) })
    else { return .illegible }
    let candidate = Candidate(
      name: name, lastUse: Instant(milliseconds: lastUse), bytes: bytes, allocated: 0, cost: 0,
      traits: .exact)
    return .victim(SavedPlan.Victim(candidate: candidate, limit: limit))
  }

  mutating func check(_ line: LineReader.Line) {
    switch parse(line) {
    case .head(let schema, let cache, let layout):
      if line.number != 1 || schema != SavedPlan.schema {
        problem = "it is no plan of this version"
      }
      if cache != identity { problem = "it is a plan for another cache" }
      if layout != Layout.version { problem = "it is a plan for another layout" }
    case .victim:
      victims += 1
      if line.number == 1 || isEnded { problem = "line \(line.number) is out of place" }
    case .end(let count):
      isEnded = true
      if count != victims { problem = "\(victims) victims are in it, and it should have \(count)" }
    case .illegible:
      problem = line.number == 1 ? "it is no plan" : "line \(line.number) is no victim"
    }
  }

  /// What is wrong with the plan as a whole.
  var conclusion: String? { problem ?? (isEnded ? nil : "it is cut off: make it again") }
}
