internal import CLinux

/// Runs `body` so that whatever would wait for a disk fails instead, with EAGAIN: opening what the kernel
/// has no name of in memory, reading what is not in its page cache.
///
/// Where a kernel or a file system cannot promise that, all of it fails.
func withoutWaiting<Result>(_ body: () -> Result) -> Result {
  cachectl_set_impatient(1)
  defer { cachectl_set_impatient(0) }
  return body()
}

/// Whether the calling thread is within ``withoutWaiting(_:)``.
var isImpatient: Bool { cachectl_is_impatient() != 0 }
