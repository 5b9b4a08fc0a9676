internal import CacheFetch
internal import CacheModel
internal import CacheStore
internal import Glibc

/// One run of one command: the cache it works on, what it says and how it ends.
final class Session {
  let global: Global
  let command: String
  let output = Output()

  init(_ global: Global, _ command: String) {
    self.global = global
    self.command = command
  }

  /// Why a command could not go on.
  struct Failure: Error {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
      self.status = status
      self.message = message
    }

    /// A root that is not there is no cache; the message says who named it.
    init(_ error: StoreError, _ search: RootSearch) {
      let failure = Failure(error)
      let isMissing = error.cause == .system(.notFound) || error.cause == .system(.notDirectory)
      self.init(
        isMissing ? .notACache : failure.status,
        failure.message + " (root from \(search.source))")
    }

    init(_ error: StoreError) {
      message = "\(error)"
      status =
        switch error.cause {
        case .notACache, .newerLayout: .notACache
        case .busy: .busy
        case .unacceptable: .usage
        case .system: .incomplete
        }
    }
  }

  /// Runs a command's body; what it throws becomes a message and a status.
  static func run(
    _ global: Global, _ command: String, _ body: (Session) throws(Failure) -> Verdict
  ) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    let session = Session(global, command)
    do {
      let verdict = try body(session)
      return session.end(verdict)
    } catch { return session.end(error) }
  }

  private func end(_ verdict: Verdict) -> Int32 {
    output.flush()
    guard let failure = output.failure else { return verdict.status }
    say("cannot write the result: \(Errno(failure))")
    return verdict.status == 0 ? ExitStatus.incomplete.rawValue : verdict.status
  }

  private func end(_ failure: Failure) -> Int32 {
    say(failure.message)
    if global.json {
      var json = JSONText()
      json.beginObject()
      json.member("schema", "cachectl.error/1")
      json.member("command", command)
      json.member("status", failure.status.rawValue)
      json.member("error", failure.message)
      json.endObject()
      json.endLine()
      output.write(&json)
    }
    output.flush()
    return failure.status.rawValue
  }

  /// Tells a person something; `--quiet` leaves only what went wrong.
  func say(_ text: String) { Talk.say("cachectl \(command): \(printable(text))") }

  /// Tells a person something that went well.
  func mention(_ text: String) { if !global.quiet { say(text) } }

  /// The key as it may be shown.
  func shown(_ key: String) -> String { global.showSecrets ? key : maskedURL(key) }
}

extension Session {
  /// Which cache is meant.
  func rootSearch() throws(Failure) -> RootSearch {
    do { return try RootSearch(option: global.root) } catch {
      switch error {
      case .notUTF8(let source):
        throw Failure(
          .usage, "the path from \(source) is not UTF-8: cd to the cache and give --root .")
      case .nowhere:
        throw Failure(.usage, "no cache is named and HOME is not set: give --root DIR")
      }
    }
  }

  /// Opens the cache that is meant.
  func open(for access: Store.Access) throws(Failure) -> Store {
    let search = try rootSearch()
    do { return try Store(at: search.path, for: access) } catch { throw Failure(error, search) }
  }

  /// A path from the command line, which must be UTF-8; nil where none was given.
  func path(_ bytes: [UInt8]?, _ option: String) throws(Failure) -> String? {
    guard let bytes else { return nil }
    guard let path = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.usage, "the path of \(option) is not UTF-8: cd there and give a relative one")
    }
    return path
  }

  /// A stop for a run over the network, which signals ask for from now on.
  func stopOnSignals() throws(Failure) -> FetchStop {
    guard let stop = FetchStop() else {
      throw Failure(.incomplete, "cannot make a pipe: the process may open no more files")
    }
    Signals.catchAll(ending: stop)
    return stop
  }

  /// Runs a piece of the store's work.
  func attempt<Result: ~Copyable>(
    _ body: () throws(StoreError) -> Result
  ) throws(Failure) -> Result {
    do { return try body() } catch { throw Failure(error) }
  }
}
