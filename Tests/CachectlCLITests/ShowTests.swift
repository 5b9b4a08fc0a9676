import Foundation
import TestSupport
import Testing

@Suite("show") struct ShowTests {
  let cache: TestCache

  init() throws { cache = try TestCache() }

  @Test("each state is told apart")
  func states() throws {
    try cache.put("k", Sample.gif)
    func state(_ key: String) throws -> String? { try cache.json("show", key)["state"] as? String }
    #expect(try state("k") == "sound")
    #expect(try state("nope") == "absent")
    let object = try cache.object("k")
    try write(Sample.gif + [0], to: object)
    #expect(try state("k") == "damaged")
    try Command("rm", [object]).succeed()
    #expect(try state("k") == "missing")
    let stray = String(repeating: "0f", count: 32)
    try write([1], to: "\(cache.root)/objects/0f/\(stray)")
    #expect(try state(stray) == "stray")
  }

  @Test("the status is 1 for what a reader would not be given, and 0 for what it would")
  func status() throws {
    try cache.put("k", Sample.gif)
    #expect(try cache.run("show", "k").status == 0)
    #expect(try cache.run("show", "nope").status == 1)
    try write([], to: cache.object("k"))
    #expect(try cache.run("show", "k").status == 1)
  }

  @Test("the place is the number of entries used earlier and one, ties by name")
  func place() throws {
    for number in 0..<30 { try cache.put("k\(number)", [UInt8(number)]) }
    let used = try cache.json("ls", "--sort", "used").objects("entries").compactMap {
      $0["name"] as? String
    }
    for (index, name) in used.enumerated() where index.isMultiple(of: 7) {
      let place = try cache.json("show", "--exact", name).object("place")
      #expect(place.number("rank") == index + 1)
      #expect(place.number("entries") == 30)
      #expect(place["exact"] as? Bool == true)
    }
  }

  @Test("a lone key is found by its name as well, in text too")
  func byName() throws {
    try cache.put("https://img.example/a.gif", Sample.gif)
    let text = try cache.succeed("show", cache.name("https://img.example/a.gif")).output
    #expect(text.contains("https://img.example/a.gif"))
    #expect(text.contains("\nstate     sound\n"))
  }
}
