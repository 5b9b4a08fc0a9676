/// Markers, each with a length, and coded data after each start of scan, up to the end of image.
struct JPEGFormat: ImageFormat {
  private var lengthOf: UInt8?
  let first = 2

  mutating func next(_ piece: [UInt8]) -> ImageWalk.Step {
    if let marker = lengthOf {
      lengthOf = nil
      // Coded data follows a start of scan, a marker anything else.
      return ImageWalk.Step(
        skip: Int64(number(piece)) - 2, next: marker == 0xDA ? .scan : .read(2))
    }
    // Garbage between segments is passed over, as decoders do.
    guard piece[0] == 0xFF, piece[1] != 0xFF else { return ImageWalk.Step(next: .scan) }
    switch piece[1] {
    case 0xD9: return ImageWalk.Step(next: .end)
    case 0xD8: return ImageWalk.Step(next: .read(2))
    default:
      lengthOf = piece[1]
      return ImageWalk.Step(next: .read(2))
    }
  }
}

/// Chunks of length, type, data and checksum, up to IEND.
struct PNGFormat: ImageFormat {
  private var isSignature = true
  let first = 8

  mutating func next(_ piece: [UInt8]) -> ImageWalk.Step {
    if isSignature {
      isSignature = false
      return ImageWalk.Step(next: .read(8))
    }
    let isLast = piece[4...].elementsEqual("IEND".utf8)
    return ImageWalk.Step(skip: Int64(number(piece[..<4])) + 4, next: isLast ? .end : .read(8))
  }
}

/// Blocks, which are made of sub-blocks, up to the trailer.
struct GIFFormat: ImageFormat {
  private enum Place: Sendable {
    case header
    case block
    case extensionLabel
    case imageDescriptor
    case codeSize
    case subBlock
  }

  private var place = Place.header
  let first = 13

  mutating func next(_ piece: [UInt8]) -> ImageWalk.Step {
    switch place {
    case .header:
      place = .block
      return ImageWalk.Step(skip: GIFFormat.colours(piece[10]), next: .read(1))
    case .block: return block(piece[0])
    case .imageDescriptor:
      place = .codeSize
      return ImageWalk.Step(skip: GIFFormat.colours(piece[8]), next: .read(1))
    case .extensionLabel, .codeSize:
      place = .subBlock
      return ImageWalk.Step(next: .read(1))
    case .subBlock:
      if piece[0] == 0 { place = .block }
      return ImageWalk.Step(skip: Int64(piece[0]), next: .read(1))
    }
  }

  private mutating func block(_ introducer: UInt8) -> ImageWalk.Step {
    switch introducer {
    case 0x3B: return ImageWalk.Step(next: .end)
    case 0x2C:
      place = .imageDescriptor
      return ImageWalk.Step(next: .read(9))
    case 0x21:
      place = .extensionLabel
      return ImageWalk.Step(next: .read(1))
    default: return ImageWalk.Step(next: .read(1))
    }
  }

  /// The bytes of the colour table that a packed field announces.
  private static func colours(_ packed: UInt8) -> Int64 {
    packed & 0x80 == 0 ? 0 : 3 << Int64((packed & 7) + 1)
  }
}

/// One container that says how long it is.
struct RIFFFormat: ImageFormat {
  let first = 12

  func next(_ piece: [UInt8]) -> ImageWalk.Step {
    ImageWalk.Step(skip: Int64(number(piece[4..<8].reversed())) - 4, next: .end)
  }
}

/// Boxes of length and type, to the end of the file (ISO/IEC 14496-12).
struct BoxFormat: ImageFormat {
  private var boxes = 0
  private var isLong = false
  private var isOpenEnded = false
  let first = 8

  mutating func next(_ piece: [UInt8]) -> ImageWalk.Step {
    if isLong {
      isLong = false
      return ImageWalk.Step(skip: Int64(clamping: number(piece)) - 16, next: .read(8))
    }
    boxes += 1
    switch number(piece[..<4]) {
    case 0: return ImageWalk.Step(next: .end)
    case 1:
      isLong = true
      return ImageWalk.Step(next: .read(8))
    case let length: return ImageWalk.Step(skip: Int64(length) - 8, next: .read(8))
    }
  }

  var mayEndBetweenPieces: Bool { boxes > 1 && !isLong }
}
