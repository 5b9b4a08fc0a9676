internal import CacheFetch
public import CacheStore

/// Why a body is not stored.
public enum ImageRefusal: Error, Sendable {
  /// Its declared type is none that an image has.
  case type(String)
  /// There is none.
  case empty
  /// Its bytes are no image.
  case notAnImage
  /// The image ends before its end.
  case cutOff
  /// The origin forbids keeping it.
  case noStore
  /// The cache could not take it.
  case store(StoreError)
}

extension ImageRefusal: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .type(let type): "the body is declared as \(type), which is no image"
    case .empty: "the body is empty"
    case .notAnImage: "the body is no image"
    case .cutOff: "the image in the body is cut off"
    case .noStore: "the origin forbids keeping it (no-store)"
    case .store(let error): "\(error)"
    }
  }
}

/// Which declared types a body may have.
enum DeclaredType {
  // Servers that do not know an image's type call it bytes, and SVG is XML.
  private static let others: Set<String> = [
    "application/octet-stream", "binary/octet-stream", "application/xml", "text/xml",
  ]

  /// Whether an image may come under this type; none at all leaves it to the bytes.
  static func mayBeImage(_ type: String?) -> Bool {
    guard let type else { return true }
    return type.utf8.starts(with: "image/".utf8) || others.contains(type)
  }
}
