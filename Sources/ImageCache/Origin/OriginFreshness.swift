public import CacheModel
public import CachePlan
internal import CacheStore

extension OriginRecord {
  /// The part that HTTP decides.
  ///
  /// An entry whose origin set no time is fresh until it was checked: not at all.
  public var freshness: FreshnessMetadata {
    var metadata = FreshnessMetadata(
      etag: etag, lastModified: lastModified, type: type, checked: checked,
      freshUntil: freshUntil ?? checked, vary: varyNames)
    if let terms { metadata.take(directives: terms) }
    return metadata
  }

  private var varyNames: [String] {
    (vary ?? "").split(separator: "\n").map { line in
      String(line.prefix { $0 != ":" }).asciiLowercased
    }
  }

  /// The record after an answer that left the image as it was.
  ///
  /// - Parameters:
  ///   - metadata: what the answer made of the record's.
  ///   - question: what was asked.
  ///   - url: the URL that answered.
  /// - Returns: the record to write.
  func updated(
    by metadata: FreshnessMetadata, to question: OriginQuestion, from url: HTTPURL
  ) -> OriginRecord {
    var record = self
    record.etag = metadata.etag
    record.lastModified = metadata.lastModified
    record.checked = metadata.checked
    record.freshUntil = metadata.freshUntil
    record.terms = metadata.directives
    record.vary = question.varyLines(metadata.vary)
    record.url = question.recordedURL(url)
    return record
  }
}

extension StoreRequest {
  /// Takes in what an answer says of its image, but for the type, which the bytes have told.
  mutating func take(
    _ metadata: FreshnessMetadata, _ question: OriginQuestion, from url: HTTPURL,
    replacing entry: AskableEntry?
  ) {
    self.url = question.recordedURL(url)
    etag = metadata.etag
    lastModified = metadata.lastModified
    vary = question.varyLines(metadata.vary)
    freshUntil = metadata.freshUntil
    terms = metadata.directives
    guard let entry else { return }
    // A measure that is not the length is the writer's own, and outlives the bytes.
    cost = entry.cost.cost == entry.cost.bytes ? nil : entry.cost.cost
    others = entry.origin.others
  }
}
