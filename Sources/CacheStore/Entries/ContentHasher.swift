internal import CFastHash
internal import CLibXXHash
internal import CacheModel

/// XXH3-128 of a stream, for one thread at a time.
final class ContentHasher {
  private let state: OpaquePointer

  init() {
    guard let state = XXH3_createState() else { fatalError("out of memory") }
    self.state = state
    XXH3_128bits_reset(state)
  }

  deinit { XXH3_freeState(state) }

  func reset() { XXH3_128bits_reset(state) }

  func update(_ bytes: UnsafeRawBufferPointer) {
    cachectl_xxh128_update(state, bytes.baseAddress, bytes.count)
  }

  func finish() -> ContentHash { ContentHash(XXH3_128bits_digest(state)) }

  /// The hash of bytes that lie together, which needs no state.
  static func hash(_ bytes: UnsafeRawBufferPointer) -> ContentHash {
    ContentHash(cachectl_xxh128(bytes.baseAddress, bytes.count))
  }
}

extension ContentHash {
  fileprivate init(_ raw: XXH128_hash_t) { self.init(high: raw.high64, low: raw.low64) }
}
