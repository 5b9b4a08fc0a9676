/// What a scan found, in numbers and, where something is wrong, in words.
public struct Census: Sendable, Equatable {
  /// What the entries amount to, strays included.
  public var usage = Usage()
  /// Live records.
  public var records: Int64 = 0
  /// Objects that were looked at.
  public var stated: Int64 = 0
  /// Parts whose directory had to be listed.
  public var listed: [Shard] = []
  /// Parts whose index is not what the disk holds, or is not known to be.
  public var unsettled: [Shard] = []
  /// Parts whose index is mostly dead lines.
  public var bloated: [Shard] = []
  /// Objects without a record.
  public var strays: Int64 = 0
  /// Records without an object.
  public var missing: Int64 = 0
  /// Objects whose length is not what their record says; known where they were looked at.
  public var mismatched: Int64 = 0
  /// Things in the directories that are no entries.
  public var foreign: Int64 = 0
  /// Manifest lines that could not be read.
  public var damagedLines: Int64 = 0
  /// Entries whose last use lay in the future and counts as now.
  public var future: Int64 = 0
  /// Entries that were stored again within a week after their eviction, as far as the history of
  /// evictions reaches.
  public var regretted: Int64 = 0
  /// What could not be read, or is not as it should be: the first of each.
  public var problems: [Problem] = []
  /// Problems beyond the ones kept.
  public var furtherProblems: Int64 = 0

  /// How many problems are kept in words.
  public static let mostProblems = 1000

  /// Something that a person has to look at.
  public struct Problem: Sendable, Equatable, Hashable {
    /// What kind it is.
    public var kind: Kind
    /// The path below the root, with a line number where a line is meant.
    public var path: String
    /// What is wrong.
    public var detail: String

    /// The kinds.
    public enum Kind: String, Sendable {
      /// A line of a manifest that is no record.
      case damagedLine = "damaged line"
      /// Something that is no entry: never followed, opened or removed.
      case foreign
      /// Nothing is concluded from what cannot be read.
      case unreadable
      /// The index said something else than the disk.
      case mismatch
    }

    /// Puts a problem together.
    public init(_ kind: Kind, _ path: String, _ detail: String) {
      self.kind = kind
      self.path = path
      self.detail = detail
    }
  }

  /// Nothing yet.
  public init() {}

  /// Keeps a problem, up to a limit.
  public mutating func note(_ problem: Problem) {
    if problems.count < Self.mostProblems {
      problems.append(problem)
    } else {
      furtherProblems += 1
    }
  }

  /// Whether something could not be read.
  public var isIncomplete: Bool { problems.contains { $0.kind == .unreadable } }

  /// Takes in what another part of the scan found.
  public mutating func merge(_ other: Census) {
    usage = usage + other.usage
    records += other.records
    stated += other.stated
    listed += other.listed
    bloated += other.bloated
    strays += other.strays
    missing += other.missing
    mismatched += other.mismatched
    foreign += other.foreign
    damagedLines += other.damagedLines
    future += other.future
    regretted += other.regretted
    unsettled += other.unsettled
    furtherProblems += other.furtherProblems
    for problem in other.problems { note(problem) }
  }
}
