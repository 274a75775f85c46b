// swift-tools-version: 6.2
// Benchmarks of the Swift layer: a package of its own, so that users of TreeKit never need what it takes.
import PackageDescription

let treeKit: [Target.Dependency] = [
  .product(name: "TreeKit", package: "TreeKit"), .product(name: "CTreeCore", package: "TreeKit"), "PeerHarness",
]

let package = Package(
  name: "TreeKitBenchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "TreeKit", path: "../..")],
  targets: [
    // The same files as for the peers in C++, by a symbolic link.
    .target(name: "PeerHarness", dependencies: [.product(name: "CTreeCore", package: "TreeKit")]),
    .executableTarget(name: "outlinebench", dependencies: treeKit),
    .executableTarget(name: "indexbench", dependencies: treeKit),
    .executableTarget(name: "diffbench", dependencies: treeKit),
    .executableTarget(name: "layerbench", dependencies: treeKit),
    .executableTarget(name: "togglebench", dependencies: treeKit),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
