public import CachePlan

/// What a revalidation came to.
public struct RevalidationResult: Sendable {
  /// The numbers of a run, or of one host in it.
  public struct Counts: Sendable, Equatable {
    /// Entries that were asked about.
    public var asked: Int64 = 0
    /// Confirmed by a 304.
    public var notModified: Int64 = 0
    /// Confirmed by a 200 with the same bytes.
    public var unchanged: Int64 = 0
    /// Replaced by other bytes.
    public var replaced: Int64 = 0
    /// Of which the origin says that there is no such image.
    public var gone: Int64 = 0
    /// Asked without an answer that may be used.
    public var failed: Int64 = 0
    /// Replaced or removed by somebody else meanwhile.
    public var superseded: Int64 = 0

    /// Nothing yet.
    public init() {}
  }

  /// One origin's part.
  public struct Host: Sendable {
    /// The numbers.
    public var counts = Counts()
    /// Why it was left alone; nil: it was not.
    public var verdict: HTTPHostVerdict?
  }

  /// What went wrong with one entry, or with the cache.
  public struct Failure: Sendable {
    /// The entry's key; nil where it is no entry's fault.
    public var key: String?
    /// The reason.
    public var reason: String
  }

  /// The numbers of all.
  public internal(set) var counts = Counts()
  /// The origins that were asked.
  public internal(set) var hosts: [HTTPOrigin: Host] = [:]
  /// Entries whose images were removed, being gone.
  public internal(set) var removed: Int64 = 0
  /// Entries that would have been asked about and were not: without a URL, of a host that was left
  /// alone, or taken up when the run was stopped.
  public internal(set) var skipped: Int64 = 0
  /// Requests made, redirects and repetitions included, as far as they were answered.
  public internal(set) var requests: Int64 = 0
  /// Bytes of bodies.
  public internal(set) var bytesReceived: Int64 = 0
  /// Whether everything that was to be asked about was.
  public internal(set) var isComplete = true
  /// What went wrong, up to a thousand of them.
  public internal(set) var failures: [Failure] = []
  /// How much went wrong.
  public internal(set) var failureCount: Int64 = 0

  /// Entries whose images stay although their origins did not vouch for them.
  public var kept: Int64 { counts.failed + counts.gone - removed }

  /// The most failures that are listed.
  static let mostFailures = 1000

  mutating func fail(_ key: String?, _ reason: String) {
    failureCount += 1
    if failures.count < Self.mostFailures { failures.append(Failure(key: key, reason: reason)) }
  }

  mutating func count(
    _ host: HTTPOrigin, _ path: WritableKeyPath<Counts, Int64>, by number: Int64 = 1
  ) {
    counts[keyPath: path] += number
    hosts[host, default: Host()].counts[keyPath: path] += number
  }
}
