internal import CacheModel
internal import Glibc

/// quarantine/: damaged objects and, beside each, a note for whoever looks into it.
struct Quarantine {
  private let store: Store

  init(_ store: Store) { self.store = store }

  /// Moves an object here.
  ///
  /// Its name is NAME, or NAME.2 and so on where that is taken.
  func take(
    _ order: RepairOrder, from objects: borrowing Directory, now: Instant
  ) throws(Errno) {
    let directory = try store.root.directory(Layout.quarantine)
    let place = try freeName(for: order.name, directory)
    // The note first: an object without one tells nothing.
    var note = try TemporaryFile(in: store)
    try note.file.write(bytes: text(order, now: now))
    try note.rename(to: "\(place).json", in: directory)
    try objects.rename("\(order.name)", to: place, in: directory)
  }

  private func freeName(
    for name: EntryName, _ directory: borrowing Directory
  ) throws(Errno) -> String {
    for number in 1... {
      let place = number == 1 ? "\(name)" : "\(name).\(number)"
      do { _ = try directory.status(at: place) } catch {
        if error == .notFound { return place }
        throw error
      }
    }
    return "\(name)"
  }

  private func text(_ order: RepairOrder, now: Instant) -> [UInt8] {
    // The key is for people; the name tells the entry.
    let origin = try? store.origin(of: order.name)
    var json = JSONText()
    json.beginObject()
    json.member("name", "\(order.name)")
    json.member("key", origin?.key.text)
    json.member("class", Finding.Kind.damaged.rawValue)
    json.member("detail", order.detail)
    json.member("quarantined", now)
    json.member("bytes", order.identity?.size ?? 0)
    json.member("xxh128", order.hash.map { "\($0)" })
    json.member("recorded_bytes", order.record?.bytes ?? 0)
    json.member("recorded_xxh128", order.record?.hash.map { "\($0)" })
    json.member("stored", order.record?.stored)
    json.member("etag", origin?.etag)
    json.member("type", origin?.type)
    json.endObject()
    json.endLine()
    return json.bytes
  }
}
