/// Who wants things fetched: gives requests when there is room for them, and takes what comes.
///
/// All calls come on the thread that runs the fetcher, one at a time.
public protocol FetchClient: AnyObject {
  /// The next request; nil: there is none, and none will come but by the ``bell``. Called only when
  /// there is room, so that a million requests need never exist at once.
  func nextRequest() -> FetchRequest?

  /// Tells of requests that come while the run goes on; nil: none do. A run with a bell heeds no stop:
  /// its client puts the bell away.
  var bell: FetchBell? { get }

  /// Where the body of a 200 goes; nil: it is not wanted, and the request ends as `refused`.
  ///
  /// Called once an attempt. Each sink given is either discarded, or the request's outcome is
  /// `answered` and the sink holds the whole body.
  func sink(for request: FetchRequest, head: FetchHead) -> (any FetchSink)?

  /// The end of a request; each one ends exactly once.
  func finished(_ request: FetchRequest, _ outcome: FetchOutcome)

  /// Everything that came in together has been handed over, and the run is about to wait: a good
  /// moment to write down what was learnt.
  func willWait()
}

extension FetchClient {
  /// No bell.
  public var bell: FetchBell? { nil }
}

/// Takes a body as it arrives.
public protocol FetchSink: AnyObject {
  /// Takes the next bytes, which are gone after the call; false: no more are wanted, the attempt ends
  /// as `refused`.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool

  /// The attempt failed: what was taken is worth nothing.
  func discard()
}
