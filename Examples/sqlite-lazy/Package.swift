// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "sqlite-lazy",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "TreeKit", path: "../..")],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .target(name: "Library", dependencies: ["CSQLite", .product(name: "TreeKit", package: "TreeKit")]),
    .executableTarget(name: "sqlite-lazy", dependencies: ["Library"]),
    .testTarget(name: "LibraryTests", dependencies: ["Library"]),
  ],
  swiftLanguageModes: [.v6]
)
