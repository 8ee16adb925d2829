// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "SampleLogic",
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [.library(name: "SampleLogic", targets: ["SampleLogic"])],
    dependencies: [.package(name: "login-gateway", path: "../../..")],
    targets: [
        .target(
            name: "SampleLogic", dependencies: [.product(name: "GatewayClient", package: "login-gateway")],
            swiftSettings: settings),
        .testTarget(
            name: "SampleLogicTests",
            dependencies: ["SampleLogic", .product(name: "GatewayClientTesting", package: "login-gateway")],
            swiftSettings: settings),
    ]
)
