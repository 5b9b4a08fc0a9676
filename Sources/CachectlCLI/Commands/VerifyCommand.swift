internal import CacheModel
internal import CacheStore
internal import Glibc

/// One run of `verify`.
struct VerifyCommand {
  private let session: Session
  private let options: Verify

  init(_ session: Session, _ options: Verify) {
    self.session = session
    self.options = options
  }

  func run() throws(Session.Failure) -> Verdict {
    let isRepair = options.repair != .none || options.adopts
    let images = try imageDepth()
    let store = try session.open(for: isRepair ? .writing : .reading)
    let refetch = try refetch(store)
    let writer = try writer(store)
    let lock = try lock(store, mustHold: isRepair)
    return check(store, images, refetch, writer, keeps: lock != nil)
  }

  private func check(
    _ store: Store, _ images: ImageDepth, _ refetch: VerifyRefetch?, _ writer: VerifyPrinter,
    keeps: Bool
  ) -> Verdict {
    Signals.catchAll()
    var request = VerifyRequest(now: .now)
    request.scope = options.part.scope
    request.jobs = options.jobs
    request.rate = options.rate?.bytes
    request.repair = options.repair
    request.adoptsStrays = options.adopts
    request.images = images
    request.keepsResults = keeps
    request.shouldStop = { Signals.caught != nil }
    let progress = progress(store)
    request.progress = { progress?.add(items: $0, bytes: $1) }
    writer.begin()
    var result = store.verify(request) { findings in
      writer.print(findings)
      refetch?.note(findings)
    }
    if let refetch { result.repaired.merge(refetch.finish()) }
    progress?.end()
    let report = report(store, result)
    writer.end(report)
    return report.verdict
  }

  private func refetch(_ store: Store) throws(Session.Failure) -> VerifyRefetch? {
    guard options.repair == .refetch else { return nil }
    return VerifyRefetch(
      store, try options.origin.settings(session, for: store), try session.stopOnSignals())
  }

  private func report(_ store: Store, _ result: VerifyResult) -> VerifyReport {
    if let trouble = result.keepingTrouble { session.mention("results are not kept: \(trouble)") }
    var report = VerifyReport(
      root: store.path, result: result, isStrict: options.strict, signal: Signals.caught)
    report.promise = options.part.coverage
    if let promise = options.part.coverage {
      report.coverage = store.coverage(within: promise.window, now: .now)
    }
    return report
  }

  /// The lock where results can be kept: on a read-only mount, or without the right, nothing is kept
  /// and no other run is in the way.
  private func lock(
    _ store: Store, mustHold: Bool
  ) throws(Session.Failure) -> RunLock? {
    do {
      return try RunLock(.verify, of: store, waiting: options.wait, command: "cachectl verify")
    } catch {
      if error.errno == nil || mustHold { throw Session.Failure(error) }
      session.mention("results are not kept: \(error)")
      return nil
    }
  }

  /// Progress tells the time left where it knows how much there is, which takes reading every record.
  private func progress(_ store: Store) -> Progress? {
    let (moment, quiet) = (session.global.progress, session.global.quiet)
    guard Progress(moment, quiet: quiet, noun: "checked") != nil else { return nil }
    guard case .everything = options.part.scope else {
      return Progress(moment, quiet: quiet, noun: "checked")
    }
    let whole = store.coverage(within: .zero, now: .now)
    return Progress(
      moment, quiet: quiet, noun: "checked", total: (whole.entries, whole.bytes))
  }

  private func writer(_ store: Store) throws(Session.Failure) -> VerifyPrinter {
    let format = options.format ?? (session.global.json ? .json : .text)
    if session.global.json, format != .json {
      throw Session.Failure(.usage, "--json and --format \(format.rawValue) exclude each other")
    }
    var list: VerifyList?
    if let path = options.list { list = try VerifyList(path) }
    let isSilent = list?.isStandardOutput == true
    if isSilent, options.format != nil || session.global.json {
      throw Session.Failure(.usage, "--list - and a report cannot both be standard output")
    }
    return VerifyPrinter(
      session, isSilent ? VerifySilence(session) : format.writer(session, root: store.path), list)
  }

  private func imageDepth() throws(Session.Failure) -> ImageDepth {
    switch options.images {
    case nil: return .none
    case .structure: return .structure
    case .decode:
      guard let helper = DecodeHelper.path else {
        throw Session.Failure(.usage, DecodeHelper.absence)
      }
      return .decode(helper: helper)
    }
  }
}

/// The helper program that decodes images.
enum DecodeHelper {
  private static let name = "cachectl-decode"

  static let absence =
    "--images=decode needs the program \(name) beside this one or in ../libexec/cachectl, and it is not there: use --images, or install it"

  /// Where it is: beside the program, or where `make install` puts it.
  static var path: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { return nil }
    let own = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = own.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    return [folder + "/" + name, folder + "/../libexec/cachectl/" + name].first {
      access($0, X_OK) == 0
    }
  }
}
