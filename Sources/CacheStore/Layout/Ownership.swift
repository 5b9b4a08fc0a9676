internal import CacheModel
internal import Glibc

/// Gives new files and directories the modes and the owner that the cache's other users need.
struct Ownership: Sendable {
  private let sharing: Sharing
  /// Whom to give new files to: root's cron job must not leave files that the cache's owner cannot
  /// write.
  ///
  /// Nil where we are the owner, or may not give anything away.
  private let owner: (user: UInt32, group: UInt32)?

  init(sharing: Sharing, root: FileStatus) {
    self.sharing = sharing
    owner = geteuid() == 0 && root.owner != 0 ? (root.owner, root.group) : nil
  }

  /// The mode to create a file with; ``settle(_:)`` then puts right what the umask took.
  var fileMode: UInt32 { sharing.fileMode }
  var directoryMode: UInt32 { sharing.directoryMode }

  /// Puts mode and owner of a file just made right.
  ///
  /// A private file needs no call: a umask that takes the owner's own rights away is meant so.
  func settle(_ file: borrowing OpenFile) throws(Errno) {
    if sharing != .private { try file.changeMode(fileMode) }
    if let owner { try file.changeOwner(owner.user, group: owner.group) }
  }

  func settle(_ directory: borrowing Directory) throws(Errno) {
    // First the owner: a change of owner clears set-group-ID.
    if let owner { try directory.changeOwner(owner.user, group: owner.group) }
    try directory.changeMode(directoryMode)
  }

  /// A rewritten file keeps the mode and, where we may give it, the owner of the one it replaces.
  func copy(from old: FileStatus, to file: borrowing OpenFile) throws(Errno) {
    // Not ours to give is no reason to fail: the group and its rights are what others need.
    do { try file.changeOwner(old.owner, group: old.group) } catch {
      try? file.changeOwner(UInt32.max, group: old.group)
    }
    try file.changeMode(old.mode & 0o777)
  }
}
