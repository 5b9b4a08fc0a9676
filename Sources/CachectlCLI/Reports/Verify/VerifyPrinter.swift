internal import CacheModel
internal import CacheStore
internal import Glibc

/// Hands findings to the report and to the list.
///
/// The store hands over one batch at a time, from whichever thread is done.
final class VerifyPrinter: @unchecked Sendable {
  private let session: Session
  private let writer: any VerifyWriter
  private let list: VerifyList?

  init(_ session: Session, _ writer: any VerifyWriter, _ list: VerifyList?) {
    self.session = session
    self.writer = writer
    self.list = list
  }

  func begin() { writer.begin() }

  func print(_ findings: [Finding]) {
    for finding in findings {
      writer.write(finding)
      list?.write(finding)
    }
    // A person, a log or a CI server follows a run that takes hours.
    session.output.flush()
  }

  func end(_ report: VerifyReport) {
    list?.end()
    writer.end(report)
  }
}

/// What is damaged, one a line, as `rm --from` takes it: keys, or names where a key would not come
/// back as it is.
final class VerifyList {
  let isStandardOutput: Bool
  private let output: Output
  private let path: String

  init(_ path: [UInt8]) throws(Session.Failure) {
    self.path = printable(String(decoding: path, as: UTF8.self))
    isStandardOutput = path == Array("-".utf8)
    guard !isStandardOutput else {
      output = Output()
      return
    }
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
    let descriptor = open(path.map { CChar(bitPattern: $0) } + [0], flags, 0o666)
    guard descriptor >= 0 else {
      throw Session.Failure(.incomplete, "cannot write \(self.path): \(Errno(errno))")
    }
    output = Output(descriptor: descriptor)
  }

  func write(_ finding: Finding) {
    guard finding.kind.isFailure, let name = finding.name else { return }
    output.line(finding.key.flatMap { isSafe($0, name) ? $0 : nil } ?? "\(name)")
  }

  private func isSafe(_ key: String, _ name: EntryName) -> Bool {
    guard key.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }), EntryName(key) == nil else {
      return false
    }
    return (try? CacheKey(key))?.name == name
  }

  func end() {
    output.flush()
    if let failure = output.failure {
      Talk.say("cachectl verify: cannot write \(path): \(Errno(failure))")
    }
  }
}
