// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "outline",
  platforms: [.macOS(.v13)],
  products: [.executable(name: "outline", targets: ["outline"])],
  dependencies: [.package(name: "TreeKit", path: "../..")],
  targets: [
    .target(name: "OutlineModel", dependencies: [.product(name: "TreeKit", package: "TreeKit")]),
    .executableTarget(name: "outline", dependencies: ["OutlineModel"]),
    .testTarget(name: "OutlineTests", dependencies: ["OutlineModel", .product(name: "TreeKit", package: "TreeKit")]),
  ],
  swiftLanguageModes: [.v6]
)
