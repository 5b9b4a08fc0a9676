internal import CacheModel

/// The live records of one shard: what its cost.jsonl comes to, the last line of a name holding.
///
/// Memory is reused from shard to shard. For one thread at a time.
struct ShardRecords {
  /// Live records and, between them, those that later lines ended.
  private(set) var slots: [Slot] = []
  private(set) var liveCount = 0
  private(set) var lineCount = 0
  /// The numbers of the first lines that could not be read, up to as many as a census keeps problems.
  private(set) var damagedLines: [Int] = []
  /// How many lines could not be read.
  private(set) var damagedLineCount = 0
  /// The file ends in half a line: it was torn off, or is being written just now.
  private(set) var endsTorn = false
  /// The length of the manifest that was read.
  private(set) var length: Int64 = 0
  /// Open addressing over `slots`, its size a power of two: an index plus one, 0 for empty.
  private var table: [UInt32] = []
  private let hash = NameHash()

  struct Slot {
    var record: CostRecord
    var isLive: Bool
    /// The directory holds an object of this name; meaningful after a listing.
    var isListed = false
    /// Where the line that holds begins.
    var offset: Int64
    /// An earlier line that nothing ended spoke of other content: the object may still be that one.
    var hasPredecessor = false
  }

  /// Lines that a compaction would leave out.
  var deadLineCount: Int { lineCount - liveCount }

  /// Takes in the manifest of another shard.
  mutating func load(
    _ file: borrowing OpenFile, reader: LineReader, json: JSONReader
  ) throws(Errno) {
    clear()
    length = try reader.forEachLine(of: file) { line in
      self.take(CostLine.read(line, with: json), line)
    }
  }

  mutating func clear() {
    slots.removeAll(keepingCapacity: true)
    damagedLines.removeAll(keepingCapacity: true)
    damagedLineCount = 0
    endsTorn = false
    liveCount = 0
    lineCount = 0
    length = 0
    if table.isEmpty { table = [UInt32](repeating: 0, count: 1 << 13) }
    table.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0) }
  }

  private mutating func take(_ read: CostLine, _ line: LineReader.Line) {
    lineCount += 1
    switch read {
    case .stored(let record): store(record, at: line.offset)
    case .removed(let name, _): remove(name)
    case .damaged: damage(line)
    }
  }

  private mutating func damage(_ line: LineReader.Line) {
    damagedLineCount += 1
    if damagedLines.count < Census.mostProblems { damagedLines.append(line.number) }
    endsTorn = line.isTorn
  }

  @inline(__always)
  private mutating func store(_ record: CostRecord, at offset: Int64) {
    if slots.count * 2 >= table.count { grow() }
    let place = place(of: record.name)
    if table[place] == 0 {
      slots.append(Slot(record: record, isLive: true, offset: offset))
      table[place] = UInt32(slots.count)
      liveCount += 1
      return
    }
    replace(Int(table[place]) - 1, by: Slot(record: record, isLive: true, offset: offset))
  }

  private mutating func replace(_ index: Int, by new: Slot) {
    let old = slots[index]
    slots[index] = new
    guard old.isLive else {
      liveCount += 1
      return
    }
    slots[index].hasPredecessor =
      old.hasPredecessor || old.record.hash != new.record.hash
      || old.record.bytes != new.record.bytes
  }

  private mutating func remove(_ name: EntryName) {
    guard let index = index(of: name) else { return }
    slots[index].isLive = false
    liveCount -= 1
  }

  /// Notes that the directory holds `name`; false where no live record has it.
  mutating func markListed(_ name: EntryName) -> Bool {
    guard let index = index(of: name) else { return false }
    slots[index].isListed = true
    return true
  }

  /// Takes a last use where it is later than the record's; says whether it was.
  mutating func learn(_ index: Int, used: Instant) -> Bool {
    guard used > slots[index].record.used else { return false }
    slots[index].record.used = used
    return true
  }

  /// The live record of `name`.
  func record(of name: EntryName) -> CostRecord? { index(of: name).map { slots[$0].record } }

  /// Where the live record of `name` stands.
  func index(of name: EntryName) -> Int? {
    guard let slot = slot(of: name), slots[slot].isLive else { return nil }
    return slot
  }

  /// Where a record of `name` stands, live or ended.
  func slot(of name: EntryName) -> Int? {
    guard !table.isEmpty else { return nil }
    let held = table[place(of: name)]
    return held == 0 ? nil : Int(held) - 1
  }

  /// The place in the table that holds `name`, or the empty one where it belongs.
  @inline(__always)
  private func place(of name: EntryName) -> Int {
    let mask = table.count - 1
    var place = Int(truncatingIfNeeded: hash(name)) & mask
    while table[place] != 0, slots[Int(table[place]) - 1].record.name != name {
      place = (place + 1) & mask
    }
    return place
  }

  private mutating func grow() {
    table = [UInt32](repeating: 0, count: table.count * 2)
    for index in slots.indices { table[place(of: slots[index].record.name)] = UInt32(index + 1) }
  }
}
