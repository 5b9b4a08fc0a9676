/// Looks at an image as it streams by: what it is, and whether it ends where its format says it does.
///
/// It holds a few kilobytes, never the image, and decodes nothing.
public struct ImageCheck: Sendable {
  /// What came by.
  public enum Verdict: Sendable, Hashable {
    /// Nothing.
    case empty
    /// Something that is no image.
    case notAnImage
    /// An image, and what can be said of its end.
    case image(ImageKind, Ending)
  }

  /// What can be said of an image's end.
  public enum Ending: Sendable, Hashable {
    /// It is there.
    case whole
    /// It is not.
    case cutOff
    /// The format does not say where it ends, or only a decoder could tell.
    case unknown
  }

  /// The bytes that came by.
  public private(set) var bytes: Int64 = 0
  /// The kind, once enough came by to tell; until then and where it is no image, nil.
  public private(set) var kind: ImageKind?
  private var front: [UInt8] = []
  private var tail: [UInt8] = []
  private var walk: ImageWalk?
  private var isKindSettled = false

  /// Nothing has come by.
  public init() {}

  /// Takes the next bytes.
  public mutating func take(_ more: UnsafeRawBufferPointer) {
    bytes += Int64(more.count)
    if isKindSettled {
      walk?.take(more)
    } else {
      front.append(contentsOf: more)
      settleKind(atEnd: false)
    }
    if kind == .svg { keepTail(more) }
  }

  /// Whether what came by so far can be no image any more, so that the rest is not worth having.
  public var isHopeless: Bool { isKindSettled && kind == nil }

  /// The verdict, when all has come by.
  public func verdict() -> Verdict {
    guard bytes > 0 else { return .empty }
    var whole = self
    if !isKindSettled { whole.settleKind(atEnd: true) }
    guard let kind = whole.kind else { return .notAnImage }
    if kind == .svg { return .image(.svg, whole.svgEnding) }
    return .image(kind, whole.walk.map { $0.isWhole ? .whole : .cutOff } ?? .unknown)
  }

  private mutating func settleKind(atEnd: Bool) {
    kind = front.withUnsafeBytes { ImageKind(firstBytes: $0) }
    // An ISO file's brands and a bitmap's header lie within 64 bytes, a prolog may take longer.
    let isEnough = front.count >= (kind == nil ? ImageKind.firstBytes : 64)
    guard atEnd || isEnough else {
      kind = nil
      return
    }
    isKindSettled = true
    walk = kind.flatMap(ImageWalk.init)
    front.withUnsafeBytes { walk?.take($0) }
    if kind == .svg { front.withUnsafeBytes { keepTail($0) } }
    front = []
  }

  private mutating func keepTail(_ more: UnsafeRawBufferPointer) {
    tail.append(contentsOf: more.suffix(ImageCheck.tail))
    if tail.count > ImageCheck.tail { tail.removeFirst(tail.count - ImageCheck.tail) }
  }

  private static let tail = 1024

  /// An SVG ends in its end tag; comments may follow it.
  ///
  /// An empty element has none.
  private var svgEnding: Ending {
    let text = String(decoding: tail, as: UTF8.self)
    if text.contains("</svg") || text.contains(":svg>") { return .whole }
    return tail.last { $0 > 0x20 } == UInt8(ascii: ">") ? .unknown : .cutOff
  }
}
