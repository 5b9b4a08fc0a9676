internal import CacheModel
internal import CacheStore

/// The entries to ask about, one after the other, the stalest first.
///
/// However many there are, some thousand records are held.
struct StaleEntries {
  private let store: Store
  private let query: StaleQuery
  private var found: ArraySlice<StaleEntry> = []
  private var cursor: StaleEntry?
  private var isAtEnd = false
  private var loaded: ArraySlice<AskableEntry> = []
  /// Shards whose etag.jsonl should be rewritten.
  private(set) var bloated: [Shard] = []
  /// What could not be read, and why.
  private(set) var failures: [String] = []

  /// Records read together: each shard's manifests are read once for all of them.
  private static let loadedAtOnce = 8192

  init(_ store: Store, _ options: RevalidationOptions) {
    self.store = store
    query = StaleQuery(options)
  }

  mutating func next() -> AskableEntry? {
    while loaded.isEmpty {
      if found.isEmpty, isAtEnd { return nil }
      if found.isEmpty { search() }
      load()
    }
    return loaded.popFirst()
  }

  private mutating func search() {
    let result = store.stalest(query, after: cursor)
    if cursor == nil { bloated = result.bloated }
    failures += cursor == nil ? result.failures : []
    found = result.entries[...]
    cursor = found.last
    isAtEnd = !result.hasMore
  }

  private mutating func load() {
    let names = found.prefix(Self.loadedAtOnce).map(\.name)
    found = found.dropFirst(names.count)
    let (entries, failures) = store.askable(names, query: query)
    self.failures += failures
    loaded = names.compactMap { entries[$0] }[...]
  }
}

extension StaleQuery {
  init(_ options: RevalidationOptions) {
    self.init(now: options.now)
    includesFresh = options.includesFresh
    checkedBefore = options.checkedBefore
    host = options.host
  }
}
