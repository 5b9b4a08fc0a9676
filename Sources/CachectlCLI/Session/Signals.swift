internal import Glibc
internal import Synchronization

/// The signal that asked the run to end, once one has.
///
/// A run that changes the cache finishes the step in hand, records it and reports.
enum Signals {
  private static let received = Atomic<Int32>(0)

  /// Catches SIGINT, SIGTERM and SIGHUP from now on; a second one of the same kind ends at once.
  static func catchAll() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        Signals.received.store(number, ordering: .relaxed)
      }
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &action, nil)
    }
  }

  /// The signal that came, if one did.
  static var caught: Int32? {
    let number = received.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }
}
