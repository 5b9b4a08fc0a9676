internal import CLibCrypto
public import CacheModel

extension CacheKey {
  /// The entry's name: the SHA-256 (FIPS 180-4) of the key's bytes, so that
  /// `printf %s "$URL" | sha256sum` finds an entry.
  public var name: EntryName {
    var copy = text
    let digest = copy.withUTF8 { utf8 in
      withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { digest in
        var context = SHA256_CTX()
        SHA256_Init(&context)
        SHA256_Update(&context, utf8.baseAddress, utf8.count)
        SHA256_Final(digest.bindMemory(to: UInt8.self).baseAddress, &context)
        return digest.bindMemory(to: UInt64.self).map { UInt64(bigEndian: $0) }
      }
    }
    return EntryName(words: (digest[0], digest[1], digest[2], digest[3]))
  }
}
