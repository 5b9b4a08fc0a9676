import Foundation
import TestSupport
import Testing

@Suite struct LoopDeviceTests {
  @Test(
    "each file system is mounted, holds a file, and goes away", .needsMounts,
    arguments: LoopDevice.FileSystem.allCases)
  func mounts(_ fileSystem: LoopDevice.FileSystem) throws {
    var device: LoopDevice? = try LoopDevice(fileSystem)
    let path = try #require(device?.path)
    let type = try Command("stat", ["-f", "-c", "%T", path]).succeed().output
    #expect(type.hasPrefix(fileSystem == .ext4 ? "ext2/ext3" : fileSystem.rawValue))
    try "x".write(toFile: path + "/file", atomically: false, encoding: .utf8)
    device = nil
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try !String(contentsOfFile: "/proc/mounts", encoding: .utf8).contains(path))
  }

  @Test(
    "a file system runs out of inodes when told how many it has", .needsMounts,
    arguments: [LoopDevice.FileSystem.ext4, .tmpfs])
  func inodes(_ fileSystem: LoopDevice.FileSystem) throws {
    let device = try LoopDevice(fileSystem, inodes: 64)
    let script = "i=0; while : >f$i; do i=$((i+1)); [ $i -lt 1000 ] || exit 9; done"
    var fill = Command("bash", ["-c", script])
    fill.directory = device.path
    let result = try fill.run()
    #expect(result.errors.contains("No space left on device"))
    #expect(result.status != 9)
  }
}
