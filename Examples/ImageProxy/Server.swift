import Glibc

/// As much of an HTTP server as an example needs: one GET a connection.
struct Server {
  let port: UInt16
  private let listener: Int32

  /// The system said no.
  struct Failure: Error { let errno: Int32 }

  init(port: UInt16) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, 128) == 0
          && getsockname(listener, address, &size) == 0
      }
    }
    guard isBound else { throw Failure(errno: errno) }
    self.listener = listener
    self.port = UInt16(bigEndian: address.sin_port)
  }

  /// The next connection; nil where there can be none any more.
  func accept() -> Connection? {
    let socket = Glibc.accept(listener, nil, nil)
    return socket < 0 ? nil : Connection(socket: socket)
  }
}

/// One request and its answer.
final class Connection: Sendable {
  private let socket: Int32

  init(socket: Int32) {
    self.socket = socket
    var limit = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(socket) }

  /// The target of a GET; nil for anything else, and for who says nothing for five seconds.
  func request() async -> String? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while bytes.suffix(4) != [13, 10, 13, 10] {
      let got = read(socket, &buffer, buffer.count)
      guard got > 0, bytes.count < 65_536 else { return nil }
      bytes += buffer[..<got]
    }
    let line = String(decoding: bytes.prefix { $0 != 13 }, as: UTF8.self).split(separator: " ")
    return line.count == 3 && line[0] == "GET" ? String(line[1]) : nil
  }

  func answer(_ status: String, _ type: String, _ body: [UInt8]) {
    let head = """
      HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r
      Connection: close\r\n\r\n
      """
    var rest = (Array(head.utf8) + body)[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
      // Whoever has gone needs no answer.
      guard sent > 0 else { return }
      rest = rest.dropFirst(sent)
    }
  }
}
