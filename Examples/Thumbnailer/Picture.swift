import Glibc

/// A picture of 8 bits a colour.
struct Picture: Sendable, Equatable {
  var width: Int
  var height: Int
  /// Red, green and blue of each point, row by row.
  var pixels: [UInt8]

  /// The average of each square of points, so wide that `width` of them fit.
  func shrunk(to width: Int) -> Picture {
    let step = max(1, (self.width + width - 1) / width)
    let size = (width: self.width / step, height: max(1, height / step))
    var small = Picture(width: size.width, height: size.height, pixels: [])
    for y in 0..<size.height {
      for x in 0..<size.width {
        for colour in 0..<3 { small.pixels.append(average(x * step, y * step, step, colour)) }
      }
    }
    return small
  }

  private func average(_ left: Int, _ top: Int, _ step: Int, _ colour: Int) -> UInt8 {
    var sum = 0
    let (right, bottom) = (min(left + step, width), min(top + step, height))
    for y in top..<bottom {
      for x in left..<right { sum += Int(pixels[(y * width + x) * 3 + colour]) }
    }
    return UInt8(sum / max(1, (right - left) * (bottom - top)))
  }

  /// The picture as a file (ppm(5)).
  var ppm: [UInt8] { Array("P6\n\(width) \(height)\n255\n".utf8) + pixels }

  /// Reads such a file; nil for any other.
  init?(ppm bytes: [UInt8]) {
    var numbers: [Int] = []
    guard bytes.starts(with: Array("P6".utf8)) else { return nil }
    var at = 2
    while numbers.count < 3, at < bytes.count {
      let word = bytes[at...].drop { $0 <= 32 }.prefix { $0 > 32 }
      guard let number = Int(String(decoding: word, as: UTF8.self)), (1...65_536).contains(number)
      else { return nil }
      numbers.append(number)
      at = word.endIndex
    }
    guard numbers.count == 3, numbers[2] == 255, bytes.count == at + 1 + numbers[0] * numbers[1] * 3
    else { return nil }
    self.init(width: numbers[0], height: numbers[1], pixels: Array(bytes[(at + 1)...]))
  }

  init(width: Int, height: Int, pixels: [UInt8]) {
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }
}

/// A file that may hold a picture.
struct PictureFile {
  /// Changes with the file.
  let version: String
  private let path: String
  private let size: Int

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_size < 1 << 28 else { return nil }
    self.path = path
    size = Int(status.st_size)
    version = "\(status.st_size).\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }

  func picture() -> Picture? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: size)
    return fread(&bytes, 1, size, file) == size ? Picture(ppm: bytes) : nil
  }
}
