internal import CacheFetch
internal import CacheModel
internal import CacheStore

/// Takes an image on its way into the cache.
///
/// Nothing is written before its first bytes have shown that it is one.
final class ImageSink: FetchSink {
  private let store: Store
  private let request: StoreRequest
  private var check = ImageCheck()
  private var front: [UInt8] = []
  private var put: Put?
  /// Why no more was taken.
  private(set) var refusal: ImageRefusal?

  init(_ store: Store, _ request: StoreRequest) {
    self.store = store
    self.request = request
  }

  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    check.take(bytes)
    if check.isHopeless { return refuse(.notAnImage) }
    guard check.kind != nil else {
      front.append(contentsOf: bytes)
      return true
    }
    return write(bytes)
  }

  func discard() {
    put = nil
    front = []
  }

  /// The image, when all of it has come.
  func finish() throws(ImageRefusal) -> Put {
    defer { discard() }
    if let refusal { throw refusal }
    let kind: ImageKind
    switch check.verdict() {
    case .empty: throw .empty
    case .notAnImage: throw .notAnImage
    case .image(_, .cutOff): throw .cutOff
    case .image(let told, _): kind = told
    }
    // What is as short as its first bytes has not been written yet.
    if !write(UnsafeRawBufferPointer(start: nil, count: 0)), let refusal { throw refusal }
    guard var put = put.take() else { throw .empty }
    // What the bytes show, whatever was declared.
    put.setType(kind.mimeType)
    return put
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    do throws(StoreError) {
      if put == nil {
        put = try store.beginPut(request)
        try put?.write(front)
        front = []
      }
      try put?.write(bytes)
      return true
    } catch {
      return refuse(.store(error))
    }
  }

  private func refuse(_ reason: ImageRefusal) -> Bool {
    refusal = refusal ?? reason
    return false
  }
}
