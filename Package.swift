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

/// A program that shows how the library is used; the tests run it.
func example(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Examples/" + name, swiftSettings: strict)
}

/// The tests of one target.
func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: [.byName(name: name), "TestSupport"] + dependencies,
    swiftSettings: strict)
}

let package = Package(
  name: "cachectl",
  products: [
    .executable(name: "cachectl", targets: ["cachectl"]),
    .executable(name: "cachectl-decode", targets: ["cachectl-decode"]),
    // What `make install` installs as libcachectl.so and libcachectl.a, with cachectl.h.
    .library(name: "cachectl-shared", type: .dynamic, targets: ["CachectlC"]),
    .library(name: "cachectl-static", type: .static, targets: ["CachectlC"]),
    .library(name: "CacheStore", targets: ["CacheStore", "CacheModel"]),
    .library(
      name: "ImageCache",
      targets: ["ImageCache", "CacheStore", "CacheFetch", "CachePlan", "CacheModel"]),
  ],
  targets: [
    .executableTarget(name: "cachectl", dependencies: ["CachectlCLI"], swiftSettings: strict),
    library(
      "CachectlCLI",
      ["CommandTable", "CacheModel", "CachePlan", "CacheStore", "CacheFetch", "ImageCache"]),
    library("CommandTable"),
    library("CacheModel"),
    library("CachePlan", ["CacheModel"]),
    library(
      "CacheStore", ["CacheModel", "CLinux", "CLibXXHash", "CFastHash", "CLibCrypto", "CSimdJSON"]),
    library("CacheFetch", ["CacheModel", "CachePlan", "CLibCurl"]),
    library("ImageCache", ["CacheModel", "CachePlan", "CacheStore", "CacheFetch"]),

    library("CachectlC", ["CacheModel", "CacheStore", "CacheFetch", "ImageCache", "CCachectl"]),
    .target(name: "CCachectl"),
    .target(name: "CLinux"),
    .target(name: "CFastHash"),
    .target(name: "CLibCurl"),
    // Apart from cachectl: what decodes images of strangers shares no process with it.
    .executableTarget(
      name: "cachectl-decode",
      linkerSettings: ["jpeg", "png", "gif", "webp", "webpdemux", "avif", "expat", "seccomp"].map {
        .linkedLibrary($0)
      }),
    .systemLibrary(name: "CLibXXHash", providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(name: "CLibCrypto", providers: [.apt(["libssl-dev"])]),
    .target(
      name: "CSimdJSON",
      linkerSettings: [.linkedLibrary("simdjson")]),

    tests("CommandTable", ["ExampleTool", "SeededRandom"]),
    .executableTarget(
      name: "ExampleTool", dependencies: ["CommandTable"], path: "Tests/Fixtures/ExampleTool",
      swiftSettings: strict),
    .executableTarget(
      name: "cachectl-bench",
      dependencies: ["ImageCache", "CacheStore", "CacheFetch", "CacheModel", "SeededRandom"],
      path: "Benchmarks/Tool",
      swiftSettings: strict),
    example("ImageProxy", ["ImageCache", "CacheStore", "CacheFetch", "CachePlan"]),
    example("Thumbnailer", ["ImageCache", "CacheStore", "CacheFetch"]),
    example("ProfileImages", ["ImageCache", "CacheStore", "CacheFetch", "CachePlan"]),
    .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: strict),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(name: "ProjectTests", dependencies: ["TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "SoakTests", dependencies: ["TestSupport", "SeededRandom", "cachectl-bench"],
      swiftSettings: strict),
    .testTarget(
      name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: strict),
    tests("CachectlCLI", ["CommandTable", "CacheModel", "CacheStore", "SeededRandom"]),
    tests("CacheModel"),
    tests("CachePlan", ["CacheModel", "SeededRandom"]),
    tests("CacheStore", ["CacheModel", "CachePlan", "SeededRandom", "cachectl-decode"]),
    tests("CacheFetch", ["CacheModel", "CachePlan"]),
    tests(
      "ImageCache",
      [
        "CacheModel", "CachePlan", "CacheStore", "CacheFetch", "SeededRandom", "ImageProxy",
        "Thumbnailer", "ProfileImages",
      ]),
  ],
  cxxLanguageStandard: .cxx17
)
