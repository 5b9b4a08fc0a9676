/// Why the store could not do something: what was tried, on which path, and the cause.
public struct StoreError: Error, CustomStringConvertible, Sendable {
  /// What kind of trouble it is, for exit statuses and for programs.
  public enum Cause: Sendable, Equatable {
    /// The directory is no cache: it has no readable cachectl.json.
    case notACache(String)
    /// The cache's layout is newer than this program: its number.
    case newerLayout(Int64)
    /// The kernel refused.
    case system(Errno)
    /// Another run holds the lock: who, as its file says.
    case busy(String)
    /// The input cannot be stored: why.
    case unacceptable(String)
  }

  /// The attempt in words, for example `remove`.
  public let attempt: String
  /// The path below the root, or the root itself.
  public let path: String
  /// The cause.
  public let cause: Cause

  /// Puts an error together.
  public init(_ attempt: String, _ path: String, _ cause: Cause) {
    self.attempt = attempt
    self.path = path
    self.cause = cause
  }

  /// One line: `cannot remove objects/3f/3fa9…: Permission denied (EACCES)`.
  public var description: String {
    switch cause {
    case .system(let errno): "cannot \(attempt) \(path): \(errno)"
    case .notACache(let reason): "\(path) is not a cache: \(reason)"
    case .newerLayout(let number):
      "\(path) has layout \(number), and this version writes layout 1: use a newer cachectl"
    case .busy(let holder): "\(path) is busy: \(holder)"
    case .unacceptable(let reason): "cannot \(attempt) \(path): \(reason)"
    }
  }

  /// Runs system calls; what they say becomes an error that names the attempt and the path.
  static func attempt<Result: ~Copyable>(
    _ attempt: String, _ path: @autoclosure () -> String,
    _ body: () throws(Errno) -> Result
  ) throws(StoreError) -> Result {
    do { return try body() } catch {
      throw StoreError(attempt, path(), .system(error))
    }
  }

  /// The errno where the kernel was the cause.
  public var errno: Errno? {
    if case .system(let errno) = cause { errno } else { nil }
  }
}
