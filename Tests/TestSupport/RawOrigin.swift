internal import Foundation
import Glibc

/// An origin on a loopback port that says exactly the bytes it is told to, legal or not, and keeps what
/// it is told.
public final class RawOrigin: Sendable {
  /// What an origin does when it is asked.
  public enum Step: Sendable {
    /// Sends these bytes.
    case send([UInt8])
    /// Does nothing for a while.
    case pause(Duration)
    /// Does nothing until the other side goes away.
    case silence
    /// Closes the connection.
    case close
    /// Closes it so that the other side sees a reset.
    case reset
  }

  /// A request as it came.
  public struct Request: Sendable {
    /// Request line and header, to the empty line, as it came.
    public let bytes: [UInt8]
    /// The number of the request at this origin, from 0.
    public let number: Int
    /// The number of the connection it came on, from 0.
    public let connection: Int

    /// The same as text.
    public var head: String { String(decoding: bytes, as: UTF8.self) }

    /// The request's target.
    public var target: String {
      let words = head.split(separator: " ", maxSplits: 2)
      return words.count > 1 ? String(words[1]) : ""
    }

    /// The values of a header, in any case.
    public func values(_ name: String) -> [String] {
      head.components(separatedBy: "\r\n").dropFirst().compactMap { line in
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { return nil }
        return parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
  }

  /// The port it listens on.
  public let port: UInt16
  private let listener: Int32
  private let answer: @Sendable (Request) -> [Step]
  private let seen = Seen()

  /// Listens; each request is answered by what `answer` gives.
  public init(_ answer: @escaping @Sendable (Request) -> [Step]) throws {
    self.answer = answer
    (listener, port) = try RawOrigin.listen()
    let (listener, answer, seen) = (listener, answer, seen)
    Thread.detachNewThread { RawOrigin.accept(listener, answer, seen) }
  }

  /// Listens; the requests are answered by these texts, one after the other, the last one again and
  /// again.
  public convenience init(_ answers: String...) throws {
    try self.init { request in
      [.send(Array(answers[min(request.number, answers.count - 1)].utf8))]
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// Everything that was asked so far.
  public var requests: [Request] { seen.requests }

  /// How many connections were opened so far.
  public var connections: Int { seen.connections }

  /// The most requests that were being answered at once.
  public var mostAtOnce: Int { seen.most }

  /// A URL here.
  public func url(_ target: String = "/a.jpg") -> String { "http://127.0.0.1:\(port)\(target)" }

  /// A listening socket on a free port.
  static func listen(queue: Int32 = 512) throws -> (Int32, UInt16) {
    // Not handed down: a program that a test starts must not keep connections open.
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && Glibc.listen(listener, queue) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.init(rawValue: errno) ?? .EADDRINUSE) }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  private static func accept(
    _ listener: Int32, _ answer: @escaping @Sendable (Request) -> [Step], _ seen: Seen
  ) {
    while true {
      let connection = Glibc.accept(listener, nil, nil)
      guard connection >= 0 else { break }
      _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
      let number = seen.countConnection()
      Thread.detachNewThread {
        RawConnection(connection, number).serve(answer, seen)
        close(connection)
      }
    }
    close(listener)
  }
}

/// What an origin has seen, from all its threads.
final class Seen: Sendable {
  private struct State {
    var requests: [RawOrigin.Request] = []
    var connections = 0
    var now = 0
    var most = 0
  }

  private let lock = NSLock()
  private nonisolated(unsafe) var state = State()

  var requests: [RawOrigin.Request] { lock.withLock { state.requests } }
  var connections: Int { lock.withLock { state.connections } }
  var most: Int { lock.withLock { state.most } }

  func countConnection() -> Int {
    lock.withLock {
      state.connections += 1
      return state.connections - 1
    }
  }

  func add(_ head: [UInt8], on connection: Int) -> RawOrigin.Request {
    lock.withLock {
      let request = RawOrigin.Request(
        bytes: head, number: state.requests.count, connection: connection)
      state.requests.append(request)
      state.now += 1
      state.most = max(state.most, state.now)
      return request
    }
  }

  func answered() { lock.withLock { state.now -= 1 } }
}
