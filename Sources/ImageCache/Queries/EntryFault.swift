public import CacheModel
public import CacheStore
internal import Synchronization

/// An entry of which nothing has been read but its name.
///
/// What is asked of it is read when it is first asked, for all entries of its batch at once: the keys
/// alone, or everything. Safe between threads; asking may wait for the disk.
public struct EntryFault: Sendable {
  /// The entry's name.
  public let name: EntryName
  /// Tells another query where to go on behind this entry.
  public let cursor: String
  private let batch: FaultBatch

  init(_ name: EntryName, _ cursor: String, _ batch: FaultBatch) {
    self.name = name
    self.cursor = cursor
    self.batch = batch
  }

  /// What the entry is asked for by; nil where no record tells it.
  public var key: CacheKey? { batch.key(of: name) }

  /// Everything that is known of the entry, its object looked at; nil where it has gone.
  ///
  /// - Throws: `StoreError` where the cache cannot be read.
  public func entry() throws(StoreError) -> Entry? { try batch.entry(of: name) }

  /// Whether everything has been read.
  public var isLoaded: Bool { batch.isLoaded }
}

/// Entries that are read together.
final class FaultBatch: Sendable {
  private struct State {
    var keys: [EntryName: String]?
    var entries: [EntryName: Entry]?
  }

  private let store: Store
  private let names: [EntryName]
  private let state = Mutex(State())

  init(_ names: [EntryName], of store: Store) {
    self.names = names
    self.store = store
  }

  var isLoaded: Bool { state.withLock { $0.entries != nil } }

  func key(of name: EntryName) -> CacheKey? {
    state.withLock { state in
      if let entry = state.entries?[name] { return entry.origin?.key }
      let keys = state.keys ?? store.keys(of: names)
      state.keys = keys
      // A recorded key is one already.
      return keys[name].flatMap { try? CacheKey(recorded: $0) }
    }
  }

  func entry(of name: EntryName) throws(StoreError) -> Entry? {
    let result = state.withLock { state -> Result<Entry?, StoreError> in
      if let entries = state.entries { return .success(entries[name]) }
      do throws(StoreError) {
        let entries = try store.entries(names, now: .now)
        state.entries = entries
        return .success(entries[name])
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
