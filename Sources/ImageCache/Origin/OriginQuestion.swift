internal import CacheFetch
internal import CacheModel
internal import CachePlan
internal import CacheStore

/// What to ask an origin for an entry, and with what.
struct OriginQuestion {
  let key: CacheKey
  /// What is asked for.
  let url: HTTPURL
  private let text: String
  /// Whether the key is a URL; else the URL is the record's own and stays.
  private let isKeyed: Bool
  /// The request headers that tell the entry's variant.
  let fields: [HTTPRequestField]
  private let record: OriginRecord?

  /// Nil where neither the key nor the record says where to ask.
  init?(_ key: CacheKey, _ record: OriginRecord?) {
    self.key = key
    self.record = record
    if let url = try? HTTPURL(key.url) {
      (isKeyed, text, self.url) = (true, key.url, url)
    } else if let text = record?.url, let url = try? HTTPURL(text) {
      (isKeyed, self.text, self.url) = (false, text, url)
    } else {
      return nil
    }
    fields = OriginQuestion.fields(key, record)
  }

  /// The request; its validator is the record's where `isConditional`.
  func request(tag: UInt64, isConditional: Bool) -> FetchRequest {
    FetchRequest(
      tag: tag, url: text, validator: isConditional ? record?.freshness.validator : nil,
      validatedURL: isKeyed ? record?.url : nil, fields: fields)
  }

  /// Whether a 304 from `answering` may confirm what the record speaks of: only where the condition
  /// was sent.
  func isConfirmed(_ request: FetchRequest, by answering: HTTPURL) -> Bool {
    guard request.validator != nil else { return false }
    guard let validated = request.validatedURL else { return url.isSamePlace(as: answering) }
    return (try? HTTPURL(validated))?.isSamePlace(as: answering) == true
  }

  /// What to record of the URL that answered: nothing where the key says it.
  func recordedURL(_ answering: HTTPURL) -> String? {
    guard isKeyed else { return text }
    return url.isSamePlace(as: answering) ? nil : answering.text
  }

  /// The lines to record for the request headers that an answer depends on, with what was sent.
  func varyLines(_ names: [String]) -> String? {
    if names.isEmpty { return nil }
    return names.map { name in
      let sent = fields.first { $0.name.asciiLowercased == name }
      return sent.map { "\(name): \($0.value)" } ?? name
    }.joined(separator: "\n")
  }

  /// The headers that the stored answer depended on; where none is recorded, those that the variant
  /// names, such as `accept=image/webp`.
  private static func fields(_ key: CacheKey, _ record: OriginRecord?) -> [HTTPRequestField] {
    var fields = lines(record?.vary ?? "", separator: ":")
    for field in lines(key.variant ?? "", separator: "=")
    where !fields.contains(where: { $0.name.asciiLowercased == field.name.asciiLowercased }) {
      fields.append(field)
    }
    return fields
  }

  private static func lines(_ text: String, separator: Character) -> [HTTPRequestField] {
    text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: separator, maxSplits: 1)
      guard parts.count == 2 else { return nil }
      let field = HTTPRequestField(name: String(parts[0]), value: String(parts[1]))
      return field?.value.isEmpty == true ? nil : field
    }
  }
}

extension HTTPURL {
  /// Whether the two are the same but for user and password.
  fileprivate func isSamePlace(as other: HTTPURL) -> Bool {
    target == other.target && origin == other.origin
  }
}
