internal import CacheModel
internal import CacheStore
internal import Synchronization

/// What all copies of an image cache share above the disk.
final class ImageTiers: Sendable {
  let memory: MemoryCache<CacheKey, KeptImage>
  let flights = Flights()
  let changes = EntryChanges()
  /// Looks at the disk wait for it; as many at once as one disk can work on.
  let errands = Errands(most: 16)
  /// The keys of the run that asks origins just now.
  let feed = Mutex<KeyFeed?>(nil)

  let keeper: BudgetKeeper
  private let pressure = Mutex<Pressure>(.unwatched)

  private enum Pressure {
    case unheeded
    case unwatched
    case watched(MemoryPressure?)
  }

  init(_ store: Store, _ limits: MemoryLimits, _ rule: ImageCache.UnderPressure) {
    memory = MemoryCache(limits)
    if rule == .keepImages { pressure.withLock { $0 = .unheeded } }
    keeper = BudgetKeeper(store, errands)
  }

  /// The entry was changed by this process, or is gone: what memory holds of it is no more.
  func forget(_ key: CacheKey) { changes.note(key) { memory.remove(key) } }

  /// Keeps an image in memory, until the system runs short of that; not where its entry was changed since
  /// it was wanted.
  func keep(_ image: KeptImage, for wanted: WantedKey) {
    changes.unlessChanged(since: wanted) {
      memory.insert(image, for: wanted.key, cost: Int64(image.bytes.count))
    }
    pressure.withLock { pressure in
      // Only now: whoever keeps nothing in memory needs no thread for this.
      guard case .unwatched = pressure else { return }
      pressure = .watched(MemoryPressure { [weak memory] in memory?.removeAll(.pressure) })
    }
  }
}
