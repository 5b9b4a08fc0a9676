internal import Glibc
internal import Synchronization

/// Tells when the system or the process's control group runs short of memory, for as long as it lives.
///
/// The kernel says so: by stalls (PSI, Documentation/accounting/psi.rst), and by the limits that a control
/// group of version 2 met (memory.events). Nothing is asked in between.
public final class MemoryPressure: Sendable {
  // Its thread ends when this is closed.
  private let end: Int32

  /// Watches for shortage; nil where the kernel tells of none.
  ///
  /// - Parameters:
  ///   - stall: how long tasks were held up for want of memory, within two seconds, to call it short.
  ///   - heed: is called on a thread of its own, at most once in two seconds for stalls.
  public init?(stall: Duration = .milliseconds(150), _ heed: @escaping @Sendable () -> Void) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    end = ends[1]
    let signs = MemorySigns(stall: stall, until: ends[0])
    guard !signs.isEmpty, startThread({ signs.watch(heed) }) else {
      signs.close()
      close(end)
      return nil
    }
  }

  deinit { close(end) }
}

/// The files by which the kernel tells of a shortage.
private struct MemorySigns: Sendable {
  private let stalls: [Int32]
  private let events: Int32?
  private let last: Int32

  init(stall: Duration, until last: Int32) {
    self.last = last
    let groups = Self.groups()
    stalls = (["/proc/pressure/memory"] + groups.map { $0 + "/memory.pressure" }).compactMap {
      Self.trigger($0, stall)
    }
    events = groups.lazy.compactMap { Self.open($0 + "/memory.events", O_RDONLY) }.first
  }

  var isEmpty: Bool { stalls.isEmpty && events == nil }

  func close() {
    for descriptor in stalls + [events, last].compactMap({ $0 }) { Glibc.close(descriptor) }
  }

  func watch(_ heed: () -> Void) {
    defer { close() }
    var polled = stalls.map { pollfd(fd: $0, events: Int16(POLLPRI), revents: 0) }
    if let events { polled.append(pollfd(fd: events, events: Int16(POLLPRI), revents: 0)) }
    polled.append(pollfd(fd: last, events: 0, revents: 0))
    var met = limitsMet()
    while true {
      // An interrupted wait found nothing.
      guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
      if polled[polled.count - 1].revents != 0 { return }
      let before = met
      met = limitsMet()
      let isStalled = polled[..<stalls.count].contains { $0.revents & Int16(POLLPRI) != 0 }
      if isStalled || met > before { heed() }
      // A control group that was removed says so for ever.
      for index in stalls.indices where polled[index].revents & Int16(POLLERR) != 0 {
        polled[index].fd = -1
      }
    }
  }

  /// How often the group's limits were met: the counts of `high`, `max` and `oom`.
  private func limitsMet() -> Int {
    guard let events else { return 0 }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let got = pread(events, &bytes, bytes.count, 0)
    let text = String(decoding: bytes[..<max(0, got)], as: UTF8.self)
    return text.split(separator: "\n").reduce(0) { sum, line in
      let words = line.split(separator: " ")
      guard words.count == 2, ["high", "max", "oom"].contains(words[0]) else { return sum }
      return sum + (Int(words[1]) ?? 0)
    }
  }

  /// A file that becomes readable out of band after such a stall.
  ///
  /// A window that is a multiple of two
  /// seconds needs no privilege.
  private static func trigger(_ path: String, _ stall: Duration) -> Int32? {
    guard let file = open(path, O_RDWR | O_NONBLOCK) else { return nil }
    let words = "some \(Int64(stall / .microseconds(1))) 2000000"
    // With the NUL that ends it.
    guard write(file, words, words.utf8.count + 1) > 0 else {
      Glibc.close(file)
      return nil
    }
    return file
  }

  private static func open(_ path: String, _ flags: Int32) -> Int32? {
    let file = Glibc.open(path, flags | O_CLOEXEC)
    return file < 0 ? nil : file
  }

  /// The folders of the process's control group of version 2, where that is mounted.
  private static func groups() -> [String] {
    guard let file = open("/proc/self/cgroup", O_RDONLY) else { return [] }
    defer { Glibc.close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let got = read(file, &bytes, bytes.count)
    let text = String(decoding: bytes[..<max(0, got)], as: UTF8.self)
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::") }) else {
      return []
    }
    return ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].map { $0 + line.dropFirst(3) }
  }
}
