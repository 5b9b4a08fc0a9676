internal import CacheModel

/// Looks at objects as they are read for whether they are images.
///
/// For one thread at a time.
final class ImageInspector {
  private var check = ImageCheck()
  private let decoders: DecoderPool?

  init(_ decoders: DecoderPool?) { self.decoders = decoders }

  func begin() { check = ImageCheck() }

  func take(_ bytes: UnsafeRawBufferPointer) { check.take(bytes) }

  /// What is wrong with the object that went by; nil where nothing is.
  func finding(_ item: VerifySlice.Item, in directory: borrowing Directory) -> Finding? {
    let verdict = check.verdict()
    if let finding = item.declared.finding(item.name, verdict) { return finding }
    guard let decoders, case .image(let kind, _) = verdict,
      // Gone or replaced since it was read: the next run's business.
      let file = try? directory.openFile(item.name)
    else { return nil }
    do {
      let trouble = try decoders.decode(file, as: kind)
      return trouble.map { Finding(.undecodable, item.name, $0) }
    } catch {
      return Finding(.unreadable, item.name, "no decoder could be started: \(error)")
    }
  }
}
