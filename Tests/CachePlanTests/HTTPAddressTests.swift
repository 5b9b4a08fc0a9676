import CachePlan
import Testing

@Suite("Addresses that may be connected to")
struct HTTPAddressTests {
  private func permits(_ text: String, allowing networks: String...) throws -> Bool {
    let address = try #require(HTTPAddress(text))
    return HTTPAddressRules(allowed: networks.compactMap(HTTPNetwork.init)).permit(address)
  }

  @Test(
    "private, loopback, link-local, metadata, multicast and reserved addresses are refused",
    arguments: [
      "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255",
      "100.100.100.200", "127.0.0.1", "127.255.255.254", "169.254.169.254", "169.254.0.1",
      "168.63.129.16", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1", "192.88.99.1",
      "192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1",
      "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "febf::1",
      "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1", "2001:db8::1", "2001::1", "100::1",
      "3fff::1", "5f00::1", "4000::1",
    ])
  func special(_ address: String) throws {
    #expect(try !permits(address))
  }

  @Test(
    "an IPv6 address that leads to such an IPv4 address is refused",
    arguments: [
      "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1",
      "64:ff9b::169.254.169.254", "64:ff9b::7f00:1", "64:ff9b:1::1.2.3.4", "2002:7f00:1::1",
      "2002:a9fe:a9fe::", "2002:c0a8:1::",
    ])
  func embedded(_ address: String) throws {
    #expect(try !permits(address))
  }

  @Test(
    "public addresses are permitted",
    arguments: [
      "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255",
      "172.32.0.0", "192.167.255.255", "223.255.255.255", "2606:4700::1111", "2a00::1",
      "::ffff:1.1.1.1", "64:ff9b::1.1.1.1", "2002:101:101::1",
    ])
  func global(_ address: String) throws {
    #expect(try permits(address))
  }

  @Test("an allowed network opens itself and no more")
  func allowed() throws {
    #expect(try permits("10.1.2.3", allowing: "10.0.0.0/8"))
    #expect(try permits("::ffff:10.1.2.3", allowing: "10.0.0.0/8"))
    #expect(try !permits("11.0.0.1", allowing: "127.0.0.1") == false)
    #expect(try permits("127.0.0.1", allowing: "127.0.0.1"))
    #expect(try !permits("127.0.0.2", allowing: "127.0.0.1"))
    #expect(try permits("fd12::1", allowing: "fd00::/8"))
    #expect(try !permits("fc12::1", allowing: "fd00::/8"))
    #expect(try permits("169.254.1.1", allowing: "0.0.0.0/0"))
    #expect(try !permits("::1", allowing: "0.0.0.0/0"))
    #expect(try permits("::1", allowing: "::/0"))
    #expect(try permits("2001:db8::5", allowing: "2001:db8::4/126"))
    #expect(try !permits("2001:db8::8", allowing: "2001:db8::4/126"))
  }

  @Test(
    "what is no network is refused",
    arguments: [
      "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0.1/8", "10/8",
      "::/129", "fd00::1/8", "localhost", "10.0.0.0/ 8", "010.0.0.0/8", "fe80::1%lo",
    ])
  func notNetworks(_ text: String) {
    #expect(HTTPNetwork(text) == nil)
  }

  @Test(
    "addresses read and print the same", arguments: ["1.2.3.4", "2001:db8::1", "::ffff:1.2.3.4"])
  func description(_ text: String) throws {
    #expect(try #require(HTTPAddress(text)).description == text)
  }
}
