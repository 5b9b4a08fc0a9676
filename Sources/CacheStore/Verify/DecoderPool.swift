internal import CLinux
internal import CacheModel
internal import Glibc
internal import Synchronization

/// Helper processes that decode images, each busy with one at a time and used again for the next.
///
/// A hostile image can at worst take its helper with it, which is then said of the image.
final class DecoderPool: Sendable {
  private let helper: String
  private let idle = Mutex<[Decoder]>([])

  /// Nil where no decoding is asked for.
  init?(_ depth: ImageDepth) {
    guard case .decode(let helper) = depth else { return nil }
    self.helper = helper
  }

  /// What is wrong with an image; nil where nothing is, or its kind has no decoder here.
  ///
  /// - Throws: why there is no helper; nothing is said of the image then.
  func decode(_ file: borrowing OpenFile, as kind: ImageKind) throws(Errno) -> String? {
    let decoder: Decoder
    if let waiting = idle.withLock({ $0.popLast() }) {
      decoder = waiting
    } else {
      decoder = try Decoder(helper)
    }
    switch decoder.decode(file, as: kind) {
    case .answer(let answer):
      idle.withLock { $0.append(decoder) }
      return answer == "ok" ? nil : answer
    case .died(let how): return "the decoder \(how)"
    }
  }
}

/// One helper process, at the other end of a socket.
private final class Decoder: Sendable {
  private let process: pid_t
  private let socket: OpenFile
  private let isReaped = Atomic<Bool>(false)

  /// The longest that one image may take; the helper gives up by itself before.
  private static let patience: Int32 = 30_000

  enum Outcome {
    case answer(String)
    case died(String)
  }

  init(_ helper: String) throws(Errno) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
    _ = try Errno.check { socketpair(AF_UNIX, kind, 0, &ends) }
    socket = OpenFile(owning: ends[0])
    let other = OpenFile(owning: ends[1])
    process = try Self.spawn(helper, on: other.descriptor)
  }

  private static func spawn(_ helper: String, on socket: Int32) throws(Errno) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO)
    var words = [strdup(helper), nil]
    defer { free(words[0]) }
    // The helper needs none of the environment, which may hold secrets.
    var environment: [UnsafeMutablePointer<CChar>?] = [nil]
    var process: pid_t = 0
    let error = posix_spawn(&process, helper, &actions, nil, &words, &environment)
    guard error == 0 else { throw Errno(error) }
    return process
  }

  deinit {
    if isReaped.load(ordering: .relaxed) { return }
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  func decode(_ file: borrowing OpenFile, as kind: ImageKind) -> Outcome {
    let name = Array(kind.rawValue.utf8)
    guard cachectl_send_file(socket.descriptor, file.descriptor, name, name.count) == name.count
    else { return .died(ending()) }
    var ready = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&ready, 1, Self.patience)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return .died("took longer than \(Self.patience / 1000) s") }
      break
    }
    var answer = [UInt8](repeating: 0, count: 256)
    let got = recv(socket.descriptor, &answer, answer.count, 0)
    if got <= 0 { return .died(ending()) }
    return .answer(answer[..<got].withUnsafeBytes { printable($0) })
  }

  /// How the helper ended.
  private func ending() -> String {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    isReaped.store(true, ordering: .relaxed)
    let signal = status & 0x7f
    if signal == 0 { return "ended with status \(status >> 8 & 0xff)" }
    if signal == SIGXCPU || signal == SIGALRM || signal == SIGVTALRM {
      return "took too long"
    }
    return "died of signal \(signal)"
  }
}
