internal import CacheStore

/// What `--version` prints.
var versionText: String {
  "cachectl \(cachectlVersion) (layout \(StoreLibraries.layout))\n"
    + StoreLibraries.versions.map { "\($0.name) \($0.version)\n" }.joined()
}

/// The program's own version.
let cachectlVersion = "0.1.0"
