// swift-tools-version: 6.2

import PackageDescription

/// One set of settings for every target: what weakens them belongs in review, not in a corner of one target.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "login-gateway",
    products: [
        .executable(name: "gateway", targets: ["Gateway"]),
        // For development and tests: no image, package or `make release` contains it.
        .executable(name: "provider-simulator", targets: ["ProviderSimulator"]),
    ],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache.git", exact: "2.1.1"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", exact: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams.git", exact: "6.2.2"),
        .package(url: "https://github.com/apple/swift-configuration.git", exact: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", exact: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-http-types.git", exact: "1.8.0", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", exact: "2.13.0"),
    ],
    targets: [
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CIDN2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        .systemLibrary(name: "CCrypt", pkgConfig: "libxcrypt", providers: [.apt(["libcrypt-dev"])]),
        .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        .target(name: "JSON", swiftSettings: settings),
        .target(
            name: "Cryptography", dependencies: ["JSON", "COpenSSL", "CArgon2", "CCrypt"], swiftSettings: settings),
        .target(name: "Settings", dependencies: ["Cryptography"], swiftSettings: settings),
        .target(name: "WebAuthn", dependencies: ["JSON", "Cryptography"], swiftSettings: settings),
        .target(
            name: "Postgres", dependencies: ["CPostgres", logging, metrics, lifecycle],
            resources: [.copy("Schema"), .copy("Functions")], swiftSettings: settings),
        .target(
            name: "Providers", dependencies: ["JSON", "Cryptography", "Settings", "CCurl", "CIDN2", logging, metrics],
            swiftSettings: settings),
        .target(
            name: "Accounts", dependencies: ["JSON", "Cryptography", "Postgres", "Providers"], swiftSettings: settings),
        .target(
            name: "Sessions",
            dependencies: [
                "JSON", "Accounts", "Cryptography", "Postgres", "Providers", "WebAuthn", logging, metrics, lifecycle,
            ],
            resources: [.copy("Delivery/Messages")], swiftSettings: settings),
        .target(
            name: "Admin",
            dependencies: [
                "JSON", "Accounts", "Cryptography", "Postgres", "Providers", "Sessions", logging, metrics, lifecycle,
            ],
            swiftSettings: settings),
        .target(
            name: "Telemetry",
            dependencies: ["JSON", "Cryptography", "Sessions", "Settings", logging, metrics],
            swiftSettings: settings),
        .target(
            name: "HTTPServer",
            dependencies: [
                "JSON", "Accounts", "Sessions", "Settings", "Telemetry", "WebAuthn", "CZlib", hummingbird, httpTypes,
                nioCore, logging, lifecycle,
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings),
        .target(
            name: "AdminHTTP",
            dependencies: ["JSON", "Admin", "HTTPServer", "Settings", hummingbird, httpTypes, lifecycle],
            swiftSettings: settings),
        .target(
            name: "REST",
            dependencies: [
                "JSON", "Accounts", "Admin", "AdminHTTP", "HTTPServer", "Providers", "Sessions", "Telemetry",
                "WebAuthn", hummingbird, httpTypes, nioCore, logging,
            ],
            swiftSettings: settings),
        .target(
            name: "Pages",
            dependencies: [
                "JSON", "Accounts", "Cryptography", "HTTPServer", "Providers", "Sessions", hummingbird, httpTypes,
                logging, .product(name: "Mustache", package: "swift-mustache"),
            ],
            resources: [.copy("Templates"), .copy("Messages"), .copy("Assets")], swiftSettings: settings),
        .target(
            name: "Web",
            dependencies: [
                "JSON", "Accounts", "HTTPServer", "Pages", "Providers", "Sessions", "Telemetry", "WebAuthn",
                "CQREncode", hummingbird, httpTypes, nioCore, logging,
            ],
            swiftSettings: settings),
        .target(
            name: "Console",
            dependencies: [
                "JSON", "Accounts", "Admin", "AdminHTTP", "HTTPServer", "Pages", "Sessions", "Telemetry", hummingbird,
                httpTypes,
            ],
            swiftSettings: settings),
        .target(
            name: "Cognito",
            dependencies: [
                "JSON", "Accounts", "Admin", "HTTPServer", "Pages", "Providers", "Sessions", "WebAuthn", hummingbird,
                httpTypes, nioCore, logging,
            ],
            swiftSettings: settings),
        .target(
            name: "NativeAuth",
            dependencies: [
                "JSON", "Accounts", "HTTPServer", "Pages", "Sessions", "Telemetry", hummingbird, httpTypes, nioCore,
                logging,
            ],
            swiftSettings: settings),
        .target(
            name: "GatewaySettings",
            dependencies: [
                "Accounts", "Admin", "Cryptography", "HTTPServer", "Postgres", "Providers", "Sessions", "Settings",
                "Telemetry", "WebAuthn", logging,
                .product(name: "Configuration", package: "swift-configuration"),
            ],
            swiftSettings: settings),
        .target(
            name: "Commands",
            dependencies: [
                "JSON", "Accounts", "Admin", "Cryptography", "GatewaySettings", "HTTPServer", "Postgres", "Providers",
                "Sessions", "Settings", "Telemetry", arguments, logging, metrics,
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "Gateway",
            dependencies: [
                "Accounts", "Admin", "AdminHTTP", "Cognito", "Commands", "Console", "Cryptography",
                "GatewaySettings", "HTTPServer", "NativeAuth", "Pages", "Postgres", "Providers", "REST", "Sessions",
                "Settings", "Telemetry", "Web", arguments, hummingbird, logging, lifecycle,
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "ProviderSimulator",
            dependencies: [
                "JSON", "Cryptography", hummingbird, arguments, logging, httpTypes, nioCore,
            ],
            swiftSettings: settings),

        .target(
            name: "TestSupport", dependencies: ["Postgres", logging], path: "Tests/TestSupport", swiftSettings: settings
        ),
        .target(
            name: "WebAuthnTestAuthenticator", dependencies: ["JSON", "Cryptography"],
            path: "Tests/WebAuthnTestAuthenticator", swiftSettings: settings),
        .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: settings),
        .testTarget(
            name: "CryptographyTests",
            dependencies: ["Cryptography", "JSON", "TestSupport"],
            exclude: ["certificates.py", "second_opinion.py"], swiftSettings: settings),
        .testTarget(
            name: "WebAuthnTests", dependencies: ["WebAuthn", "WebAuthnTestAuthenticator", "JSON", "Cryptography"],
            swiftSettings: settings),
        .testTarget(name: "PostgresTests", dependencies: ["Postgres", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "ProvidersTests",
            dependencies: ["Providers", "Cryptography", "JSON", "Settings", "CCurl", "TestSupport", logging],
            exclude: ["Support/moto_pool.py", "Support/tls_server.py"], swiftSettings: settings),
        .testTarget(
            name: "AccountsTests", dependencies: ["Accounts", "Cryptography", "Postgres", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "AdminTests",
            dependencies: ["Admin", "Accounts", "Cryptography", "JSON", "Postgres", "Providers", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "SessionsTests", dependencies: ["Sessions", "TestSupport", logging], swiftSettings: settings),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "Gateway", "AdminHTTP", "Cognito", "Commands", "Console", "GatewaySettings", "HTTPServer",
                "NativeAuth", "Pages", "REST", "Telemetry", "Web",
                "ProviderSimulator", "TestSupport", "WebAuthnTestAuthenticator", "JSON", "Cryptography",
                "Postgres", "Providers", "Accounts", "Admin", "Sessions", "Settings",
                hummingbird, httpTypes, nioCore, logging, metrics, lifecycle,
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            exclude: ["Cognito/boto3_calls.py"], swiftSettings: settings),
    ]
)
