// swift-tools-version: 6.2

import PackageDescription

// An app that takes the client as every app does: by address and version. scripts/test-client-package.sh copies this
// folder, and publishes the repository for it.
let package = Package(
    name: "ClientApp",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(url: Context.environment["CLIENT_REPOSITORY"] ?? "file:///login-gateway", from: "1.0.0")
    ],
    targets: [
        // The server has a target of this name too.
        .target(name: "Settings"),
        .target(name: "App", dependencies: ["Settings", .product(name: "GatewayClient", package: "login-gateway")]),
        .testTarget(
            name: "ClientAppTests",
            dependencies: ["App", .product(name: "GatewayClientTesting", package: "login-gateway")]),
    ]
)
