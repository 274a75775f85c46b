// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "crossing",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "TreeKit", path: "../../..")],
  targets: [.executableTarget(name: "crossing", dependencies: [.product(name: "TreeKit", package: "TreeKit")])],
  swiftLanguageModes: [.v6]
)
