// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "TreeKit",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "TreeKit", targets: ["TreeKit"]),
    .library(name: "TreeKitTesting", targets: ["TreeKitTesting"]),
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
    .target(
      name: "TreeKitTesting",
      dependencies: ["TreeKit"],
      path: "Sources/TreeKitTesting",
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
    .testTarget(
      name: "TreeKitTestingTests",
      dependencies: ["TreeKit", "TreeKitTesting"],
      path: "Tests/TreeKitTestingTests"
    ),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c11
)
