// swift-tools-version: 6.2

import PackageDescription

// The tests of the Swift client. The client itself is a product of the manifest at the root of the repository, so that
// the tests build it as an app does.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "login-gateway-client-tests",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "login-gateway", path: "../..")],
    targets: [
        .testTarget(
            name: "GatewayClientTests",
            dependencies: [
                .product(name: "GatewayClient", package: "login-gateway"),
                .product(name: "GatewayClientTesting", package: "login-gateway"),
            ],
            swiftSettings: settings)
    ]
)
