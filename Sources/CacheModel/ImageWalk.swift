/// Walks along an image's structure, from piece to piece, without looking into the pieces.
struct ImageWalk: Sendable {
  /// What to do with the bytes after a piece: pass over some, and then this.
  struct Step: Sendable {
    enum Next: Sendable {
      /// Collect this many and hand them to the format.
      case read(Int)
      /// JPEG's coded data: pass over everything up to a marker, and hand that over.
      case scan
      /// The image is whole.
      case end
    }

    var skip: Int64 = 0
    var next: Next
  }

  private var format: any ImageFormat
  private var skipping: Int64 = 0
  private var next: Step.Next
  private var held: [UInt8] = []

  /// A walk along an image of the kind; nil where its structure does not tell its end.
  init?(_ kind: ImageKind) {
    switch kind {
    case .jpeg: format = JPEGFormat()
    case .png: format = PNGFormat()
    case .gif: format = GIFFormat()
    case .webp: format = RIFFFormat()
    case .avif, .heic, .jp2: format = BoxFormat()
    case .svg, .bmp, .ico, .tiff, .jxl: return nil
    }
    next = .read(format.first)
  }

  /// Whether what came by may be a whole image.
  var isWhole: Bool {
    if case .end = next { return skipping == 0 }
    return skipping == 0 && held.isEmpty && format.mayEndBetweenPieces
  }

  mutating func take(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while !rest.isEmpty {
      if skipping > 0 {
        let passed = Int(min(skipping, Int64(rest.count)))
        skipping -= Int64(passed)
        rest = rest.dropFirst(passed)
        continue
      }
      switch next {
      case .end: return
      case .scan: scan(&rest)
      case .read(let count): read(count, &rest)
      }
    }
  }

  private mutating func read(_ count: Int, _ rest: inout Slice<UnsafeRawBufferPointer>) {
    let taken = rest.prefix(count - held.count)
    held.append(contentsOf: taken)
    rest = rest.dropFirst(taken.count)
    if held.count == count { step() }
  }

  private mutating func step() {
    let step = format.next(held)
    // Where a marker was looked for in vain, its first byte may be the last one read.
    let keepsLast = if case .scan = step.next { step.skip == 0 && held.last == 0xFF } else { false }
    held.removeAll(keepingCapacity: true)
    if keepsLast { held.append(0xFF) }
    skipping = max(0, step.skip)
    next = step.next
  }

  /// Looks for a marker: 0xFF and then neither a stuffed zero nor a restart.
  private mutating func scan(_ rest: inout Slice<UnsafeRawBufferPointer>) {
    while let byte = rest.popFirst() {
      if held.isEmpty {
        if byte == 0xFF {
          held.append(byte)
        } else {
          rest = rest.drop { $0 != 0xFF }
        }
      } else if byte == 0 || (byte >= 0xD0 && byte <= 0xD7) {
        held.removeAll(keepingCapacity: true)
      } else if byte != 0xFF {
        held.append(byte)
        return step()
      }
    }
  }
}

/// One format's pieces.
protocol ImageFormat: Sendable {
  /// How many bytes the first piece has.
  var first: Int { get }
  /// What follows a piece.
  mutating func next(_ piece: [UInt8]) -> ImageWalk.Step
  /// Whether a file may end where one piece ends and no other begins.
  var mayEndBetweenPieces: Bool { get }
}

extension ImageFormat {
  var mayEndBetweenPieces: Bool { false }

  /// A big-endian number.
  func number(_ bytes: some Collection<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
