internal import CSimdJSON
public import CacheModel

/// Host and media type of each entry of a shard, with each text kept once: what statistics need of
/// etag.jsonl, at a fraction of what its records cost.
public struct ShardLabels: Sendable {
  private var labels: [EntryName: (host: UInt32, type: UInt32)] = [:]
  private var texts = [""]
  private var indices: [[UInt8]: UInt32] = [[]: 0]

  /// The host of an entry's key, in lower case; nil where the key is no URL or not recorded.
  public func host(of name: EntryName) -> String? { labels[name].flatMap { text($0.host) } }

  /// The media type of an entry without its parameters, in lower case; nil where none is recorded.
  public func type(of name: EntryName) -> String? { labels[name].flatMap { text($0.type) } }

  private func text(_ index: UInt32) -> String? { index == 0 ? nil : texts[Int(index)] }

  init() {}

  mutating func take(_ line: LineReader.Line, _ json: JSONReader) {
    guard !line.isTooLong, LineSum.verdict(on: line.bytes) != .wrong,
      let members = json.members(of: line.bytes)
    else { return }
    var name: EntryName?
    var label: (host: UInt32, type: UInt32) = (0, 0)
    for member in members {
      if member.isNamed("name") { name = member.textBytes.flatMap { EntryName(hexDigits: $0) } }
      if member.isNamed("key") { label.host = index(of: member.textBytes?.host) }
      if member.isNamed("type") { label.type = index(of: member.textBytes?.mediaType) }
      if member.isNamed("removed"), let name { labels[name] = nil }
    }
    guard let name, !members.contains(where: { $0.isNamed("removed") }) else { return }
    labels[name] = label
  }

  private mutating func index(of bytes: Slice<UnsafeRawBufferPointer>?) -> UInt32 {
    let text = (bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)[...])
      .map { $0 >= 0x41 && $0 <= 0x5a ? $0 | 0x20 : $0 }
    if let index = indices[text] { return index }
    let index = UInt32(texts.count)
    texts.append(String(decoding: text, as: UTF8.self))
    indices[text] = index
    return index
  }
}

extension UnsafeRawBufferPointer {
  /// The host of a URL, without user and port; empty where there is none.
  fileprivate var host: Slice<UnsafeRawBufferPointer> {
    guard let colon = firstIndex(of: UInt8(ascii: ":")), self[colon...].starts(with: "://".utf8)
    else { return self[..<0] }
    let rest = self[(colon + 3)...]
    let authority = rest.prefix { ![0x2f, 0x3f, 0x23, 0x0a].contains($0) }
    let start = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? authority.startIndex
    let host = authority[start...]
    if host.first == UInt8(ascii: "[") { return host.prefix { $0 != 0x5d } }
    return host.prefix { $0 != UInt8(ascii: ":") }
  }

  /// A media type without its parameters.
  fileprivate var mediaType: Slice<UnsafeRawBufferPointer> {
    self[...].prefix { $0 != UInt8(ascii: ";") && $0 > 0x20 }
  }
}

extension EntryReader {
  /// Host and media type of the entries of a shard.
  ///
  /// What cannot be read is a problem in ``census``.
  public func labels(of shard: Shard) -> ShardLabels {
    var labels = ShardLabels()
    do throws(Errno) { try readOrigins(of: shard) { labels.take($0, $1) } } catch {
      note(.init(.unreadable, Layout.origin(shard), "\(error)"))
    }
    return labels
  }
}
