import Testing

@testable import CacheStore

@Suite("The witness of a shard")
struct WitnessTests {
  @Test("what is written is read again")
  func roundTrip() {
    let witness = Witness(directoryModified: 1_796_021_055_999_820_833, manifestLength: 20_330)
    #expect(
      String(decoding: witness.bytes, as: UTF8.self)
        == "01796021055999820833\n00000000000000020330\n")
    #expect(witness.bytes.withUnsafeBytes { Witness(reading: $0) } == witness)
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
