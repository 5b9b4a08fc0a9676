extension FreshnessMetadata {
  /// Stated lifetime and terms in Cache-Control's own words, to be kept beside the times; nil where
  /// the origin stated none.
  public var directives: String? {
    var words: [String] = []
    if !terms.isStorable { words.append("no-store") }
    if terms.alwaysAsk { words.append("no-cache") }
    if terms.mustRevalidate { words.append("must-revalidate") }
    if terms.isImmutable { words.append("immutable") }
    let times = [
      ("max-age", lifetime), ("stale-while-revalidate", terms.staleWhileRevalidate),
      ("stale-if-error", terms.staleIfError),
    ]
    for (name, time) in times {
      if let time { words.append("\(name)=\(time.components.seconds)") }
    }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  /// Takes in lifetime and terms as ``directives`` gave them out.
  public mutating func take(directives: String) {
    let control = HTTPCacheControl(directives)
    terms.isStorable = !control.noStore
    terms.alwaysAsk = control.noCache
    terms.mustRevalidate = control.mustRevalidate
    terms.isImmutable = control.isImmutable
    lifetime = control.maxAge.map { .seconds($0) }
    terms.staleWhileRevalidate = control.staleWhileRevalidate.map { .seconds($0) }
    terms.staleIfError = control.staleIfError.map { .seconds($0) }
  }
}
