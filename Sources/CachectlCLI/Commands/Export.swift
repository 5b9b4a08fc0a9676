internal import CacheModel
internal import CacheStore
internal import CommandTable

/// `export`: the records in the form of another tool.
struct Export: Sendable {
  var xxhsum = false

  static let command = Command<Global>(
    "export", "print the records in the form of another tool", Export(),
    page: Page(
      description: """
        Prints what the records say of every entry, for a tool that knows nothing of `cachectl`. With `--xxhsum`: the content hash and the path below the root, as `xxhsum -H2` prints them, so that it can check the same cache. Entries whose record holds no hash are left out and counted.
        """,
      examples: [
        Example(
          "cd cache && cachectl export --xxhsum > sums && xxhsum -H2 --quiet -c sums",
          "check the cache by another program")
      ])
  ) {
    Switch("xxhsum", \.xxhsum, help: "a list of sums for `xxhsum -H2 -c`")
    Rule.exactlyOne("--xxhsum")
  } run: { global, options in
    Session.run(global, "export") { session throws(Session.Failure) in try run(session) }
  }

  private static func run(_ session: Session) throws(Session.Failure) -> Verdict {
    if session.global.json {
      throw Session.Failure(.usage, "sums are no JSON: leave out --json")
    }
    let store = try session.open(for: .reading)
    var verdict = Verdict()
    var without = 0
    for shard in Shard.all where !session.output.isClosed {
      do throws(StoreError) {
        let found = try store.contentHashes(of: shard)
        for (name, hash) in found.hashes {
          session.output.line("\(hash)  objects/\(shard)/\(name)")
        }
        without += found.without
      } catch {
        session.say("\(error)")
        verdict.add(.incomplete)
      }
    }
    if without > 0 { session.mention("\(without) entries have no recorded hash and are left out") }
    return verdict
  }
}
