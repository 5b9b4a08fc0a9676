internal import CLinux
internal import Glibc

/// The kernel's word on why a call failed (errno(3)).
public struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number.
  public let code: Int32

  /// Wraps a number of errno.h.
  public init(_ code: Int32) { self.code = code }

  /// The message and the symbol: `Permission denied (EACCES)`.
  public var description: String {
    guard let message = cachectl_error_message(code), let symbol = cachectl_error_name(code) else {
      return "errno \(code)"
    }
    return "\(String(cString: message)) (\(String(cString: symbol)))"
  }

  /// No such file or directory.
  public static let notFound = Errno(ENOENT)

  static let exists = Errno(EEXIST)
  static let noSpace = Errno(ENOSPC)
  static let quota = Errno(EDQUOT)
  static let isDirectory = Errno(EISDIR)
  /// Not a directory.
  public static let notDirectory = Errno(ENOTDIR)

  static let symbolicLink = Errno(ELOOP)
  /// What flock(2) says where a mount has no locks.
  static let noLocks: Set<Errno> = [Errno(ENOLCK), Errno(EOPNOTSUPP), Errno(ENOSYS)]
  static let wouldBlock = Errno(EWOULDBLOCK)
  static let notPermitted = Errno(EPERM)
  static let noAccess = Errno(EACCES)
  static let tooLarge = Errno(EFBIG)
  static let readOnly = Errno(EROFS)
  static let notAFile = Errno(EINVAL)
  static let noDevice = Errno(ENXIO)

  /// Runs a call that says -1 for failure, again whenever a signal interrupts it.
  static func check<Result: FixedWidthInteger & SignedInteger>(
    _ call: () -> Result
  ) throws(Errno) -> Result {
    while true {
      let result = call()
      if result != -1 { return result }
      if errno != EINTR { throw Errno(errno) }
    }
  }
}
