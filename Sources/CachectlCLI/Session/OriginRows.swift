internal import CacheFetch
internal import CacheModel
internal import CachePlan
internal import CacheStore
internal import CommandTable

/// How origins are asked, as `revalidate` and `fetch` are told.
struct OriginOptions: Sendable {
  var jobs = 50
  var perHost = 6
  var rate: Int64?
  var timeout = Duration.seconds(10)
  var deadline = Duration.seconds(120)
  var retries = 2
  var networks: [HTTPNetwork] = []
  var certificates: [UInt8]?
  var contact: String?
  var proxy: FetchSettings.Proxy = .none

  /// The rows of commands that do little but ask.
  @RowBuilder<OriginOptions>
  static func rows() -> [Row<OriginOptions>] {
    Option(
      "jobs", short: "j", \.jobs, value: .number("N", in: 1...1000),
      help: "requests at once, in all")
    Option(
      "per-host", \.perHost, value: .number("N", in: 1...1000), help: "requests at once to a host")
    Option(
      "rate", \.rate, value: .number("N", in: 1...1_000_000),
      help: "requests per second at most, redirects and repetitions included")
    Option("timeout", \.timeout, value: .duration(), help: "the time to a connection")
    Option("deadline", \.deadline, value: .duration(), help: "the time to the end of an answer")
    Option(
      "retries", \.retries, value: .number("N", in: 0...100),
      help: "how often a request that failed is made again")
    Option(
      "allow-net", \.networks, each: .network(), help: "connect to this private network as well",
      details:
        "Addresses are checked when they are connected to, for every redirect. Private, loopback, link-local and metadata addresses are refused unless they are allowed here or by the cache's setting `allow-net`."
    )
    Option("contact", \.contact, value: .something("TEXT"), help: "a contact for the User-Agent")
    trust()
  }

  /// The rows of every command that asks origins: whom it trusts on the way to them.
  @RowBuilder<OriginOptions>
  static func trust() -> [Row<OriginOptions>] {
    Option(
      "ca-bundle", \.certificates, value: .path("FILE"),
      help: "trust these certificates (PEM) instead of the system's")
    Option(
      "proxy", \.proxy, value: .proxy(), help: "a proxy, or env for what the environment says",
      details: "Without it there is none, whatever the environment says.")
  }

  /// The same for the fetcher, with what the cache's own policy allows.
  func settings(_ session: Session, for store: Store) throws(Session.Failure) -> FetchSettings {
    var settings = FetchSettings(
      userAgent: "cachectl/\(cachectlVersion)" + (contact.map { " (\($0))" } ?? ""))
    settings.proxy = proxy
    settings.certificates = try session.path(certificates, "--ca-bundle")
    settings.addresses.allowed =
      networks + store.configuration.networks.compactMap(HTTPNetwork.init)
    settings.limits.parallel = jobs
    settings.limits.perHost = perHost
    settings.limits.perSecond = rate.map(Double.init)
    settings.limits.connect = timeout
    settings.limits.deadline = deadline
    settings.retry.times = retries
    return settings
  }
}

extension Value where T == HTTPNetwork {
  /// A network: `10.0.0.0/8`, or one address.
  static func network() -> Value {
    Value("CIDR") { (text: String) throws(ValueError) in
      guard let network = HTTPNetwork(text) else {
        throw ValueError("not a network such as 10.0.0.0/8 or fd00::/8")
      }
      return network
    }
  }
}

extension Value where T == FetchSettings.Proxy {
  /// A proxy's URL, or the word `env`.
  fileprivate static func proxy() -> Value {
    Value("URL|env") { (text: String) throws(ValueError) in
      if text.isEmpty { throw ValueError("empty") }
      return text == "env" ? .environment : .url(text)
    }
  }
}
