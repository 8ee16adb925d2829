// swift-tools-version: 6.2

import PackageDescription

/// The manifest for a copy of this folder.
let package = Package(
    name: "sample-api",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1"),
        .package(url: "https://github.com/vapor/jwt-kit.git", exact: "5.7.1"),
    ],
    targets: [
        .executableTarget(
            name: "SampleAPI",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "JWTKit", package: "jwt-kit"),
            ])
    ]
)
