// swift-tools-version: 6.2
import PackageDescription

// scripts/test-outside puts this package beside a copy of the clone in a folder called x.
let package = Package(
  name: "app",
  dependencies: [.package(name: "TreeKit", path: "../x")],
  targets: [
    .executableTarget(
      name: "app",
      dependencies: [
        .product(name: "TreeKit", package: "TreeKit"),
        .product(name: "CTreeCore", package: "TreeKit"),
      ]
    )
  ]
)
