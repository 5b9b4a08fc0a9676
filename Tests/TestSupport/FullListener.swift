import Glibc

/// A loopback port that takes no connection: its queue is full, so that the system says nothing.
public final class FullListener: Sendable {
  /// The port.
  public let port: UInt16
  private let sockets: [Int32]

  /// Listens with the shortest queue and fills it.
  public init() throws {
    let (listener, port) = try RawOrigin.listen(queue: 0)
    self.port = port
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    sockets =
      [listener]
      + (0..<4).map { _ in
        let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        _ = fcntl(filler, F_SETFL, O_NONBLOCK)
        withUnsafePointer(to: address) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            _ = connect(filler, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
          }
        }
        return filler
      }
  }

  deinit { sockets.forEach { close($0) } }
}
