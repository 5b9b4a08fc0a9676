public import CacheModel
internal import CachePlan
internal import CacheStore

extension ImageCache {
  /// The image of a URL: from memory, else from disk, else from its origin.
  ///
  /// A fresh image costs no request, wherever it is. A stale one is asked about with its ETag: unchanged,
  /// it is what is at hand; changed, the new one replaces memory, object and records together. Where the
  /// origin fails a stale image is given out unless its terms forbid it, and says so. All tasks
  /// and processes that want one image at a time share one request.
  ///
  /// What memory holds is given out while it is fresh, whatever another process has done to the cache
  /// since. Each use is one, at most once a minute, for the order of eviction.
  ///
  /// - Parameters:
  ///   - url: the image's URL.
  ///   - variant: tells images of one URL apart, as in `CacheKey`.
  /// - Returns: the image, of as many bytes as the memory tier may hold or more.
  /// - Throws: ``ImageFailure``.
  public func image(
    for url: String, variant: String? = nil
  ) async throws(ImageFailure) -> CachedImage {
    let key: CacheKey
    do throws(CacheKey.Invalid) { key = try CacheKey(url, variant: variant) } catch {
      throw .notAKey("\(error)")
    }
    return try await image(for: key)
  }

  /// The image of a key.
  ///
  /// - Parameter key: what it is asked for by; a key that is no URL is looked for in memory and on disk.
  /// - Returns: the image.
  /// - Throws: ``ImageFailure``.
  public func image(for key: CacheKey) async throws(ImageFailure) -> CachedImage {
    if let image = imageInMemory(key) { return image }
    let wanted = WantedKey(key, in: tiers)
    if let image = imageAtOnce(wanted) { return image }
    let answer = await tiers.flights.answer(wanted) {
      tiers.errands.run { look(for: wanted) }
    }
    return try answer.get()
  }

  /// A fresh image that memory holds.
  func imageInMemory(_ key: CacheKey) -> CachedImage? {
    guard let kept = tiers.memory.value(for: key) else { return nil }
    let now = Instant.now
    guard Freshness(kept.freshness, now: now) == .fresh else { return nil }
    if kept.isUseDue(now) { tiers.errands.run { [store] in store.touch(key, now: now) } }
    return kept.image(key, .memory)
  }

  /// A fresh image on disk of which the kernel has everything in memory: waking a thread to read it takes
  /// longer than reading it.
  private func imageAtOnce(_ wanted: WantedKey) -> CachedImage? {
    let (key, now) = (wanted.key, Instant.now)
    let warm = store.readAtOnce(key, now: now) { entry in
      Freshness(entry.origin.freshness, now: now) == .fresh
    }
    guard let warm else { return nil }
    if warm.isUseDue { tiers.errands.run { [store] in store.touch(key, now: now) } }
    let kept = KeptImage(warm.bytes, warm.entry.origin.freshness, used: now)
    tiers.keep(kept, for: wanted)
    return kept.image(key, .disk)
  }

  /// Looks on disk, and leaves what is not fresh there to whoever asks origins.
  private func look(for wanted: WantedKey) {
    // It may have come between our look at memory and now.
    if let image = imageInMemory(wanted.key) {
      return tiers.flights.land(wanted, .success(image))
    }
    let image = WantedImage(wanted, in: self)
    guard image.isFresh else { return ask(for: wanted) }
    image.use()
    take(ImageAnswer(wanted, .fresh, image.takeObject(), image.freshness))
  }

  /// Gives the answer to memory and to all that wait for it.
  func take(_ answer: borrowing ImageAnswer) {
    tiers.flights.land(answer.wanted, result(answer))
  }

  private func result(_ answer: borrowing ImageAnswer) -> Flights.Answer {
    switch answer.source {
    case .fresh: keep(answer, .disk)
    case .confirmed: keep(answer, .confirmed)
    case .received: keep(answer, .received)
    case .notKept: keep(answer, .notKept)
    case .stale(let reason): keep(answer, .stale(reason))
    case .gone: forget(answer.key)
    case .failed(let reason): stale(answer.key, reason)
    }
  }

  private func forget(_ key: CacheKey) -> Flights.Answer {
    tiers.forget(key)
    return .failure(.gone)
  }

  private func keep(
    _ answer: borrowing ImageAnswer, _ source: CachedImage.Source
  ) -> Flights.Answer {
    guard let freshness = answer.freshness else { return .failure(.failed("it has no record")) }
    let bytes: [UInt8]
    do throws(StoreError) { bytes = try answer.object?.bytes() ?? [] } catch {
      return stale(answer.key, "\(error)")
    }
    let kept = KeptImage(bytes, freshness, used: .now)
    if source == .notKept {
      tiers.forget(answer.key)
    } else {
      tiers.keep(kept, for: answer.wanted)
    }
    return .success(kept.image(answer.key, source))
  }

  /// What memory holds where disk and origin give nothing.
  private func stale(_ key: CacheKey, _ reason: String) -> Flights.Answer {
    guard let kept = tiers.memory.value(for: key),
      Freshness.mayServeOnError(kept.freshness, now: .now)
    else { return .failure(.failed(reason)) }
    return .success(kept.image(key, .stale(reason)))
  }
}
