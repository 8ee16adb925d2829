// swift-tools-version: 6.2

import PackageDescription

/// A server that only answers: the cost of the HTTP library alone, for comparison with the gateway.
let package = Package(
    name: "bare",
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1")
    ],
    targets: [
        .executableTarget(name: "Bare", dependencies: [.product(name: "Hummingbird", package: "hummingbird")])
    ]
)
