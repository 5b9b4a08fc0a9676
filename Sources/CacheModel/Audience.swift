/// Whose requests a cache answers (RFC 9111, 1).
public enum Audience: String, Sendable, Hashable, CaseIterable {
  /// One user's: s-maxage, proxy-revalidate and private mean nothing here.
  case one = "private"
  /// Many users'.
  case shared
}
