/// What an entry is asked for by: normally the image's URL, with a variant where one URL has
/// several images.
///
/// The entry's name is the SHA-256 of its bytes.
public struct CacheKey: Sendable, Hashable, CustomStringConvertible {
  /// The longest key, in bytes of UTF-8.
  public static let longest = 8192

  /// The key as it is hashed and recorded.
  public let text: String

  /// Why a text is no key.
  public enum Invalid: Error, Equatable, CustomStringConvertible {
    /// It has no bytes.
    case empty
    /// It has more than ``CacheKey/longest`` bytes.
    case tooLong(Int)

    /// The reason, for a message that names the key.
    public var description: String {
      switch self {
      case .empty: "a key cannot be empty"
      case .tooLong(let count): "a key has at most \(CacheKey.longest) bytes, this one \(count)"
      }
    }
  }

  /// Makes a key of any text of 1 to 8,192 bytes; one that is a URL is normalised: scheme and host
  /// in lower case, no default port, no fragment, path and query as they are.
  ///
  /// - Parameters:
  ///   - text: the URL or other identifier.
  ///   - variant: tells images of one URL apart, for example `accept=image/webp`.
  /// - Throws: ``Invalid`` for an empty or an overlong text.
  public init(_ text: String, variant: String? = nil) throws(Invalid) {
    let base = URLParts(text)?.normalized ?? text
    try self.init(recorded: variant.map { base + "\n" + $0 } ?? base)
  }

  /// Takes a key as a manifest holds it, without normalising.
  ///
  /// - Throws: ``Invalid`` for an empty or an overlong text.
  public init(recorded text: String) throws(Invalid) {
    let count = text.utf8.count
    guard count > 0 else { throw .empty }
    guard count <= Self.longest else { throw .tooLong(count) }
    self.text = text
  }

  /// The part before the variant.
  public var url: String {
    text.utf8.firstIndex(of: 0x0a).map { String(text[..<$0]) } ?? text
  }

  /// The part that tells images of one URL apart.
  public var variant: String? {
    text.utf8.firstIndex(of: 0x0a).map { String(text[text.utf8.index(after: $0)...]) }
  }

  /// The host, where the key is a URL with one.
  public var host: String? { URLParts(url).map { String($0.host) } }

  /// The key itself.
  public var description: String { text }
}
