// swift-tools-version: 6.2
import PackageDescription

// scripts/test-outside puts this package beside a copy of the clone in a folder called x.
let package = Package(
  name: "app",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "TreeKit", path: "../x")],
  targets: [
    .executableTarget(
      name: "app",
      dependencies: [
        "Screens",
        .product(name: "TreeKit", package: "TreeKit"),
        .product(name: "CTreeCore", package: "TreeKit"),
      ]
    ),
    // As Xcode sets up an app: everything belongs to the main actor unless it says otherwise.
    .target(
      name: "Screens",
      dependencies: [.product(name: "TreeKit", package: "TreeKit")],
      swiftSettings: [.defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
