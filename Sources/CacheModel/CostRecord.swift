/// What cost.jsonl says of one entry: everything that eviction and checking need.
public struct CostRecord: Sendable, Hashable {
  /// The entry.
  public var name: EntryName
  /// The object's length.
  public var bytes: Int64
  /// The writer's own measure of what the entry costs, its length where it gave none; never negative.
  public var cost: Int64
  /// XXH3-128 of the object; nil where a simple writer gave none.
  public var hash: ContentHash?
  /// When the entry was stored.
  public var stored: Instant
  /// The last use known when the line was written: a lower bound of the true one.
  public var used: Instant

  /// Puts a record together.
  public init(
    name: EntryName, bytes: Int64, cost: Int64, hash: ContentHash?, stored: Instant, used: Instant
  ) {
    self.name = name
    self.bytes = bytes
    self.cost = cost
    self.hash = hash
    self.stored = stored
    self.used = used
  }
}
