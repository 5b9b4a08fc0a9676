/// What cachectl.json says of a cache.
public struct Configuration: Sendable, Hashable {
  /// The layout's number.
  public var layout: Int64
  /// What tells this cache from every other: 32 hex digits, drawn when it is made.
  public var identity: String
  /// Who may use the cache.
  public var sharing: Sharing
  /// Whether a store waits until its bytes have reached the disk.
  public var isDurable: Bool
  /// The cache's own policy.
  public var budget: Budget
  /// Whose requests the cache answers: what an origin says to one user's caches, or to many users'.
  public var audience: Audience
  /// Networks of private addresses, such as `10.0.0.0/8`, that origins may lie in.
  public var networks: [String]
  /// Members that this version does not know, kept when the file is rewritten.
  public var others: [OriginRecord.Member]

  /// Puts a configuration together.
  public init(
    layout: Int64 = 1, identity: String = "", sharing: Sharing = .private, isDurable: Bool = false,
    budget: Budget = Budget(), audience: Audience = .one, networks: [String] = [],
    others: [OriginRecord.Member] = []
  ) {
    self.layout = layout
    self.identity = identity
    self.sharing = sharing
    self.isDurable = isDurable
    self.budget = budget
    self.audience = audience
    self.networks = networks
    self.others = others
  }
}
