internal import CacheFetch
internal import CacheModel
internal import CacheStore
internal import ImageCache

/// Gets damaged images anew, some thousand together: as `verify` finds them, and in the end.
///
/// The store hands over one batch of findings at a time, from whichever thread is done.
final class VerifyRefetch: @unchecked Sendable {
  private let refetch: Refetch
  private let stop: FetchStop
  private var waiting: [EntryName] = []
  private var tally = RepairTally()

  /// Names that may wait: two mebibytes, however much is damaged.
  private static let most = 1 << 16

  init(_ store: Store, _ settings: FetchSettings, _ stop: FetchStop) {
    refetch = Refetch(store, settings)
    self.stop = stop
  }

  /// Takes what is damaged of what was found.
  func note(_ findings: [Finding]) {
    waiting += findings.filter(\.isOfObject).compactMap(\.name)
    if waiting.count >= Self.most { run() }
  }

  /// Gets what still waits, and says what came of all.
  func finish() -> RepairTally {
    if !waiting.isEmpty { run() }
    return tally
  }

  private func run() {
    do throws(FetchFailure) {
      let outcomes = try refetch.run(waiting, until: stop)
      for name in waiting { count(outcomes[name] ?? .failed("stopped"), of: name) }
    } catch {
      for name in waiting { count(.failed("\(error)"), of: name) }
    }
    waiting.removeAll()
  }

  private func count(_ outcome: Refetch.Outcome, of name: EntryName) {
    switch outcome {
    case .replaced(_, let isAsRecorded):
      tally.refetched += 1
      if isAsRecorded { tally.restored += 1 }
    case .superseded: tally.spared += 1
    case .failed(let reason): tally.fail("cannot fetch \(name) again: \(reason)")
    }
  }
}

extension Finding {
  /// Whether an object is not what it should be.
  fileprivate var isOfObject: Bool { kind.isFailure && kind != .damagedLine }
}
