internal import CacheModel
public import CacheStore

extension ImageCache {
  /// Stores a value in place of the one with its key.
  ///
  /// - Throws: `StoreError`; the cache then holds what it held. A key that is none, and members with names
  ///   that the record has already, are refused.
  public func store(_ value: some Persistable) throws(StoreError) {
    let stored = value.stored
    var request = StoreRequest(key: try key(value.cacheKey))
    request.type = stored.type
    request.cost = stored.cost
    request.others = stored.members
    try put(stored.bytes, request)
  }

  /// Finds the value of a key, which is a use of it.
  ///
  /// - Parameters:
  ///   - type: what it is.
  ///   - text: its key.
  /// - Returns: the value; nil where there is none, or where what is there is damaged or no such value.
  /// - Throws: `StoreError` for a text that is no key.
  public func find<Value: Persistable>(
    _ type: Value.Type, for text: String
  ) throws(StoreError) -> Value? {
    let key = try key(text)
    // Bytes and record are read one after the other: where a store came in between, once more.
    for _ in 0..<3 {
      guard let entry = store.askable(key.name, needsObject: false),
        let object = store.get(key, touchAt: .now)
      else { return nil }
      guard try object.contentHash() == entry.cost.hash else { continue }
      return Value(
        StoredValue(
          try object.bytes(), type: entry.origin.type, cost: entry.cost.cost,
          members: entry.origin.others))
    }
    return nil
  }

  /// Deletes the value with the key of this one, whether or not this is the one that was stored.
  ///
  /// - Returns: whether there was one.
  /// - Throws: `StoreError` when the kernel refuses; it is then still there.
  @discardableResult
  public func delete(_ value: some Persistable) throws(StoreError) -> Bool {
    try remove(key(value.cacheKey))
  }

  private func key(_ text: String) throws(StoreError) -> CacheKey {
    do throws(CacheKey.Invalid) { return try CacheKey(text) } catch {
      throw StoreError("use as a key", text, .unacceptable("\(error)"))
    }
  }
}
