import Foundation
public import Testing

/// A real file system of its own, in a file on a loop device, mounted for as long as this lives.
public final class LoopDevice: Sendable {
  /// The file systems that can be made.
  public enum FileSystem: String, CaseIterable, Sendable {
    case ext4, xfs, btrfs, tmpfs

    /// The smallest size, in MiB, that its maker accepts with some room.
    public var smallest: Int {
      switch self {
      case .ext4, .tmpfs: 8
      case .xfs: 320
      case .btrfs: 128
      }
    }
  }

  /// Where it is mounted.
  public let path: String
  private let directory: TemporaryDirectory

  /// Makes and mounts a file system.
  ///
  /// - Parameters:
  ///   - fileSystem: its kind, made with its maker's default options.
  ///   - mebibytes: its size; the kind's smallest when left out.
  ///   - inodes: how many files it can hold (ext4 and tmpfs only).
  ///   - options: mount options, such as `noatime` or `ro`.
  /// - Throws: what the maker or mount said.
  public init(
    _ fileSystem: FileSystem, mebibytes: Int? = nil, inodes: Int? = nil, options: [String] = []
  ) throws {
    directory = try TemporaryDirectory()
    path = directory.appending("mount")
    try Command("mkdir", [path]).succeed()
    let size = mebibytes ?? fileSystem.smallest
    guard fileSystem != .tmpfs else {
      let own = ["size=\(size)m"] + (inodes.map { ["nr_inodes=\($0)"] } ?? [])
      try mount(["-t", "tmpfs", "tmpfs"], own + options)
      return
    }
    let image = directory.appending("image")
    try Command("truncate", ["-s", "\(size)M", image]).succeed()
    let count = fileSystem == .ext4 ? inodes.map { ["-N", "\($0)"] } ?? [] : []
    try Command("mkfs.\(fileSystem.rawValue)", ["-q"] + count + [image]).succeed()
    try mount(["-t", fileSystem.rawValue, image], ["loop"] + options)
  }

  private func mount(_ arguments: [String], _ options: [String]) throws {
    let all = ["-o", options.joined(separator: ",")] + arguments + [path]
    try Command("mount", all).succeed()
  }

  /// Mounts it again with other options, such as `ro`.
  public func remount(_ options: String...) throws {
    try Command("mount", ["-o", (["remount"] + options).joined(separator: ","), path]).succeed()
  }

  deinit {
    // A lazy unmount cannot fail for a process that still stands in it; nothing waits for it either.
    _ = try? Command("umount", ["--lazy", path]).run()
  }

  /// Why no file system can be mounted here; nil when one can.
  public static let unavailable: String? = {
    guard geteuid() == 0 else { return "mounting needs root" }
    do {
      _ = try LoopDevice(.ext4)
      return nil
    } catch {
      return "\(error)"
    }
  }()
}

extension Trait where Self == ConditionTrait {
  /// Skips a test, and says why, where no file system can be mounted.
  public static var needsMounts: Self {
    .enabled(
      if: LoopDevice.unavailable == nil,
      "\(LoopDevice.unavailable ?? "file systems can be mounted")")
  }
}
