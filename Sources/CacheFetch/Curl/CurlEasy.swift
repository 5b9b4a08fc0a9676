internal import CLibCurl
internal import CachePlan

/// One transfer at a time, over and over: an easy handle.
final class CurlEasy {
  let handle: UnsafeMutableRawPointer
  let curl: CurlLibrary
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var hasCredentials = false
  let problem = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
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

  /// Prepares the next request.
  ///
  /// Header lines have been checked: none holds a line end.
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
    try set(CURLOPT_TIMEOUT_MS, max(1, Int(deadline / .milliseconds(1))))
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
    try check(cachectl_curl_set_write(curl.call, handle, CURLOPT_WRITEFUNCTION, CurlCallback.body))
    try check(cachectl_curl_set_pointer(curl.call, handle, CURLOPT_WRITEDATA, me))
    try check(
      cachectl_curl_set_write(curl.call, handle, CURLOPT_HEADERFUNCTION, CurlCallback.header))
    try check(cachectl_curl_set_pointer(curl.call, handle, CURLOPT_HEADERDATA, me))
    try check(cachectl_curl_set_open_socket(curl.call, handle, CurlCallback.open))
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
