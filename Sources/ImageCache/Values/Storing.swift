public import CacheModel
public import CacheStore

extension ImageCache {
  /// Stores an image; it is what is read from now on, in this process at once, in others as soon as they
  /// look at the disk.
  ///
  /// Where the cache grows beyond its policy by it, the least recently used entries go soon, off the
  /// caller's path.
  ///
  /// - Parameters:
  ///   - bytes: the image.
  ///   - request: its key and what else is known of it.
  /// - Returns: the record as it was written.
  /// - Throws: `StoreError`; the cache then holds what it held.
  @discardableResult
  public func put(_ bytes: [UInt8], _ request: StoreRequest) throws(StoreError) -> CostRecord {
    try withRawBytes(of: bytes) { (bytes) throws(StoreError) in try put(bytes, request) }
  }

  /// Stores an image that lies anywhere in memory; else as the other `put`.
  ///
  /// - Parameters:
  ///   - bytes: the image, read during the call alone.
  ///   - request: its key and what else is known of it.
  /// - Returns: the record as it was written.
  /// - Throws: `StoreError`; the cache then holds what it held.
  @discardableResult
  public func put(
    _ bytes: UnsafeRawBufferPointer, _ request: StoreRequest
  ) throws(StoreError) -> CostRecord {
    let record = try store.put(bytes, request, now: .now)
    tiers.forget(request.key)
    tiers.keeper.count(record)
    return record
  }

  /// Opens the image of a key on disk, whether it is fresh or not, which is a use of it; nil where there
  /// is none.
  public func object(for key: CacheKey) -> OpenObject? { store.get(key, touchAt: .now) }

  /// Records a use of a key, at most once a minute; false where there is no such entry.
  @discardableResult
  public func touch(_ key: CacheKey) -> Bool { store.touch(key, now: .now) }
}

/// Gives the bytes of an array to `body`, with the error that it throws.
private func withRawBytes<Result, Failure: Error>(
  of bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
) throws(Failure) -> Result {
  try bytes.withUnsafeBytes { bytes -> Swift.Result<Result, Failure> in
    do throws(Failure) { return .success(try body(bytes)) } catch { return .failure(error) }
  }.get()
}
