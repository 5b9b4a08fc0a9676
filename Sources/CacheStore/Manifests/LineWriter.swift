internal import CacheModel

/// Makes manifest lines, each ended by its sum and a newline.
///
/// Lines collect until they are taken, so that a batch goes out in one write.
struct LineWriter {
  private(set) var bytes: [UInt8] = []

  var isEmpty: Bool { bytes.isEmpty }

  mutating func clear() { bytes.removeAll(keepingCapacity: true) }

  /// The form that `CostLine` reads without a parser: change both together.
  mutating func cost(_ record: CostRecord) {
    let start = begin(record.name)
    append(",\"bytes\":")
    append(record.bytes)
    append(",\"cost\":")
    append(record.cost)
    if let hash = record.hash {
      append(",\"xxh128\":\"")
      append(hash)
      append("\"")
    }
    append(",\"stored\":")
    append(record.stored.milliseconds)
    append(",\"used\":")
    append(record.used.milliseconds)
    LineSum.close(&bytes, from: start)
  }

  /// Ends an entry.
  mutating func removed(_ name: EntryName, at now: Instant, why: String) {
    let start = begin(name)
    append(",\"removed\":")
    append(now.milliseconds)
    member("why", why)
    LineSum.close(&bytes, from: start)
  }

  /// The line of etag.jsonl; false, and nothing written, where it would pass the longest line.
  mutating func origin(_ name: EntryName, _ record: OriginRecord) -> Bool {
    let start = begin(name)
    member("key", record.key.text)
    if let url = record.url { member("url", url) }
    if let hash = record.hash {
      append(",\"xxh128\":\"")
      append(hash)
      append("\"")
    }
    if let etag = record.etag { member("etag", etag) }
    if let lastModified = record.lastModified { member("last_modified", lastModified) }
    if let type = record.type { member("type", type) }
    if let vary = record.vary { member("vary", vary) }
    append(",\"checked\":")
    append(record.checked.milliseconds)
    if let freshUntil = record.freshUntil {
      append(",\"fresh_until\":")
      append(freshUntil.milliseconds)
    }
    if let terms = record.terms { member("terms", terms) }
    for other in record.others { member(other.name, json: other.json) }
    LineSum.close(&bytes, from: start)
    if bytes.count - start - 1 <= LineReader.longestLine { return true }
    bytes.removeSubrange(start...)
    return false
  }

  /// Adds the lines of another.
  mutating func append(_ other: LineWriter) { bytes += other.bytes }

  /// Copies a line that stands in a manifest already.
  mutating func copy(_ line: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: line)
    bytes.append(0x0a)
  }

  private mutating func begin(_ name: EntryName) -> Int {
    let start = bytes.count
    // Room for one line of the usual length: growing to it costs more than making it.
    if start == 0 { bytes.reserveCapacity(512) }
    append("{\"name\":\"")
    append(name)
    append("\"")
    return start
  }

  private mutating func member(_ name: String, _ value: String) {
    open(name)
    bytes.append(jsonString: value)
  }

  private mutating func member(_ name: String, json: String) {
    open(name)
    bytes.append(contentsOf: json.utf8)
  }

  private mutating func open(_ name: String) {
    append(",")
    bytes.append(jsonString: name)
    append(":")
  }

  private mutating func append(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func append(_ number: Int64) { bytes.append(contentsOf: String(number).utf8) }

  private mutating func append(_ name: EntryName) {
    withUnsafeTemporaryAllocation(byteCount: EntryName.digitCount, alignment: 1) { buffer in
      name.write(to: buffer)
      bytes.append(contentsOf: buffer)
    }
  }

  private mutating func append(_ hash: ContentHash) {
    append(hex: hash.high)
    append(hex: hash.low)
  }

  private mutating func append(hex word: UInt64) {
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { buffer in
      Hex.write(word, to: buffer)
      bytes.append(contentsOf: buffer)
    }
  }
}
