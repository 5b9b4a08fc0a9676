public import CachePlan

/// How requests are made: who asks, through what, and what is let through.
public struct FetchSettings: Sendable {
  /// What stands between us and the origins.
  public enum Proxy: Sendable, Hashable {
    /// Nothing, whatever the environment says.
    case none
    /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
    case environment
    /// This proxy, for every host.
    case url(String)
  }

  /// The User-Agent, with whatever contact belongs to it.
  public var userAgent: String
  /// The proxy.
  ///
  /// Behind one the origin's address is the proxy's business: only hosts written as addresses are
  /// checked then.
  public var proxy = Proxy.none
  /// A file of certificates, PEM, trusted instead of the system's; nil: the system's.
  public var certificates: String?
  /// The addresses that may be connected to.
  public var addresses = HTTPAddressRules()
  /// The bounds on each request and on all of them.
  public var limits = FetchLimits()
  /// When a failed request is repeated.
  public var retry = HTTPRetry()
  /// When a host is left alone.
  public var hosts = HTTPHostRules()

  /// The defaults under a name of our own: many origins refuse clients that give none.
  public init(userAgent: String) { self.userAgent = userAgent }
}

/// The bounds on each request and on all of them.
public struct FetchLimits: Sendable, Hashable {
  /// Requests under way at once.
  public var parallel = 50
  /// Of them to one origin.
  public var perHost = 6
  /// Requests started in a second, redirects and repetitions included; nil: no limit.
  public var perSecond: Double?
  /// Requests taken from the caller ahead of their turn, to find work for hosts that are free.
  public var lookAhead = 1024
  /// The time to a connection, TLS included.
  public var connect = Duration.seconds(10)
  /// The time for one attempt: from asking to the last byte, redirects included.
  public var deadline = Duration.seconds(120)
  /// Bytes in a second below which a transfer is given up.
  public var leastSpeed = 500
  /// How long it may stay below; whole seconds.
  public var leastSpeedFor = Duration.seconds(20)
  /// Bytes of response header, all interim responses included.
  public var headerBytes = 65_536
  /// Lines of response header.
  public var headerLines = 256
  /// Bytes of a body.
  public var bodyBytes: Int64 = 256 << 20

  /// The limits of a polite client.
  public init() {}
}
