internal import CacheModel

/// What an origin said an image is, in one byte.
struct DeclaredType: Equatable, Sendable {
  /// Nothing, or nothing that tells a kind.
  static let none = DeclaredType(code: 0)
  /// Something that is no image.
  static let noImage = DeclaredType(code: .max)

  private let code: UInt8

  private init(code: UInt8) { self.code = code }

  /// Reads a media type as it came, parameters and all (RFC 9110, section 8.3.1).
  init(_ field: String?) {
    let type = (field ?? "").prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
    if let kind = ImageKind(mimeType: type), let index = ImageKind.allCases.firstIndex(of: kind) {
      self.init(code: UInt8(index) + 1)
    } else if type.isEmpty || type.hasPrefix("image/") || type.hasSuffix("/octet-stream") {
      self = .none
    } else {
      self = .noImage
    }
  }

  /// The kind of image, where it is one.
  var kind: ImageKind? {
    self == .none || self == .noImage ? nil : ImageKind.allCases[Int(code) - 1]
  }

  /// What is wrong with content of which `verdict` was said; nil where nothing is.
  func finding(_ name: EntryName, _ verdict: ImageCheck.Verdict) -> Finding? {
    switch verdict {
    case .empty: return Finding(.notAnImage, name, "empty")
    case .notAnImage: return Finding(.notAnImage, name, "its first bytes are no image's")
    case .image(let found, let ending):
      if self == .noImage {
        return Finding(.wrongType, name, "\(found.mimeType), declared as no image")
      }
      if let kind, kind != found {
        return Finding(.wrongType, name, "\(found.mimeType), declared as \(kind.mimeType)")
      }
      return ending == .cutOff ? Finding(.cutOff, name, "\(found.rawValue) without its end") : nil
    }
  }
}
