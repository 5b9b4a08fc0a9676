internal import CacheFetch
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
        if let stop = UnsafeRawPointer(bitPattern: Signals.stop.load(ordering: .relaxed)) {
          Unmanaged<FetchStop>.fromOpaque(stop).takeUnretainedValue().request()
        }
      }
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &action, nil)
    }
  }

  /// A run over the network to be ended, which waits for nothing but its descriptors; never let go of.
  private static let stop = Atomic<UInt>(0)

  /// Catches signals as ``catchAll()`` does, and has each end a run over the network.
  static func catchAll(ending run: FetchStop) {
    stop.store(UInt(bitPattern: Unmanaged.passRetained(run).toOpaque()), ordering: .relaxed)
    catchAll()
  }

  /// The signal that came, if one did.
  static var caught: Int32? {
    let number = received.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }
}
