internal import CacheModel

/// The names of layout 1, relative to the root.
enum Layout {
  static let version: Int64 = 1
  static let configuration = "cachectl.json"
  static let tag = "CACHEDIR.TAG"
  static let objects = "objects"
  static let manifests = "manifests"
  static let temporary = "tmp"
  static let quarantine = "quarantine"
  static let state = "state"
  static let directories = [objects, manifests, temporary, quarantine, state]

  static let costFile = "cost.jsonl"
  static let originFile = "etag.jsonl"

  static func objects(_ shard: Shard) -> String { "objects/\(shard)" }
  static func manifests(_ shard: Shard) -> String { "manifests/\(shard)" }
  static func object(_ name: EntryName) -> String { "objects/\(name.shard)/\(name)" }
  static func cost(_ shard: Shard) -> String { "manifests/\(shard)/\(costFile)" }
  static func origin(_ shard: Shard) -> String { "manifests/\(shard)/\(originFile)" }
  static func lock(_ shard: Shard) -> String { "manifests/\(shard)/lock" }

  /// What the Cache Directory Tagging Specification wants at the start of the file.
  static let tagText = """
    Signature: 8a477f597d28d172789f06886806bc55
    # This directory is a cache that cachectl keeps. Whatever is in it can be fetched again.
    # For information about cache directory tags see https://bford.info/cachedir/

    """
}
