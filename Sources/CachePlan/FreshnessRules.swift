public import CacheModel

/// How long a response is fresh (RFC 9111, 4.2).
public struct FreshnessRules: Sendable, Hashable {
  /// Whose requests this cache answers.
  public var audience: Audience
  /// The percentage of the time since Last-Modified that a response without a stated lifetime is
  /// taken to be fresh for (RFC 9111, 4.2.2: "a typical setting of this fraction might be 10%").
  public var heuristicShare: Int
  /// The most that this may come to.
  public var heuristicMost: Duration

  /// A private cache; a tenth of the age, one day at most.
  public init(
    audience: Audience = .one, heuristicShare: Int = 10, heuristicMost: Duration = .seconds(86_400)
  ) {
    self.audience = audience
    self.heuristicShare = heuristicShare
    self.heuristicMost = heuristicMost
  }

  /// What to keep of a 200.
  public func metadata(of response: FreshnessResponse) -> FreshnessMetadata {
    var metadata = FreshnessMetadata(
      etag: response.fields.single("etag"), lastModified: response.fields.single("last-modified"),
      type: response.type, checked: response.received, freshUntil: response.received)
    state(response, in: &metadata)
    return metadata
  }

  /// What to keep after a 304 (RFC 9111, 3.2 and 4.3.4): what it states replaces what was kept,
  /// what it leaves out stays.
  ///
  /// So a 304 without an ETag keeps the stored one and one with another takes it; the body's type
  /// never changes without a body.
  public func metadata(
    _ stored: FreshnessMetadata, confirmedBy response: FreshnessResponse
  ) -> FreshnessMetadata {
    var metadata = stored
    metadata.checked = response.received
    metadata.etag = response.fields.single("etag") ?? stored.etag
    metadata.lastModified = response.fields.single("last-modified") ?? stored.lastModified
    state(response, in: &metadata)
    return metadata
  }

  /// Puts lifetime, terms and vary into the metadata, where the response states them.
  private func state(_ response: FreshnessResponse, in metadata: inout FreshnessMetadata) {
    if let vary = response.fields.list("vary") { metadata.vary = FreshnessRules.names(vary) }
    let control = response.fields.list("cache-control").map(HTTPCacheControl.init)
    if let control { metadata.terms = terms(control) }
    if metadata.vary.contains("*") { metadata.terms.alwaysAsk = true }
    if control != nil || response.fields.has("expires") {
      metadata.lifetime = statedLifetime(control, response)
    }
    let lifetime = metadata.lifetime ?? heuristicLifetime(metadata.lastModified, response)
    let isFreshAtAll = !metadata.terms.alwaysAsk && metadata.terms.isStorable
    metadata.freshUntil =
      isFreshAtAll
      ? response.received.after(by: lifetime - response.age) : response.received
  }

  private func terms(_ control: HTTPCacheControl) -> FreshnessTerms {
    let isShared = audience == .shared
    var terms = FreshnessTerms()
    terms.isStorable = !control.noStore && !(isShared && control.isPrivate)
    terms.alwaysAsk = control.noCache
    terms.mustRevalidate =
      control.mustRevalidate
      || (isShared && (control.proxyRevalidate || control.sharedMaxAge != nil))
    terms.isImmutable = control.isImmutable
    terms.staleWhileRevalidate = control.staleWhileRevalidate.map { .seconds($0) }
    terms.staleIfError = control.staleIfError.map { .seconds($0) }
    return terms
  }

  /// RFC 9111, 4.2.1: s-maxage for shared caches, then max-age, then Expires less Date.
  private func statedLifetime(
    _ control: HTTPCacheControl?, _ response: FreshnessResponse
  ) -> Duration? {
    if audience == .shared, let seconds = control?.sharedMaxAge { return .seconds(seconds) }
    if let seconds = control?.maxAge { return .seconds(seconds) }
    guard response.fields.has("expires") else { return nil }
    // "0", two different dates and anything else that is no date mean the past (RFC 9111, 5.3).
    let expires = response.date(of: "expires") ?? response.date
    return max(.zero, expires.since(response.date))
  }

  private func heuristicLifetime(_ lastModified: String?, _ response: FreshnessResponse) -> Duration
  {
    guard let text = lastModified, let modified = HTTPDate.instant(text, now: response.received)
    else { return .zero }
    let age = response.date.since(modified).wholeMilliseconds
    return min(heuristicMost, .milliseconds(max(0, age) / 100 * Int64(heuristicShare)))
  }

  private static func names(_ list: String) -> [String] {
    list.split(separator: ",").map { item in
      String(decoding: HTTPText.trimmed(Array(item.utf8)).map(HTTPText.lower), as: UTF8.self)
    }.filter { !$0.isEmpty }
  }
}
