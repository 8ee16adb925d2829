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
        .target(name: "Traces", swiftSettings: settings),
        .target(
            name: "Cryptography", dependencies: ["JSON", "Traces", "COpenSSL", "CArgon2", "CCrypt"],
            swiftSettings: settings),
        .target(name: "Settings", dependencies: ["Cryptography"], swiftSettings: settings),
        .target(name: "WebAuthn", dependencies: ["JSON", "Cryptography"], swiftSettings: settings),
        .target(
            name: "Postgres", dependencies: ["Traces", "CPostgres", logging, metrics, lifecycle],
            resources: [.copy("Schema"), .copy("Functions")], swiftSettings: settings),
        .target(
            name: "Outbound",
            dependencies: [
                "Cryptography", "Traces", "CCurl",
            ], swiftSettings: settings),
        .target(
            name: "Providers",
            dependencies: [
                "JSON", "Cryptography", "Settings", "Outbound", "CIDN2", logging, metrics,
            ],
            swiftSettings: settings),
        .target(
            name: "Vocabulary",
            dependencies: [
                "JSON", "Cryptography", "WebAuthn", "Postgres", "Outbound", "Providers", logging, lifecycle,
            ], swiftSettings: settings),
        .target(
            name: "OperatorAccess",
            dependencies: [
                "JSON", "Cryptography", "Postgres", "Providers", "Vocabulary",
            ],
            swiftSettings: settings),
        .target(
            name: "Audit",
            dependencies: [
                "JSON", "Cryptography", "Postgres", "Vocabulary", "OperatorAccess", logging, metrics, lifecycle,
            ],
            swiftSettings: settings),
        .target(
            name: "Clients",
            dependencies: [
                "JSON", "Cryptography", "Settings", "Postgres", "Outbound", "Providers", "Vocabulary", "OperatorAccess",
                logging,
            ],
            swiftSettings: settings),
        .target(
            name: "Messages",
            dependencies: [
                "JSON", "Cryptography", "Postgres", "Outbound", "Providers", "Vocabulary", "OperatorAccess",
                "Clients", logging, metrics, lifecycle,
            ],
            resources: [.copy("Texts")], swiftSettings: settings),
        .target(
            name: "Sessions",
            dependencies: [
                "JSON", "Cryptography", "Postgres", "Outbound", "Providers", "Vocabulary", "Clients", "Messages",
                logging, metrics, lifecycle,
            ],
            swiftSettings: settings),
        .target(
            name: "Accounts",
            dependencies: [
                "JSON", "Cryptography", "Postgres", "Outbound", "Providers", "Vocabulary", "OperatorAccess",
                "Clients", "Messages", "Sessions", logging, metrics, lifecycle,
            ],
            swiftSettings: settings),
        .target(
            name: "SignIn",
            dependencies: [
                "JSON", "Cryptography", "WebAuthn", "Postgres", "Outbound", "Providers", "Vocabulary", "Clients",
                "Messages", "Sessions", "Accounts", logging, metrics,
            ],
            swiftSettings: settings),
        .target(
            name: "Authorization",
            dependencies: [
                "JSON", "Cryptography", "Postgres", "Outbound", "Vocabulary", "Clients", "Sessions", "SignIn", logging,
                metrics, lifecycle,
            ],
            swiftSettings: settings),
        .target(
            name: "Operators",
            dependencies: [
                "JSON", "Cryptography", "Postgres", "Outbound", "Providers", "Vocabulary", "OperatorAccess",
                "Audit", "Clients", "Messages", "Sessions", "Accounts", logging, metrics, lifecycle,
            ],
            swiftSettings: settings),
        .target(
            name: "Telemetry",
            dependencies: [
                "JSON", "Cryptography", "Settings", "Traces", "Outbound", "Vocabulary", logging, metrics, lifecycle,
            ],
            swiftSettings: settings),
        .target(
            name: "HTTPServer",
            dependencies: [
                "JSON", "Settings", "Traces", "WebAuthn", "Vocabulary", "Audit", "Clients", "Sessions", "Accounts",
                "SignIn", "Authorization", "Telemetry", "CZlib", hummingbird, httpTypes, nioCore, logging, lifecycle,
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings),
        .target(
            name: "AdminHTTP",
            dependencies: [
                "JSON", "Settings", "OperatorAccess", "Audit", "HTTPServer", hummingbird, httpTypes, lifecycle,
            ],
            swiftSettings: settings),
        .target(
            name: "REST",
            dependencies: [
                "JSON", "WebAuthn", "Providers", "Vocabulary", "OperatorAccess", "Audit", "Clients", "Messages",
                "Sessions", "Accounts", "SignIn", "Authorization", "Operators", "Telemetry", "HTTPServer", "AdminHTTP",
                hummingbird, httpTypes, nioCore, logging,
            ],
            swiftSettings: settings),
        .target(
            name: "Pages",
            dependencies: [
                "CQREncode", "JSON", "Cryptography", "Providers", "Vocabulary", "Clients", "Sessions", "SignIn",
                "HTTPServer", hummingbird, httpTypes, logging,
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            resources: [.copy("Templates"), .copy("Messages"), .copy("Assets")], swiftSettings: settings),
        .target(
            name: "Web",
            dependencies: [
                "JSON", "WebAuthn", "Vocabulary", "Clients", "Messages", "Sessions", "Accounts",
                "SignIn", "Authorization", "Telemetry", "HTTPServer", "Pages", hummingbird, httpTypes,
                nioCore, logging,
            ],
            swiftSettings: settings),
        .target(
            name: "Console",
            dependencies: [
                "JSON", "Traces", "Vocabulary", "OperatorAccess", "Audit", "Clients", "Messages", "Sessions",
                "Accounts", "SignIn", "Operators", "Telemetry", "HTTPServer", "AdminHTTP", "Pages", hummingbird,
                httpTypes,
            ],
            swiftSettings: settings),
        .target(
            name: "Cognito",
            dependencies: [
                "JSON", "WebAuthn", "Providers", "Vocabulary", "OperatorAccess", "Clients", "Messages", "Sessions",
                "Accounts", "SignIn", "Operators", "HTTPServer", "Pages", hummingbird, httpTypes, nioCore, logging,
            ],
            swiftSettings: settings),
        .target(
            name: "NativeAuth",
            dependencies: [
                "JSON", "Vocabulary", "Clients", "Messages", "Sessions", "SignIn", "Telemetry", "HTTPServer",
                "Pages", hummingbird, httpTypes, nioCore, logging,
            ],
            swiftSettings: settings),
        .target(
            name: "OpenID",
            dependencies: [
                "JSON", "Vocabulary", "OperatorAccess", "Clients", "Sessions", "Accounts", "SignIn", "Authorization",
                "HTTPServer", "AdminHTTP", "Pages", hummingbird, httpTypes, nioCore,
            ],
            swiftSettings: settings),
        .target(
            name: "GatewaySettings",
            dependencies: [
                "Cryptography", "Settings", "WebAuthn", "Postgres", "Outbound", "Providers", "Vocabulary",
                "OperatorAccess", "Audit", "Clients", "Messages", "Sessions", "Accounts", "Operators", "Telemetry",
                "HTTPServer", logging,
                .product(name: "Configuration", package: "swift-configuration"),
            ],
            swiftSettings: settings),
        .target(name: "Attacks", dependencies: ["JSON", "Cryptography", "Outbound"], swiftSettings: settings),
        .target(
            name: "Commands",
            dependencies: [
                "Attacks", "JSON", "Cryptography", "Settings", "Postgres", "Outbound", "Providers", "Vocabulary",
                "OperatorAccess", "Audit", "Clients", "Messages", "Sessions", "Accounts", "Operators", "Telemetry",
                "HTTPServer", "GatewaySettings", arguments, logging, metrics,
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "Gateway",
            dependencies: [
                "Cryptography", "Settings", "Postgres", "Outbound", "Providers", "Vocabulary", "OperatorAccess",
                "Audit", "Clients", "Messages", "Sessions", "Accounts", "SignIn", "Authorization", "Operators",
                "Telemetry", "HTTPServer", "AdminHTTP", "REST", "OpenID", "Pages", "Web", "Console", "Cognito",
                "NativeAuth", "GatewaySettings", "Commands", arguments, logging, lifecycle,
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
            name: "TestSupport", dependencies: ["JSON", "Cryptography", "Outbound", "Postgres", logging],
            path: "Tests/TestSupport",
            swiftSettings: settings
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
        .testTarget(
            name: "PostgresTests", dependencies: ["Postgres", "Traces", "TestSupport"],
            exclude: ["published-schema.txt"], swiftSettings: settings),
        .testTarget(
            name: "OutboundTests",
            dependencies: [
                "Outbound", "Messages", "Cryptography", "JSON", "Traces", "CCurl", "TestSupport",
            ],
            exclude: ["tls_server.py"], swiftSettings: settings),
        .testTarget(
            name: "ProvidersTests",
            dependencies: ["Providers", "Outbound", "Cryptography", "JSON", "TestSupport", logging],
            exclude: ["Support/moto_pool.py"], swiftSettings: settings),
        .testTarget(
            name: "CoreTests",
            dependencies: [
                "JSON", "Cryptography", "Postgres", "Outbound", "Providers", "Vocabulary", "OperatorAccess",
                "Audit", "Clients", "Messages", "Sessions", "Accounts", "SignIn", "Authorization", "Operators",
                "TestSupport",
                logging,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "Gateway", "AdminHTTP", "Attacks", "Cognito", "Commands", "Console", "GatewaySettings", "HTTPServer",
                "NativeAuth", "OpenID", "Pages", "REST", "Telemetry", "Web",
                "ProviderSimulator", "TestSupport", "WebAuthnTestAuthenticator", "JSON", "Cryptography",
                "Postgres", "Providers", "Outbound", "Traces", "Vocabulary", "OperatorAccess", "Audit", "Clients",
                "Messages", "Sessions", "Accounts", "SignIn", "Authorization", "Operators", "Settings",
                arguments, hummingbird, httpTypes, nioCore, logging, metrics, lifecycle,
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            exclude: [
                "Cognito/boto3_calls.py", "OpenID/authlib_party.py", "OpenID/django_allauth_party.py",
                "OpenID/go_oidc_party.go", "OpenID/idpyoidc_party.py", "OpenID/mcp_agent.py",
                "OpenID/mod_auth_openidc.conf", "OpenID/mod_auth_openidc_party.py", "OpenID/oidc_agent_party.py",
            ],
            swiftSettings: settings),
    ]
)

// The fuzz targets (fuzz/README.md). No other build has this program, because it links libFuzzer.
if Context.environment["LOGIN_GATEWAY_FUZZ"] == "1" {
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "JSON", "Cryptography", "Settings", "WebAuthn", "Outbound", "Vocabulary", "Clients", "Sessions",
                "SignIn", "Authorization", "HTTPServer", "WebAuthnTestAuthenticator", httpTypes,
            ],
            path: "fuzz/Fuzz", swiftSettings: settings))
}

// What an app gets that takes the Swift client from this repository's address: that library alone. SwiftPM fetches every
// dependency of a manifest, and refuses two targets of one name, used or not (docs/decisions/0021). SwiftPM reads the
// manifest of a dependency at "/", and then in its folder `checkouts`. The server is built on Linux alone.
// LOGIN_GATEWAY_CLIENT=1 is for an app on Linux that takes this folder by its path; 0 is for a server below `checkouts`.
let place = Context.packageDirectory.split(separator: "/").dropLast().last
#if os(Linux)
    let isOfApp = Context.packageDirectory == "/" || place == "checkouts"
#else
    let isOfApp = true
#endif
if Context.environment["LOGIN_GATEWAY_CLIENT"].map({ $0 == "1" }) ?? isOfApp {
    // Warnings are no errors here: a later compiler's warning must not stop an app's build.
    let settings: [SwiftSetting] = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    package.platforms = [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)]
    package.products = [
        .library(name: "GatewayClient", targets: ["GatewayClient"]),
        // For the tests of an app: no app contains it.
        .library(name: "GatewayClientTesting", targets: ["GatewayClientTesting"]),
    ]
    package.dependencies = []
    package.targets = [
        .target(name: "GatewayClient", path: "clients/swift/Sources/GatewayClient", swiftSettings: settings),
        .target(
            name: "GatewayClientTesting", dependencies: ["GatewayClient"],
            path: "clients/swift/Sources/GatewayClientTesting", swiftSettings: settings),
    ]
}
