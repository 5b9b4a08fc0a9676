internal import CacheModel
internal import CacheStore
internal import Glibc

/// JUnit XML as Jenkins, GitLab and others read it: a test case for each finding, and one for the
/// check as a whole.
///
/// What is no failure is a skipped test with its reason.
final class VerifyJUnit: VerifyWriter {
  private let session: Session
  private let start = ContinuousClock.now
  /// The numbers stand before the cases, which wait in a file without a name.
  private let cases = tmpfile()
  private var failures = 0
  private var errors = 0
  private var skipped = 0

  init(_ session: Session) { self.session = session }

  deinit { if let cases { fclose(cases) } }

  func write(_ finding: Finding) {
    let type = escaped(finding.kind.rawValue)
    let detail = escaped(finding.detail)
    let body: String
    if finding.kind.isFailure {
      failures += 1
      body = "<failure type=\"\(type)\" message=\"\(detail)\"/>"
    } else if finding.kind == .unreadable {
      errors += 1
      body = "<error type=\"\(type)\" message=\"\(detail)\"/>"
    } else {
      skipped += 1
      body = "<skipped message=\"\(type): \(detail)\"/>"
    }
    keep(name: finding.subject(session), body)
  }

  private func keep(name: String, _ body: String) {
    var text =
      "    <testcase classname=\"cachectl.verify\" name=\"\(escaped(name))\" time=\"0\">\(body)</testcase>\n"
    text.withUTF8 { _ = fwrite($0.baseAddress, 1, $0.count, cases) }
  }

  func end(_ report: VerifyReport) {
    let summary = escaped(report.lines.joined(separator: "\n"))
    var body = "<system-out>\(summary)</system-out>"
    if !report.isComplete {
      errors += 1
      body = "<error type=\"incomplete\" message=\"not everything could be checked\"/>" + body
    } else if report.isPromiseKept == false {
      failures += 1
      body = "<failure type=\"coverage\" message=\"the promised coverage is not kept\"/>" + body
    }
    keep(name: "the cache as a whole", body)
    let tests =
      failures + errors + skipped + (report.isComplete && report.isPromiseKept != false ? 1 : 0)
    let seconds = (ContinuousClock.now - start).wholeMilliseconds
    let time = "\(seconds / 1000).\(String(seconds % 1000 + 1000).dropFirst())"
    let numbers =
      "tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\" time=\"\(time)\""
    session.output.line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
    session.output.line("<testsuites>")
    session.output.line("  <testsuite name=\"cachectl verify\" \(numbers)>")
    copyCases()
    session.output.line("  </testsuite>")
    session.output.line("</testsuites>")
  }

  private func copyCases() {
    guard let cases else { return }
    rewind(cases)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let got = fread(&chunk, 1, chunk.count, cases), got > 0 {
      session.output.write(chunk[..<got])
    }
  }

  /// XML 1.0 cannot hold most control characters, however they are written.
  private func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\n": escaped += "&#10;"
      case "\u{9}", "\u{20}"..."\u{d7ff}", "\u{e000}"..."\u{fffd}", "\u{10000}"..."\u{10ffff}":
        escaped.unicodeScalars.append(scalar)
      default: escaped += "\u{fffd}"
      }
    }
  }
}
