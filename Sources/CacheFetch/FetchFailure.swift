public import CachePlan

/// Why a request has no answer that may be used.
///
/// No case holds a URL, so that none can leak one.
public enum FetchFailure: Error, Sendable, Hashable {
  /// libcurl could not be loaded.
  case library(String)
  /// A setting that libcurl does not take.
  case setting(String)
  /// The URL cannot be asked for.
  case url(HTTPURLFault)
  /// A redirect that is not followed.
  case redirect(HTTPRedirectFault)
  /// An address that may not be connected to.
  case address(HTTPAddress)
  /// No address for the host.
  case resolve
  /// No connection.
  case connect(errno: Int32)
  /// No trusted connection.
  case tls(String)
  /// A time ran out.
  case timeout(Timeout)
  /// The body ended early.
  case cutOff
  /// The body is longer than the limit.
  case bodyTooLong
  /// The header is larger than the limits.
  case headerTooLarge
  /// The header breaks HTTP's grammar, or contradicts itself.
  case malformed(String)
  /// A content or transfer coding, though none was asked for.
  case coding(String)
  /// Anything else that breaks HTTP, or the connection.
  case transport(String)
  /// The caller did not want the body.
  case refused
  /// The host is left alone for the rest of the run.
  case hostLeftAlone(host: String, HTTPHostVerdict)
  /// The run was stopped.
  case stopped

  /// The times that may run out.
  public enum Timeout: Sendable, Hashable {
    /// For the connection.
    case connect
    /// For the whole attempt.
    case deadline
    /// The transfer fell below the least speed.
    case leastSpeed
  }

  /// Whether another attempt may end otherwise.
  var isTransient: Bool {
    switch self {
    case .resolve, .connect, .timeout, .cutOff, .transport: true
    default: false
    }
  }

  /// Whether it says something about the host rather than about one of its images or about us.
  var isOfHost: Bool {
    switch self {
    case .resolve, .connect, .timeout, .cutOff, .transport, .tls, .address: true
    default: false
    }
  }
}

extension FetchFailure: CustomStringConvertible {
  /// The failure in words.
  public var description: String {
    switch self {
    case .library(let reason): "cannot load libcurl (Debian package libcurl4): \(reason)"
    case .setting(let reason): "cannot set up HTTP: \(reason)"
    case .url(let fault): fault.description
    case .redirect(let fault): fault.description
    case .address(let address): "address \(address) is not allowed (private or special)"
    case .resolve: "cannot resolve the host's name"
    case .connect(let number): "cannot connect: \(FetchSystem.text(errno: number))"
    case .tls(let reason): "no trusted connection: \(reason)"
    case .timeout(.connect): "no connection in time"
    case .timeout(.deadline): "no whole answer in time"
    case .timeout(.leastSpeed): "slower than the least speed"
    case .cutOff: "body cut off"
    case .bodyTooLong: "body longer than the limit"
    case .headerTooLarge: "response header larger than the limit"
    case .malformed(let what): "malformed response: \(what)"
    case .coding(let coding): "body in a coding that was not asked for: \(coding)"
    case .transport(let reason): "transfer failed: \(reason)"
    case .refused: "body refused"
    case .hostLeftAlone(let host, let verdict): "\(host) is left alone: \(verdict)"
    case .stopped: "stopped"
    }
  }
}
