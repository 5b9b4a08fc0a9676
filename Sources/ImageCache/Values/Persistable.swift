public import CacheModel

/// A value of a program's own that a cache can hold: bytes, and members of its own beside them in the
/// manifest.
///
///     struct Avatar: Persistable {
///       var user: String
///       var width: Int64
///       var pixels: [UInt8]
///
///       static func key(_ user: String) -> String { "avatar:\(user)" }
///       var cacheKey: String { Self.key(user) }
///       var stored: StoredValue {
///         StoredValue(pixels, members: [.init("avatar_user", user), .init("avatar_width", width)])
///       }
///       init?(_ stored: StoredValue) {
///         guard let user = stored.members["avatar_user"]?.text,
///           let width = stored.members["avatar_width"]?.number
///         else { return nil }
///         (self.user, self.width, pixels) = (user, width, stored.bytes)
///       }
///     }
///
///     try cache.store(avatar)
///     let avatar = try cache.find(Avatar.self, for: Avatar.key("ada"))
///     try cache.delete(avatar)
///
/// The members stay in the record whenever it is rewritten, by whichever program. They must not
/// have the names of cachectl-layout(5): a prefix of the program's own keeps clear of those to come.
public protocol Persistable: Sendable {
  /// What the value is found by: the same for every value that stands for the same thing.
  var cacheKey: String { get }

  /// The value as it is stored.
  var stored: StoredValue { get }

  /// Makes the value of what is stored; nil where that is none, which reads as absent.
  init?(_ stored: StoredValue)
}

/// What a cache holds of a value.
public struct StoredValue: Sendable, Hashable {
  /// The object.
  public var bytes: [UInt8]
  /// The media type; nil where there is none.
  public var type: String?
  /// The measure that eviction by cost goes by, 0 to 2^63 − 1; the length where nil.
  public var cost: Int64?
  /// Further members of the record.
  public var members: [OriginRecord.Member]

  /// Puts together what is to be stored.
  public init(
    _ bytes: [UInt8], type: String? = nil, cost: Int64? = nil, members: [OriginRecord.Member] = []
  ) {
    self.bytes = bytes
    self.type = type
    self.cost = cost
    self.members = members
  }
}
