import ImageCache

/// What a view of a user's picture shows, and what it does when it appears with another user.
///
/// A view observes ``state``; on Linux there is no framework of views, so that a closure stands for it.
@MainActor
final class ProfileImageModel {
  /// What is shown.
  enum State: Equatable {
    /// A grey circle.
    case placeholder
    /// The picture; `isOld` where it could not be asked whether there is a newer one.
    case picture([UInt8], isOld: Bool)
    /// The user's initials: there is no picture.
    case initials
  }

  private(set) var state = State.placeholder {
    didSet { if state != oldValue { changed(state) } }
  }

  private let cache: ImageCache
  private let changed: (State) -> Void
  private var loading: Task<Void, Never>?

  init(_ cache: ImageCache, changed: @escaping (State) -> Void) {
    self.cache = cache
    self.changed = changed
  }

  /// The view shows this user from now on; what was under way for another shows nothing any more.
  func show(_ url: String) async {
    loading?.cancel()
    state = .placeholder
    let task = Task { await load(url) }
    loading = task
    await task.value
  }

  private func load(_ url: String) async {
    let new: State
    do throws(ImageFailure) {
      let image = try await cache.image(for: url)
      if case .stale = image.source {
        new = .picture(image.bytes, isOld: true)
      } else {
        new = .picture(image.bytes, isOld: false)
      }
    } catch {
      new = .initials
    }
    if !Task.isCancelled { state = new }
  }
}
