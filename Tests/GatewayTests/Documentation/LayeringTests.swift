import Foundation
import Testing

@Suite("The layers of docs/architecture.md")
struct LayeringTests {
    /// Our modules, and the modules that each may import.
    private static let arrows: [String: Set<String>] = [
        "JSON": [],
        "Cryptography": ["JSON", "COpenSSL", "CArgon2", "CCrypt"],
        "Settings": ["Cryptography"],
        "WebAuthn": ["JSON", "Cryptography"],
        "Postgres": ["CPostgres"],
        "Providers": ["JSON", "Cryptography", "Settings", "CCurl", "CIDN2"],
        "Accounts": ["JSON", "Cryptography", "Postgres", "Providers"],
        "Sessions": ["JSON", "Cryptography", "WebAuthn", "Postgres", "Providers", "Accounts"],
        "Admin": ["JSON", "Cryptography", "Postgres", "Providers", "Accounts", "Sessions"],
        "Gateway": [
            "CQREncode", "CZlib", "JSON", "Cryptography", "Settings", "WebAuthn", "Postgres", "Providers", "Accounts",
            "Sessions",
            "Admin",
        ],
        "ProviderSimulator": ["JSON", "Cryptography"],
    ]
    private static let libraries: Set<String> = [
        "COpenSSL", "CArgon2", "CCrypt", "CPostgres", "CCurl", "CIDN2", "CQREncode", "CZlib",
    ]
    private static let ours = libraries.union(arrows.keys)

    @Test("a module imports only lower modules", arguments: arrows.keys.sorted())
    func modules(module: String) throws {
        let files = try Pages.swiftFiles("Sources/\(module)")
        #expect(!files.isEmpty)
        for file in files {
            let imported = try Pages.imports(file).intersection(Self.ours)
            #expect(imported.isSubset(of: Self.arrows[module] ?? []), "\(file)")
        }
    }

    @Test("every C library is imported by one module", arguments: libraries.sorted())
    func cLibraries(library: String) throws {
        let users = Set(
            try Pages.swiftFiles("Sources").filter { try Pages.imports($0).contains(library) }.map(Self.module))
        #expect(users.count == 1, "\(users.sorted())")
    }

    @Test("only tests import the provider simulator")
    func simulator() throws {
        for file in try Pages.swiftFiles("Sources") {
            #expect(try !Pages.imports(file).contains("ProviderSimulator"), "\(file)")
        }
    }

    @Test("only the gateway and the simulator speak HTTP to callers or read a command line")
    func coreWithoutDoors() throws {
        let doors: Set = [
            "Hummingbird", "HummingbirdCore", "HTTPTypes", "NIOCore", "NIOPosix", "ArgumentParser", "Configuration",
        ]
        for file in try Pages.swiftFiles("Sources") where !["Gateway", "ProviderSimulator"].contains(Self.module(file))
        {
            #expect(try Pages.imports(file).isDisjoint(with: doors), "\(file)")
        }
    }

    @Test("the core names no JSON pointer and no step type of the API")
    func dialects() throws {
        let pointer = try Regex(#""/(response/|credential/|[a-z_]+")"#)
        let stepType = try Regex("(confirm|continue)_sign_(in|up)_with")
        for file in try Pages.swiftFiles("Sources/Sessions") {
            let text = try Pages.text(file)
            #expect(text.firstMatch(of: pointer) == nil, "\(file)")
            #expect(text.firstMatch(of: stepType) == nil, "\(file)")
        }
    }

    @Test("a step of the core knows no JSON")
    func stepsWithoutJSON() throws {
        let steps = try Pages.swiftFiles("Sources/Sessions").filter { file in
            try Pages.text(file).contains(": FlowStep {")
        }
        #expect(steps.count >= 6)
        for file in steps + ["Sources/Sessions/SignIn/SignInStep.swift", "Sources/Sessions/Steps/StepAnswer.swift"] {
            #expect(try !Pages.imports(file).contains("JSON"), "\(file)")
        }
    }

    /// The imports of front doors from below their services.
    private static let exceptions: [String: Set<String>] = [
        // `DisplayName` cleans the name of a device.
        "Sources/Gateway/FrontDoors/REST/RESTBody.swift": ["Providers"],
        // `PresentedCredential` and `ChallengePrompt` carry JSON that only the doors and the adapters read.
        "Sources/Gateway/FrontDoors/REST/RESTSignInDoor+SignIn.swift": ["Providers"],
        "Sources/Gateway/FrontDoors/REST/RESTAccountDoor+Profile.swift": ["Providers"],
        "Sources/Gateway/FrontDoors/REST/RESTNextStep.swift": ["Providers"],
        "Sources/Gateway/FrontDoors/Web/StepForm.swift": ["Providers"],
        "Sources/Gateway/FrontDoors/Cognito/CognitoChallenge.swift": ["Providers"],
        "Sources/Gateway/FrontDoors/Cognito/CognitoFederation.swift": ["Providers"],
    ]

    @Test("a front door calls services: no database, no provider, no key")
    func frontDoors() throws {
        for file in try Pages.swiftFiles("Sources/Gateway/FrontDoors") {
            let imported = try Pages.imports(file).intersection(["Postgres", "Providers", "Cryptography"])
            #expect(imported == Self.exceptions[file, default: []], "\(file)")
        }
    }

    @Test("of the gateway, only the construction, the operator's commands and the settings reach the database")
    func databaseUsers() throws {
        let allowed = [
            "Application.swift", "Core.swift", "Services.swift", "Schema.swift", "CommandLine/",
            "Configuration/DatabaseConfiguration.swift",
        ]
        for file in try Pages.swiftFiles("Sources/Gateway") where try Pages.imports(file).contains("Postgres") {
            #expect(allowed.contains { file.hasPrefix("Sources/Gateway/\($0)") }, "\(file)")
        }
    }

    @Test(
        "deciding types are pure: no database, network or clock",
        arguments: [
            "Sources/Sessions/SignIn/SignInMachine.swift", "Sources/Sessions/Web/LoginTarget.swift",
            "Sources/Sessions/Web/WebCallback.swift", "Sources/Sessions/Clients/RedirectURI.swift",
            "Sources/Accounts/Identities/LinkingPolicy.swift",
            "Sources/WebAuthn/Ceremonies/RelyingParty+Registration.swift",
            "Sources/WebAuthn/Ceremonies/RelyingParty+Assertion.swift",
            "Sources/Providers/OAuth/KeySetMachine.swift", "Sources/Providers/OAuth/RefreshSchedule.swift",
            "Sources/Providers/Outbound/CircuitBreaker.swift", "Sources/Postgres/PoolMachine.swift",
            "Sources/Admin/Audit/AuditChain.swift", "Sources/Admin/Audit/ChainWalk.swift",
        ])
    func pureMachines(file: String) throws {
        let impure: Set = [
            "Postgres", "CPostgres", "CCurl", "Hummingbird", "Logging", "Metrics", "Synchronization", "Glibc",
            "Dispatch",
        ]
        #expect(try Pages.imports(file).isDisjoint(with: impure))
        let text = try Pages.text(file)
        for call in ["Date()", ".now", "await ", "random("] { #expect(!text.contains(call), "\(call)") }
    }

    private static func module(_ file: String) -> String {
        let parts = file.split(separator: "/")
        return parts.count > 1 ? String(parts[1]) : ""
    }
}
