internal import CacheModel
internal import Glibc

extension Store {
  /// What lies in tmp/ and, beside the shards, in objects/.
  func findOutside(now: Instant) -> SliceResult {
    var result = SliceResult()
    inspect(Layout.objects, &result) { name, _ in
      if isShardName(name) { return nil }
      return Finding(.foreign, path: "", detail: "not a shard's directory")
    }
    inspect(Layout.temporary, &result) { name, kind in
      guard kind == .regular else {
        return Finding(.foreign, path: "", detail: kind.asForeign)
      }
      guard let text = String(validating: name, as: UTF8.self),
        let directory = try? root.directory(Layout.temporary),
        let size = leftover(text, in: directory, now: now, removing: false)
      else { return nil }
      return Finding(.leftover, path: "", detail: "\(size) bytes of a writer that is gone")
    }
    return result
  }

  /// Looks at every name of a directory of the layout.
  private func inspect(
    _ path: String, _ result: inout SliceResult,
    _ judge: (UnsafeRawBufferPointer, FileStatus.Kind) -> Finding?
  ) {
    var names = [UInt8](repeating: 0, count: 1 << 15)
    var found: [Finding] = []
    do {
      let directory = try root.directory(path)
      try names.withMutableBytes { (buffer) throws(Errno) in
        try directory.forEachName(using: buffer) { (name, _) throws(Errno) in
          let text = name.assumingMemoryBound(to: CChar.self).baseAddress
          guard let text, let kind = try? directory.status(of: text).kind,
            var finding = judge(name, kind)
          else { return }
          finding.path = "\(path)/\(printable(name))"
          found.append(finding)
        }
      }
    } catch {
      found.append(Finding(.unreadable, path: path, detail: "\(error)"))
    }
    for finding in found.sorted(by: { $0.path < $1.path }) { result.note(finding) }
  }

  private func isShardName(_ name: UnsafeRawBufferPointer) -> Bool {
    name.count == 2
      && name.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
