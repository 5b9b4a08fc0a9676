internal import CLibCurl
internal import CachePlan
internal import Glibc

/// What libcurl tells about a transfer. The bytes are gone after the call.
protocol CurlEvents: AnyObject {
  /// A line of the header; false ends the transfer.
  func take(headerLine: UnsafeRawBufferPointer) -> Bool
  /// A piece of the body; false ends the transfer.
  func take(body: UnsafeRawBufferPointer) -> Bool
  /// Whether a connection to the address may be opened.
  func permit(_ address: HTTPAddress) -> Bool
}

/// libcurl's functions, loaded at the first use.
struct CurlLibrary {
  let call: UnsafePointer<cachectl_curl>

  init() throws(FetchFailure) {
    guard let functions = cachectl_curl_load() else {
      throw .library(String(cString: cachectl_curl_load_error()))
    }
    call = functions
  }

  /// The versions of libcurl and what it stands on.
  var version: String { CurlLibrary.text(call.pointee.curl_version()) }

  /// What libcurl says of a code.
  func reason(_ code: CURLcode) -> String {
    CurlLibrary.text(call.pointee.curl_easy_strerror(code))
  }

  static func text(_ text: UnsafePointer<CChar>?) -> String {
    text.map { String(cString: $0) } ?? ""
  }
}

/// One transfer at a time, over and over: an easy handle.
final class CurlEasy {
  let handle: UnsafeMutableRawPointer
  private let curl: CurlLibrary
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var hasCredentials = false
  private var deadline = 0
  private let problem = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  unowned var events: any CurlEvents

  init(_ curl: CurlLibrary, _ settings: FetchSettings, events: any CurlEvents)
    throws(FetchFailure)
  {
    guard let handle = curl.call.pointee.curl_easy_init() else { throw .setting("no memory") }
    self.curl = curl
    self.handle = handle
    self.events = events
    problem.initialize(to: 0)
    try apply(settings)
    try setCallbacks()
  }

  deinit {
    curl.call.pointee.curl_easy_cleanup(handle)
    curl.call.pointee.curl_slist_free_all(headers)
    problem.deallocate()
  }

  /// Prepares the next request. Header lines have been checked: none holds a line end.
  func prepare(
    _ url: HTTPURL, headers lines: [[UInt8]], credentials: (user: [UInt8], password: [UInt8])?,
    withoutBody: Bool, deadline: Duration
  ) throws(FetchFailure) {
    try set(CURLOPT_URL, url.text)
    try replaceHeaders(lines)
    if hasCredentials || credentials != nil {
      try set(CURLOPT_USERNAME, credentials?.user)
      try set(CURLOPT_PASSWORD, credentials?.password)
      hasCredentials = credentials != nil
    }
    try set(withoutBody ? CURLOPT_NOBODY : CURLOPT_HTTPGET, 1)
    self.deadline = max(1, Int(deadline / .milliseconds(1)))
    try set(CURLOPT_TIMEOUT_MS, self.deadline)
    problem.pointee = 0
  }

  private static let always: [(CURLoption, Int)] = [
    (CURLOPT_NOSIGNAL, 1),
    (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS)),
    // Wait for the first connection to say whether it carries many requests, rather than open many.
    (CURLOPT_PIPEWAIT, 1),
    (CURLOPT_FOLLOWLOCATION, 0),
    (CURLOPT_HTTP09_ALLOWED, 0),
    (CURLOPT_HTTP_CONTENT_DECODING, 0),
    (CURLOPT_PATH_AS_IS, 1),
    (CURLOPT_DISALLOW_USERNAME_IN_URL, 1),
    (CURLOPT_HTTPAUTH, 1),  // CURLAUTH_BASIC, a macro that Swift does not see
    (CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue)),
    (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
    (CURLOPT_SSL_VERIFYPEER, 1),
    (CURLOPT_SSL_VERIFYHOST, 2),
    (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
  ]

  private func apply(_ settings: FetchSettings) throws(FetchFailure) {
    for (option, value) in CurlEasy.always { try set(option, value) }
    let limits = settings.limits
    try set(CURLOPT_PROTOCOLS_STR, "http,https")
    try set(CURLOPT_USERAGENT, settings.userAgent)
    try set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(limits.connect / .milliseconds(1))))
    try set(CURLOPT_LOW_SPEED_LIMIT, limits.leastSpeed)
    try set(CURLOPT_LOW_SPEED_TIME, max(1, Int(limits.leastSpeedFor.components.seconds)))
    if let certificates = settings.certificates {
      try set(CURLOPT_CAINFO, certificates)
      // The system's directory of certificates would be trusted beside the bundle.
      try set(CURLOPT_CAPATH, nil as String?)
    }
    switch settings.proxy {
    case .environment: break
    case .none:
      try set(CURLOPT_PROXY, "")
      try set(CURLOPT_NOPROXY, "*")
    case .url(let proxy):
      try set(CURLOPT_PROXY, proxy)
      try set(CURLOPT_NOPROXY, "")
    }
  }

  private func setCallbacks() throws(FetchFailure) {
    let me = Unmanaged.passUnretained(self).toOpaque()
    try check(cachectl_curl_set_write(curl.call, handle, CURLOPT_WRITEFUNCTION, takeBody))
    try check(cachectl_curl_set_pointer(curl.call, handle, CURLOPT_WRITEDATA, me))
    try check(cachectl_curl_set_write(curl.call, handle, CURLOPT_HEADERFUNCTION, takeHeader))
    try check(cachectl_curl_set_pointer(curl.call, handle, CURLOPT_HEADERDATA, me))
    try check(cachectl_curl_set_open_socket(curl.call, handle, openSocket))
    try check(cachectl_curl_set_pointer(curl.call, handle, CURLOPT_OPENSOCKETDATA, me))
    try check(cachectl_curl_set_pointer(curl.call, handle, CURLOPT_PRIVATE, me))
    try check(cachectl_curl_set_pointer(curl.call, handle, CURLOPT_ERRORBUFFER, problem))
  }

  private func replaceHeaders(_ lines: [[UInt8]]) throws(FetchFailure) {
    curl.call.pointee.curl_slist_free_all(headers)
    headers = nil
    for line in lines {
      let longer = (line + [0]).withUnsafeBytes { bytes in
        curl.call.pointee.curl_slist_append(
          headers, bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
      }
      guard let longer else { throw .setting("no memory") }
      headers = longer
    }
    try check(cachectl_curl_set_list(curl.call, handle, CURLOPT_HTTPHEADER, headers))
  }

  private func set(_ option: CURLoption, _ value: Int) throws(FetchFailure) {
    try check(cachectl_curl_set_long(curl.call, handle, option, value))
  }

  private func set(_ option: CURLoption, _ value: String?) throws(FetchFailure) {
    try check(cachectl_curl_set_string(curl.call, handle, option, value))
  }

  private func set(_ option: CURLoption, _ value: [UInt8]?) throws(FetchFailure) {
    let text = value.map { $0.map(CChar.init(bitPattern:)) + [0] }
    try check(cachectl_curl_set_string(curl.call, handle, option, text))
  }

  private func check(_ code: CURLcode) throws(FetchFailure) {
    guard code != CURLE_OK else { return }
    throw .setting(curl.reason(code))
  }
}

extension CurlEasy {
  /// The object behind a handle of libcurl's.
  static func owner(of handle: UnsafeMutableRawPointer?, _ curl: CurlLibrary) -> CurlEasy? {
    var data: UnsafeMutableRawPointer?
    guard let handle else { return nil }
    cachectl_curl_get_private(curl.call, handle, &data)
    return easy(data)
  }

  /// The failure that a transfer's end means; nil: it went through.
  func failure(_ code: CURLcode) -> FetchFailure? {
    switch code {
    case CURLE_OK: nil
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .resolve
    case CURLE_COULDNT_CONNECT: .connect(errno: Int32(truncatingIfNeeded: long(CURLINFO_OS_ERRNO)))
    case CURLE_OPERATION_TIMEDOUT: .timeout(timeout)
    case CURLE_PARTIAL_FILE: .cutOff
    // An answer without a status line is taken for HTTP/0.9, which is not allowed.
    case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL: .malformed("not HTTP")
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS:
      .tls(problemText)
    default: .transport(curl.reason(code))
    }
  }

  /// libcurl has one code for all three.
  private var timeout: FetchFailure.Timeout {
    if time(CURLINFO_TOTAL_TIME_T) >= deadline { return .deadline }
    return time(CURLINFO_PRETRANSFER_TIME_T) == 0 ? .connect : .leastSpeed
  }

  /// One of libcurl's times in milliseconds.
  private func time(_ info: CURLINFO) -> Int {
    var microseconds: curl_off_t = 0
    cachectl_curl_get_offset(curl.call, handle, info, &microseconds)
    return microseconds / 1000
  }

  /// libcurl's words, which may quote the peer: printable ASCII alone.
  private var problemText: String {
    let bytes = UnsafeBufferPointer(start: problem, count: Int(CURL_ERROR_SIZE)).prefix { $0 != 0 }
    return String(
      decoding: bytes.filter { $0 >= 0x20 && $0 < 0x7F }.map { UInt8($0) }, as: UTF8.self)
  }

  private func long(_ info: CURLINFO) -> Int {
    var value = 0
    cachectl_curl_get_long(curl.call, handle, info, &value)
    return value
  }
}

private func easy(_ data: UnsafeMutableRawPointer?) -> CurlEasy? {
  data.map { Unmanaged<CurlEasy>.fromOpaque($0).takeUnretainedValue() }
}

// A number other than the one given ends the transfer.
private let refusal = Int(CURL_WRITEFUNC_ERROR)

private let takeBody: curl_write_callback = { bytes, size, count, data in
  let body = UnsafeRawBufferPointer(start: bytes, count: size * count)
  return easy(data)?.events.take(body: body) == true ? body.count : refusal
}

private let takeHeader: curl_write_callback = { bytes, size, count, data in
  let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
  return easy(data)?.events.take(headerLine: line) == true ? line.count : refusal
}

/// The name is resolved and the connection not yet opened: the one moment to look at an address that
/// no second resolution can change.
private let openSocket: curl_opensocket_callback = { data, _, wanted in
  guard let wanted, let address = peer(wanted), easy(data)?.events.permit(address) == true else {
    return CURL_SOCKET_BAD
  }
  let type = wanted.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
  return socket(wanted.pointee.family, type, wanted.pointee.protocol)
}

private func peer(_ wanted: UnsafeMutablePointer<curl_sockaddr>) -> HTTPAddress? {
  let address =
    UnsafeMutableRawPointer(wanted)
    + (MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0)
  switch wanted.pointee.family {
  case AF_INET:
    let v4 = address.loadUnaligned(as: sockaddr_in.self)
    return .v4(UInt32(bigEndian: v4.sin_addr.s_addr))
  case AF_INET6:
    var v6 = address.loadUnaligned(as: sockaddr_in6.self)
    return withUnsafeBytes(of: &v6.sin6_addr) { HTTPAddress(v6: $0) }
  default: return nil
  }
}
