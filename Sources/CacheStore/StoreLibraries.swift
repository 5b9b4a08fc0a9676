internal import CLibXXHash
internal import CSimdJSON

/// What the store was built with.
public enum StoreLibraries {
  /// The layout that this version writes.
  public static let layout = Layout.version

  /// The libraries and their versions.
  public static var versions: [(name: String, version: String)] {
    let xxhash = Int(XXH_versionNumber())
    return [
      ("xxHash", "\(xxhash / 10000).\(xxhash / 100 % 100).\(xxhash % 100)"),
      ("simdjson", String(cString: cachectl_json_version())),
    ]
  }
}
