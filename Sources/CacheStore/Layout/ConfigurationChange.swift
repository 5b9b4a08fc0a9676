public import CacheModel
internal import Glibc

extension Store {
  /// Reads the cache's own policy, changes it and writes it back, whole or not at all; of several
  /// changes at once none is lost.
  ///
  /// Returns the policy as it is now.
  ///
  /// - Throws: ``StoreError`` where cachectl.json is no more what it was, or the kernel refuses.
  public func changeConfiguration(
    _ change: (inout Configuration) -> Void
  ) throws(StoreError) -> Configuration {
    // The lock is on the root itself: no file of its own is needed, and it goes with the process.
    let turn = try StoreError.attempt("lock", path) { () throws(Errno) in
      let turn = try root.open(".", O_RDONLY | O_DIRECTORY)
      try turn.lock()
      return turn
    }
    var configuration = try Self.configuration(in: root, path: path)
    change(&configuration)
    try setConfiguration(configuration)
    // Held up to here.
    _ = turn.descriptor
    return configuration
  }
}
