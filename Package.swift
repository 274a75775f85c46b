// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "TreeKit",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "TreeKit", targets: ["TreeKit"]),
    .library(name: "CTreeCore", targets: ["CTreeCore"]),
  ],
  targets: [
    .target(
      name: "CTreeCore",
      path: "Sources/CTreeCore",
      publicHeadersPath: "include",
      cSettings: [.headerSearchPath(".")]
    ),
    .target(
      name: "TreeKit",
      dependencies: ["CTreeCore"],
      path: "Sources/TreeKit",
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]
    ),
    .testTarget(
      name: "TreeKitTests",
      dependencies: ["TreeKit", "CTreeCore"],
      path: "Tests/TreeKitTests"
    ),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c11
)
