/// Room on a file system, as its ordinary users see it (statvfs(3)).
public struct FileSystemStatus: Sendable, Hashable {
  /// Bytes in all.
  public var totalBytes: Int64
  /// Bytes that an ordinary user may still fill.
  public var freeBytes: Int64
  /// Inodes in all; zero where the file system makes them as it goes (btrfs).
  public var totalInodes: Int64
  /// Inodes that an ordinary user may still make.
  public var freeInodes: Int64
  /// The unit of allocation, in bytes.
  public var blockSize: Int64

  /// Puts a status together.
  public init(
    totalBytes: Int64, freeBytes: Int64, totalInodes: Int64, freeInodes: Int64, blockSize: Int64
  ) {
    self.totalBytes = totalBytes
    self.freeBytes = freeBytes
    self.totalInodes = totalInodes
    self.freeInodes = freeInodes
    self.blockSize = blockSize
  }

  /// The bytes that a file of `length` takes, to the next whole block.
  @inlinable
  public func allocation(of length: Int64) -> Int64 {
    let (sum, overflow) = length.addingReportingOverflow(blockSize - 1)
    if overflow { return length }
    // Block sizes are powers of two, and a division would cost more than the rest of an entry.
    return blockSize.nonzeroBitCount == 1 ? sum & -blockSize : sum / blockSize * blockSize
  }
}
