internal import CLinux
internal import Glibc

/// The priority of this process's disk I/O.
public enum IOPriority {
  /// Lets all other disk I/O go first, in every thread started from now on (ioprio_set(2)).
  ///
  /// It takes effect where the disk's scheduler knows priorities (bfq); elsewhere it changes nothing.
  ///
  /// - Throws: the kernel's refusal.
  public static func giveWay() throws(Errno) { _ = try Errno.check { cachectl_idle_io() } }
}
