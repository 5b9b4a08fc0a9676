public import CacheModel

/// Something that checking found not to be as it should.
public struct Finding: Sendable, Equatable {
  /// What it is: the states of cachectl-layout(5).
  public enum Kind: String, Sendable, CaseIterable {
    /// No record matches the object: bits changed, cut short, emptied.
    case damaged
    /// A line of a manifest that is no record.
    case damagedLine = "damaged_line"
    /// A store that did not reach its commit point: an earlier record matches the object.
    case interrupted
    /// A record without an object.
    case missing
    /// An object without a record.
    case stray
    /// What could not be read; nothing is concluded from it.
    case unreadable
    /// No regular file, or no legal name.
    case foreign
    /// A file of a dead writer in tmp/.
    case leftover
    /// Whole as it was stored, and no image: HTML or JSON saved as a picture.
    case notAnImage = "not_an_image"
    /// An image of another kind than its declared type.
    case wrongType = "wrong_type"
    /// An image whose end is missing.
    case cutOff = "cut_off"
    /// An image that its format's decoder refuses, or does not survive.
    case undecodable

    /// Whether it makes a check fail: what no crash, eviction or simple writer leaves behind.
    public var isFailure: Bool {
      switch self {
      case .damaged, .damagedLine, .notAnImage, .wrongType, .cutOff, .undecodable: true
      case .interrupted, .missing, .stray, .unreadable, .foreign, .leftover: false
      }
    }
  }

  /// What it is.
  public var kind: Kind
  /// The entry, where it is one.
  public var name: EntryName?
  /// The entry's key, where etag.jsonl holds it.
  public var key: String?
  /// The path below the root, with a line number where a line is meant.
  public var path: String
  /// What was found and what was expected.
  public var detail: String

  /// Puts a finding together.
  public init(
    _ kind: Kind, name: EntryName? = nil, key: String? = nil, path: String, detail: String
  ) {
    self.kind = kind
    self.name = name
    self.key = key
    self.path = path
    self.detail = detail
  }

  /// A finding about an entry's object.
  init(_ kind: Kind, _ name: EntryName, _ detail: String) {
    self.init(kind, name: name, path: Layout.object(name), detail: detail)
  }
}
