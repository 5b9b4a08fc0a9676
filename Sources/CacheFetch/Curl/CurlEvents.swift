internal import CLibCurl
internal import CachePlan
internal import Glibc

/// What libcurl tells about a transfer.
///
/// The bytes are gone after the call.
protocol CurlEvents: AnyObject {
  /// A line of the header; false ends the transfer.
  func take(headerLine: UnsafeRawBufferPointer) -> Bool
  /// A piece of the body; false ends the transfer.
  func take(body: UnsafeRawBufferPointer) -> Bool
  /// Whether a connection to the address may be opened.
  func permit(_ address: HTTPAddress) -> Bool
}

extension CurlEasy {
  /// The object behind a handle of libcurl's.
  static func owner(of handle: UnsafeMutableRawPointer?, _ curl: CurlLibrary) -> CurlEasy? {
    var data: UnsafeMutableRawPointer?
    guard let handle else { return nil }
    cachectl_curl_get_private(curl.call, handle, &data)
    return easy(data)
  }
}

private func easy(_ data: UnsafeMutableRawPointer?) -> CurlEasy? {
  data.map { Unmanaged<CurlEasy>.fromOpaque($0).takeUnretainedValue() }
}

/// The functions that libcurl calls, each with the handle's object.
enum CurlCallback {
  // A number other than the one given ends the transfer.
  private static let refusal = Int(CURL_WRITEFUNC_ERROR)

  static let body: curl_write_callback = { bytes, size, count, data in
    let body = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return easy(data)?.events.take(body: body) == true ? body.count : refusal
  }

  static let header: curl_write_callback = { bytes, size, count, data in
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return easy(data)?.events.take(headerLine: line) == true ? line.count : refusal
  }

  /// The name is resolved and the connection not yet opened: the one moment to look at an address that
  /// no second resolution can change.
  static let open: curl_opensocket_callback = { data, _, wanted in
    guard let wanted, let address = peer(wanted), easy(data)?.events.permit(address) == true else {
      return CURL_SOCKET_BAD
    }
    let type = wanted.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
    return socket(wanted.pointee.family, type, wanted.pointee.protocol)
  }

  private static func peer(_ wanted: UnsafeMutablePointer<curl_sockaddr>) -> HTTPAddress? {
    guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return nil }
    let address = UnsafeMutableRawPointer(wanted) + offset
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
}
