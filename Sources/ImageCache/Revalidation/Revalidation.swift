public import CacheFetch
internal import CacheModel
internal import CachePlan
public import CacheStore
internal import Glibc

/// Asks the origins about entries of a cache: what they confirm stays, what they sent anew replaces
/// it, and nothing else changes it.
///
/// Progress is in the manifests themselves: a run that is killed is gone on with by the next. It is
/// no use of any entry: last uses stay as they are.
public struct Revalidation: Sendable {
  private let store: Store
  private let options: RevalidationOptions
  /// Told how many entries ended, and how many bytes came for them.
  public var progress: @Sendable (Int64, Int64) -> Void = { _, _ in }

  /// Prepares a run on a store that is open for writing.
  public init(_ store: Store, _ options: RevalidationOptions) {
    self.store = store
    self.options = options
  }

  /// Asks, until all is asked or soon after `stop`.
  ///
  /// - Throws: `FetchFailure` where no request could be made at all.
  public func run(
    _ settings: FetchSettings, until stop: FetchStop? = nil
  ) throws(FetchFailure) -> RevalidationResult {
    waitOutNow()
    let client = RevalidationClient(store, options, progress)
    let summaries: [FetchHostSummary]
    do { summaries = try Fetcher(settings).run(client, until: stop) } catch {
      client.record()
      throw error
    }
    return client.end(summaries, isStopped: stop?.isRequested == true)
  }

  /// An answer within the millisecond of `now` could not be told from one before the run, and its
  /// entry would be asked about twice, or one that was checked just before not at all.
  private func waitOutNow() {
    while Instant.now == options.now { usleep(100) }
  }

  /// Lists what a run would ask about, the stalest first, and changes nothing.
  public func preview(_ body: (AskableEntry) -> Bool) -> RevalidationResult {
    var entries = StaleEntries(store, options)
    var result = RevalidationResult()
    var left = options.maxRequests ?? .max
    while left > 0, let entry = entries.next() {
      guard options.mayAsk(entry) else { continue }
      guard OriginQuestion(entry.origin.key, entry.origin) != nil else {
        result.skipped += 1
        continue
      }
      left -= 1
      if !body(entry) { break }
    }
    for failure in entries.failures { result.fail(nil, failure) }
    return result
  }
}

extension RevalidationOptions {
  /// What will not change while it is fresh is not asked about, even where all is (RFC 8246).
  func mayAsk(_ entry: AskableEntry) -> Bool {
    let freshness = entry.origin.freshness
    return !freshness.terms.isImmutable || Freshness(freshness, now: now) != .fresh
  }
}
