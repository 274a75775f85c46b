// swift-tools-version: 6.2
// Benchmarks of the Swift layer: a package of its own, so that users of TreeKit never need what it takes.
import PackageDescription

let package = Package(
  name: "TreeKitBenchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "TreeKit", path: "../..")],
  targets: [
    .executableTarget(
      name: "diffbench",
      dependencies: [
        .product(name: "TreeKit", package: "TreeKit"), .product(name: "CTreeCore", package: "TreeKit"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
