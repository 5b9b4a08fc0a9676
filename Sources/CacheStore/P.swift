internal import CLibXXHash
internal import CLibCrypto
internal import CSimdJSON
public func probe() -> UInt64 {
  let x = XXH3_64bits("abc", 3)
  var c = SHA256_CTX(); SHA256_Init(&c)
  return x &+ UInt64(c.h.0) &+ UInt64(cachectl_simdjson_probe("{}", 2))
}
