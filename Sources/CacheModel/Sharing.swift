/// Who may use a cache beside its owner, as git's core.sharedRepository has it.
public enum Sharing: String, Sendable, CaseIterable {
  /// Nobody.
  case `private`
  /// The group reads and writes.
  case group
  /// The group reads and writes, everybody else reads.
  case all

  /// The mode of every file that is made, whatever the writer's umask.
  public var fileMode: UInt32 {
    switch self {
    case .private: 0o600
    case .group: 0o660
    case .all: 0o664
    }
  }

  /// The mode of every directory: set-group-ID keeps the group of what is made below.
  public var directoryMode: UInt32 {
    switch self {
    case .private: 0o700
    case .group: 0o2770
    case .all: 0o2775
    }
  }
}
