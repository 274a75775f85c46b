// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "outline",
  platforms: [.macOS(.v13)],
  products: [.executable(name: "outline", targets: ["outline"])],
  dependencies: [.package(name: "TreeKit", path: "../..")],
  targets: [
    // Without pkg-config: the flags of ncursesw's file are among those that SwiftPM refuses.
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
    .target(name: "OutlineModel", dependencies: [.product(name: "TreeKit", package: "TreeKit")]),
    .executableTarget(
      name: "outline",
      dependencies: ["OutlineModel", .target(name: "CNcurses", condition: .when(platforms: [.linux]))]),
    .testTarget(name: "OutlineTests", dependencies: ["OutlineModel", .product(name: "TreeKit", package: "TreeKit")]),
  ],
  swiftLanguageModes: [.v6]
)
