internal import CacheModel
internal import Glibc
internal import Synchronization

/// One line on standard error that says how far a run is: items, bytes, rate, time left.
///
/// It is drawn over itself at most ten times a second, and only where it is wanted: on a terminal by
/// default, never in a log.
final class Progress: Sendable {
  private let noun: String
  private let total: (items: Int64, bytes: Int64)?
  private let state: Mutex<State>
  private let start = ContinuousClock.now

  private struct State {
    var items: Int64 = 0
    var bytes: Int64 = 0
    var drawn: ContinuousClock.Instant?
  }

  /// Nil where no progress is wanted.
  init?(_ moment: Moment, quiet: Bool, noun: String, total: (items: Int64, bytes: Int64)? = nil) {
    switch moment {
    case .never: return nil
    case .auto where quiet || isatty(STDERR_FILENO) == 0: return nil
    case .auto, .always: break
    }
    self.noun = noun
    self.total = total
    state = Mutex(State())
  }

  /// Counts what was done since the last time.
  func add(items: Int64, bytes: Int64) {
    let now = ContinuousClock.now
    let line: String? = state.withLock { state in
      state.items += items
      state.bytes += bytes
      if let drawn = state.drawn, now - drawn < .milliseconds(100) { return nil }
      state.drawn = now
      return text(state, after: now - start)
    }
    if let line { draw(line) }
  }

  /// Takes the line away.
  func end() {
    if state.withLock({ $0.drawn != nil }) { draw("") }
  }

  private func text(_ state: State, after time: Duration) -> String {
    let seconds = max(time / .seconds(1), 0.001)
    var parts = ["\(noun) \(state.items)"]
    if let total { parts[0] += " of \(total.items)" }
    parts.append("\(ByteCount(max(0, state.bytes)))")
    parts.append("\(Int64(Double(state.items) / seconds))/s")
    if let total, state.items > 0, total.items > state.items {
      let left = seconds * Double(total.items - state.items) / Double(state.items)
      parts.append("\(Duration.seconds(Int64(left)).words) left")
    }
    return parts.joined(separator: ", ")
  }

  private func draw(_ line: String) {
    let bytes = Array("\r\u{1b}[K\(line)".utf8)
    // Progress is a courtesy.
    _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

extension Duration {
  /// The two largest units: `6d 4h`, `1m 30s`, `0s`.
  var words: String {
    let seconds = wholeMilliseconds / 1000
    let units: [(name: String, seconds: Int64)] = [
      ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1),
    ]
    guard let first = units.firstIndex(where: { seconds >= $0.seconds }) else { return "0s" }
    let whole = "\(seconds / units[first].seconds)\(units[first].name)"
    guard first + 1 < units.count else { return whole }
    let rest = seconds % units[first].seconds / units[first + 1].seconds
    return rest == 0 ? whole : "\(whole) \(rest)\(units[first + 1].name)"
  }
}
