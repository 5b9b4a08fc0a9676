internal import CacheFetch
internal import CacheModel
internal import CachePlan
internal import CacheStore

/// Judges the head of a body, and takes the body where that may be an image.
struct BodyIntake {
  /// Where the body goes; nil: it is not wanted.
  let sink: ImageSink?
  private let headRefusal: ImageRefusal?

  /// Judges a head.
  ///
  /// With `keepsAll` a body is taken that must not be stored: whoever asked for it still gets it.
  init(
    _ question: OriginQuestion, _ head: FetchHead, _ rules: FreshnessRules, in store: Store,
    keepsAll: Bool
  ) {
    let now = Instant.now
    let metadata = rules.metadata(
      of: FreshnessResponse(fields: head.fields, asked: now, received: now))
    if !DeclaredType.mayBeImage(metadata.type) {
      (sink, headRefusal) = (nil, .type(metadata.type ?? ""))
    } else if !metadata.terms.isStorable, !keepsAll {
      (sink, headRefusal) = (nil, .noStore)
    } else {
      (sink, headRefusal) = (ImageSink(store, StoreRequest(key: question.key)), nil)
    }
  }

  /// Why the body was not taken; nil: it was.
  var refusal: ImageRefusal? { headRefusal ?? sink?.refusal }

  /// The image, when all of it has come.
  func finish() throws(ImageRefusal) -> Put {
    guard let sink else { throw headRefusal ?? .empty }
    return try sink.finish()
  }
}
