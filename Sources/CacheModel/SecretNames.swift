/// The names of query parameters whose values are secrets, in lower case.
enum SecretNames {
  private static let names: Set<String> = [
    "access_key", "access_key_id", "accesskey", "accesskeyid", "api-key", "api_key", "apikey",
    "auth", "authorization", "awsaccesskeyid", "client_secret", "code", "credential",
    "credentials", "expires", "googleaccessid", "hash", "hdnea", "hdnts", "hmac", "jwt", "key",
    "key-pair-id", "ossaccesskeyid", "pass", "passwd", "password", "policy", "pw", "pwd", "secret",
    "session", "session_id", "sessionid", "sid", "sig", "sign", "signature", "st", "ticket",
    "token", "wssecret",
  ]

  /// The signed URLs of Amazon, Google, Aliyun and Tencent.
  private static let prefixes = ["x-amz-", "x-goog-", "x-oss-", "q-sign", "q-ak"]

  /// `access_token`, `X-Token`, `Key-Signature` and so on.
  private static let suffixes = ["token", "signature", "secret", "password", "apikey", "api_key"]

  /// Whether a parameter holds a secret.
  ///
  /// `s` is a size for some and a signature for others, which is long.
  static func hold(_ name: String, valueLength: Int) -> Bool {
    if name == "s" { return valueLength >= 16 }
    return names.contains(name) || prefixes.contains { name.hasPrefix($0) }
      || suffixes.contains { name.hasSuffix($0) }
  }
}
