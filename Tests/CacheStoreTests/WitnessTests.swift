import Glibc
import TestSupport
import Testing

@testable import CacheStore

@Suite("The witness of a shard")
struct WitnessTests {
  @Test("what is written is read again")
  func roundTrip() throws {
    let folder = try TemporaryDirectory()
    let witness = Witness(directoryModified: 1_796_021_055_999_820_833, manifestLength: 20_330)
    let file = try Directory(path: folder.path).open("lock", O_RDWR | O_CREAT, mode: 0o600)
    try witness.write(to: file)
    #expect(
      try String(decoding: file.bytes(atMost: 100), as: UTF8.self)
        == "01796021055999820833\n00000000000000020330\n")
    #expect(try Witness(in: file) == witness)
  }

  @Test(
    "anything else vouches for nothing",
    arguments: [
      "", "01796021055999820833\n", "0179602105599982083x\n00000000000000020330\n",
      "99999999999999999999\n00000000000000020330\n",
      "-1796021055999820833\n00000000000000020330\n",
    ])
  func illegible(text: String) {
    #expect(Array(text.utf8).withUnsafeBytes { Witness(reading: $0) } == .cleared)
  }
}
