internal import CLibCrypto
public import CacheModel

extension CacheKey {
  /// The entry's name: the SHA-256 (FIPS 180-4) of the key's bytes, so that
  /// `printf %s "$URL" | sha256sum` finds an entry.
  public var name: EntryName {
    var copy = text
    return copy.withUTF8 { EntryName(hashing: UnsafeRawBufferPointer($0)) }
  }
}

extension EntryName {
  /// The name of the key with these bytes.
  init(hashing key: UnsafeRawBufferPointer) {
    let digest = withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { digest in
      var context = SHA256_CTX()
      SHA256_Init(&context)
      SHA256_Update(&context, key.baseAddress, key.count)
      SHA256_Final(digest.bindMemory(to: UInt8.self).baseAddress, &context)
      let words = digest.bindMemory(to: UInt64.self)
      return (words[0].bigEndian, words[1].bigEndian, words[2].bigEndian, words[3].bigEndian)
    }
    self.init(words: digest)
  }
}
