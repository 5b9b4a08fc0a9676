import Foundation
import TestSupport

/// An entry as a program sees it that stats every object and reads every record.
struct DiskEntry: Equatable {
  var name: String
  /// Milliseconds since 1970: the later of the recorded use and the object's time, never later than
  /// now.
  var lastUse: Int64
  var bytes: Int64
  var allocated: Int64
  var cost: Int64
}

/// The limits of one run, as they are typed.
struct TypedBudget {
  var maxCount: Int64?
  var maxSize: Int64?
  var maxCost: Int64?
  /// Seconds.
  var maxAge: Int64?
  var grace: Int64 = 0
  var target: Int64 = 100
  var measuresDisk = false

  var words: [String] {
    var words: [String] = []
    func add(_ name: String, _ value: String?) { if let value { words += [name, value] } }
    add("--max-count", maxCount.map(String.init))
    add("--max-size", maxSize.map(String.init))
    add("--max-cost", maxCost.map(String.init))
    add("--max-age", maxAge.map { "\($0)s" })
    add("--grace", grace == 0 ? nil : "\(grace)s")
    add("--target", target == 100 ? nil : "\(target)")
    add("--measure", measuresDisk ? "disk" : nil)
    return words
  }

  var hasLimit: Bool { maxCount != nil || maxSize != nil || maxCost != nil || maxAge != nil }

  func bytes(_ entry: DiskEntry) -> Int64 { measuresDisk ? entry.allocated : entry.bytes }

  /// Who has to go, in order, each with the limit that asks for it: everything looked at and sorted.
  func victims(of entries: [DiskEntry], now: Int64) -> [String] {
    func excess(_ used: Int64, _ most: Int64?) -> (due: Int64, goal: Int64) {
      guard let most, used > most else { return (0, .max) }
      return (used - most * target / 100, most * target / 100)
    }
    var (dueBytes, goalBytes) = excess(entries.reduce(0) { $0 + bytes($1) }, maxSize)
    var (dueCost, goalCost) = excess(entries.reduce(0) { $0 + $1.cost }, maxCost)
    var dueCount = excess(Int64(entries.count), maxCount).due
    let oldest = maxAge.map { now - $0 * 1000 } ?? .min
    func rank(_ entry: DiskEntry) -> (Int, Int64, String) {
      let isOversized = bytes(entry) > goalBytes || entry.cost > goalCost
      return (isOversized ? 0 : 1, entry.lastUse, entry.name)
    }
    let order = entries.filter { $0.lastUse <= now - grace * 1000 }.sorted { rank($0) < rank($1) }
    return order.compactMap { entry in
      let asking = [
        ("max-age", entry.lastUse < oldest), ("max-bytes", dueBytes > 0),
        ("max-count", dueCount > 0), ("max-cost", dueCost > 0),
      ]
      guard let limit = asking.first(where: \.1)?.0 else { return nil }
      dueBytes -= bytes(entry)
      dueCount -= 1
      dueCost -= entry.cost
      return "\(entry.name) \(limit)"
    }
  }
}

/// Reads a cache without any of the code under test.
enum DiskReader {
  static func entries(_ root: String, now: Int64) throws -> [DiskEntry] {
    let find = Command("find", [root + "/objects", "-type", "f"])
    return try find.succeed().output.split(separator: "\n").map { path in
      let facts = try FileFacts(String(path))
      let name = String(path.suffix(64))
      let record = try record(of: name, root)
      let modified = Int64((Double(facts.modified) / 1_000_000).rounded(.down))
      return DiskEntry(
        name: name, lastUse: min(max(modified, record?.used ?? modified), now), bytes: facts.size,
        allocated: facts.allocated / facts.links, cost: record?.cost ?? facts.size)
    }
  }

  private static func record(of name: String, _ root: String) throws -> (used: Int64, cost: Int64)?
  {
    let path = "\(root)/manifests/\(name.prefix(2))/cost.jsonl"
    guard exists(path) else { return nil }
    var found: (used: Int64, cost: Int64)?
    for line in try lines(path) where line.contains(name) {
      guard let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        record["name"] as? String == name
      else { continue }
      let bytes = record["bytes"] as? Int64 ?? 0
      found =
        record["removed"] == nil
        ? (record["used"] as? Int64 ?? 0, record["cost"] as? Int64 ?? bytes) : nil
    }
    return found
  }
}
