internal import CachePlan

/// Asks origins, many at once, on the thread that calls `run`.
///
/// Connections are kept from run to run; what was learnt of hosts is not. One fetcher is for one
/// thread at a time.
public final class Fetcher {
  private let settings: FetchSettings
  private let curl: CurlLibrary
  private let multi: CurlMulti
  private var random: any RandomNumberGenerator

  /// Loads libcurl where nobody has yet, and prepares it.
  public init(
    _ settings: FetchSettings,
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) throws(FetchFailure) {
    guard HTTPRequestField(name: "User-Agent", value: settings.userAgent) != nil else {
      throw .setting("a User-Agent is one line without controls")
    }
    self.settings = settings
    self.random = random
    curl = try CurlLibrary()
    multi = try CurlMulti(curl, connections: 2 * max(1, settings.limits.parallel))
  }

  /// The versions of libcurl and of what it stands on.
  public static var libraryVersion: String {
    get throws(FetchFailure) { try CurlLibrary().version }
  }

  /// Makes all of the client's requests and comes back when each has ended, or soon after `stop`.
  ///
  /// After a stop the requests under way end as `stopped`, as do those taken and not yet made.
  public func run(
    _ client: any FetchClient, until stop: FetchStop? = nil
  ) throws(FetchFailure) -> [FetchHostSummary] {
    var run = FetchRun(settings, curl, multi, client, random)
    defer { random = run.random }
    return try run.drive(until: stop)
  }
}
