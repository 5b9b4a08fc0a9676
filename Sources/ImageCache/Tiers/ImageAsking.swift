internal import CacheFetch
internal import CacheModel
internal import Synchronization

extension ImageCache {
  /// Gives a key to the run that asks origins, or begins one.
  func ask(for wanted: WantedKey) {
    tiers.feed.withLock { current in
      if current?.add(wanted) == true { return }
      guard let feed = KeyFeed(leaving: { wait(for: $0) }), feed.add(wanted) else {
        return fail(wanted, "the process has too many files open")
      }
      current = feed
      // Without a thread of its own the run still has to happen.
      if !startThread({ run(feed) }) { fail(feed.close(), "there can be no more threads") }
    }
  }

  private func run(_ feed: KeyFeed) {
    // The feed knows the tiers, and they must not know it for ever.
    defer { tiers.feed.withLock { if $0 === feed { $0 = nil } } }
    do throws(FetchFailure) {
      let fetcher = try Fetcher(settings)
      let reading = Reading(self, feed) { take($0) }
      _ = try fetcher.run(reading)
      fail(feed.close(), "the requests have ended")
    } catch {
      fail(feed.close(), "\(error)")
    }
  }

  /// Waits for another process that asks for the same image.
  private func wait(for wanted: WantedKey) {
    tiers.errands.run {
      do throws(FetchFailure) {
        try read(wanted, Fetcher(settings), nil) { take($0) }
      } catch {
        fail(wanted, "\(error)")
      }
    }
  }

  private func fail(_ keys: [WantedKey], _ reason: String) {
    for wanted in keys { fail(wanted, reason) }
  }

  private func fail(_ wanted: WantedKey, _ reason: String) {
    take(ImageAnswer(wanted, .failed(reason)))
  }
}
