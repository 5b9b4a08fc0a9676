internal import CacheModel
internal import CachePlan
internal import CacheStore

/// Confirmations that wait to be written down together: a shard is locked once for all of its own.
struct ConfirmationBatch {
  /// A confirmation that was not recorded.
  struct Loss {
    let host: HTTPOrigin
    let path: Path
    let key: String
    let cause: Cause
  }

  /// What it was counted as.
  typealias Path = WritableKeyPath<RevalidationResult.Counts, Int64>

  /// Why.
  enum Cause {
    case superseded
    case failed(String)
  }

  private let store: Store
  private var waiting: [Confirmation] = []
  private var counted: [(host: HTTPOrigin, path: Path)] = []
  private var since: ContinuousClock.Instant?

  /// Some sixteen for each shard, and a mebibyte or two.
  private static let most = 4096
  /// What a killed run has to ask again is what it learnt in this time.
  private static let patience = Duration.seconds(2)

  init(_ store: Store) { self.store = store }

  /// Whether it is time to write.
  var isDue: Bool {
    guard let since else { return false }
    return waiting.count >= Self.most || ContinuousClock.now - since >= Self.patience
  }

  mutating func add(_ confirmation: Confirmation, _ host: HTTPOrigin, _ path: Path) {
    since = since ?? .now
    waiting.append(confirmation)
    counted.append((host, path))
  }

  /// Writes all of them.
  mutating func record() -> [Loss] {
    if waiting.isEmpty { return [] }
    let outcome = store.confirm(waiting)
    defer {
      waiting.removeAll(keepingCapacity: true)
      counted.removeAll(keepingCapacity: true)
      since = nil
    }
    if outcome.superseded.isEmpty, outcome.failures.isEmpty { return [] }
    var causes = Dictionary(
      outcome.failures.map { ($0.name, Cause.failed($0.reason)) }, uniquingKeysWith: { $1 })
    for name in outcome.superseded { causes[name] = .superseded }
    return zip(waiting, counted).compactMap { confirmation, counted in
      causes[confirmation.entry.name].map {
        Loss(
          host: counted.host, path: counted.path, key: confirmation.entry.origin.key.text,
          cause: $0)
      }
    }
  }
}
