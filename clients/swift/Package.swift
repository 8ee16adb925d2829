// swift-tools-version: 6.0

import PackageDescription

// This manifest has no dependency: SwiftPM fetches every dependency of a manifest for each app, used or not.
// Warnings are errors only in our own tests (scripts/lib/client-tests.sh): in an app, a later compiler's warning must
// not stop the build.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "login-gateway-client",
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [.library(name: "GatewayClient", targets: ["GatewayClient"])],
    targets: [
        .target(name: "GatewayClient", swiftSettings: settings),
        .testTarget(name: "GatewayClientTests", dependencies: ["GatewayClient"], swiftSettings: settings),
    ]
)
