internal import CLibCurl

extension CurlEasy {
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

  /// libcurl has one code for all three; only its words tell two of them apart.
  private var timeout: FetchFailure.Timeout {
    if time(CURLINFO_PRETRANSFER_TIME_T) == 0 { return .connect }
    return problemText.hasPrefix("Operation too slow") ? .leastSpeed : .deadline
  }

  /// One of libcurl's times in microseconds.
  private func time(_ info: CURLINFO) -> Int {
    var microseconds: curl_off_t = 0
    cachectl_curl_get_offset(curl.call, handle, info, &microseconds)
    return microseconds
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
