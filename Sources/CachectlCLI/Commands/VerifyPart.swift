internal import CacheModel
internal import CacheStore
internal import CommandTable

/// Which part of the cache `verify` checks.
struct VerifyPartOptions: Sendable {
  var sample: Percent?
  var maxDuration: Duration?
  var maxBytes: ByteCount?
  var coverage: CoveragePromise?
  var onlyFailed = false

  /// Everything unless a part is asked for.
  var scope: VerifyScope {
    if onlyFailed { return .failed }
    var limits = VerifyLimits()
    limits.share = sample?.partsPerMillion
    limits.bytes = maxBytes?.bytes
    limits.duration = maxDuration
    limits.promise = coverage
    let isLimited = sample != nil || maxBytes != nil || maxDuration != nil || coverage != nil
    return isLimited ? .part(limits) : .everything
  }

  @RowBuilder<VerifyPartOptions>
  static func rows() -> [Row<VerifyPartOptions>] {
    Option(
      "sample", \.sample, value: .percent(),
      help: "check this share, least recently verified first")
    Option(
      "max-duration", \.maxDuration, value: .duration(),
      help: "begin nothing more after this time")
    Option(
      "max-bytes", \.maxBytes, value: .size(),
      help: "read about this much")
    Option(
      "coverage", \.coverage,
      value: Value(.percent("PCT"), "/", .duration("DUR")) {
        CoveragePromise(share: $0.partsPerMillion, window: $1)
      }, help: "exit 1 unless so much was verified in that time")
    Switch("only-failed", \.onlyFailed, help: "check again what failed last time")
    Rule.atMostOne("--only-failed", "--sample")
    Rule.atMostOne("--only-failed", "--max-duration")
    Rule.atMostOne("--only-failed", "--max-bytes")
  }
}

extension Value where T == ByteCount {
  /// A size per second: `20MB/s`, or `20MB` alone.
  static func rate() -> Value {
    Value("SIZE/s") { (text: String) throws(ValueError) in
      let size = try parsedSize(text.hasSuffix("/s") ? String(text.dropLast(2)) : text)
      guard size.bytes > 0 else { throw ValueError("0: nothing could ever be read") }
      return size
    }
  }
}
