// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A library target whose imports are exactly `dependencies`; a test compares the two.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: [.byName(name: name)] + dependencies,
    swiftSettings: strict)
}

let package = Package(
  name: "cachectl",
  products: [
    .executable(name: "cachectl", targets: ["cachectl"]),
    .library(name: "CacheStore", targets: ["CacheStore", "CacheModel"]),
  ],
  targets: [
    .executableTarget(name: "cachectl", dependencies: ["CachectlCLI"], swiftSettings: strict),
    library("CachectlCLI", ["CommandTable", "CacheModel", "CachePlan", "CacheStore"]),
    library("CommandTable"),
    library("CacheModel"),
    library("CachePlan", ["CacheModel"]),
    library("CacheStore", ["CacheModel", "CLinux", "CLibXXHash", "CLibCrypto", "CSimdJSON"]),
    library("CacheFetch", ["CacheModel", "CachePlan", "CLibCurl"]),

    .target(name: "CLinux"),
    .target(name: "CLibCurl"),
    .systemLibrary(name: "CLibXXHash", providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(name: "CLibCrypto", providers: [.apt(["libssl-dev"])]),
    .target(
      name: "CSimdJSON",
      linkerSettings: [.linkedLibrary("simdjson")]),

    tests("CacheModel"),
    tests("CachePlan", ["CacheModel"]),
    tests("CacheStore", ["CacheModel"]),
    tests("CacheFetch", ["CacheModel", "CachePlan", "TestSupport"]),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
  ],
  cxxLanguageStandard: .cxx17
)
