public import CacheModel

/// An entry: its object joined with its records.
public struct Entry: Sendable, Hashable {
  /// The entry's name.
  public var name: EntryName
  /// The object's length.
  public var bytes: Int64
  /// The writer's measure; a stray's length.
  public var cost: Int64
  /// The last use: the truth where ``isExact``, else no later than the truth.
  public var lastUse: Instant
  /// Whether the object has been looked at.
  public var isExact: Bool
  /// When the entry was stored; nil for a stray.
  public var stored: Instant?
  /// The recorded hash of the content.
  public var hash: ContentHash?
  /// Key and validators, where they were asked for and are recorded.
  public var origin: OriginRecord?

  /// Whether the object has no record in cost.jsonl.
  public var isStray: Bool { stored == nil }

  init(_ candidate: Candidate, _ record: CostRecord?) {
    name = candidate.name
    bytes = candidate.bytes
    cost = candidate.cost
    lastUse = candidate.lastUse
    isExact = candidate.isExact
    stored = record?.stored
    hash = record?.hash
  }
}

/// Which entries are wanted.
public struct EntryQuery: Sendable {
  /// These names alone.
  public var names: Set<EntryName>?
  /// Names behind this one.
  public var after: EntryName?
  /// Keys that begin so.
  public var prefix: String?
  /// Keys with this host, in lower case.
  public var host: String?
  /// Media types that are this one, or begin with it where it ends in `/`.
  public var type: String?
  /// Last used before this.
  public var usedBefore: Instant?
  /// Longer than so many bytes.
  public var longerThan: Int64?
  /// What to find out beyond the records of cost.jsonl.
  public var details: Details = []

  /// What an entry can be known by.
  public struct Details: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Wraps bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Each object is looked at: true last use and length; what is gone is left out.
    public static let object = Details(rawValue: 1)
    /// Key, validators and type are read from etag.jsonl.
    public static let origin = Details(rawValue: 2)
  }

  /// Every entry, as cost.jsonl knows it.
  public init() {}

  var asksLabels: Bool { host != nil || type != nil }

  /// Whether an entry may be wanted, as far as bounds tell.
  func admits(_ candidate: Candidate) -> Bool {
    if let after, candidate.name <= after { return false }
    if let names, !names.contains(candidate.name) { return false }
    if let usedBefore, candidate.lastUse >= usedBefore { return false }
    if let longerThan, candidate.bytes <= longerThan { return false }
    return true
  }

  /// Whether an entry is wanted by its host and type.
  func admits(_ labels: ShardLabels, _ name: EntryName) -> Bool {
    if let host, labels.host(of: name) != host { return false }
    guard let type else { return true }
    guard let own = labels.type(of: name) else { return false }
    return type.utf8.last == UInt8(ascii: "/") ? own.utf8.starts(with: type.utf8) : own == type
  }
}
