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
        "Telemetry": ["JSON", "Cryptography", "Settings", "Sessions"],
        "HTTPServer": ["CZlib", "JSON", "Settings", "WebAuthn", "Accounts", "Sessions", "Telemetry"],
        "AdminHTTP": ["JSON", "Settings", "Admin", "HTTPServer"],
        "Pages": ["JSON", "Cryptography", "Providers", "Accounts", "Sessions", "HTTPServer"],
        "GatewaySettings": [
            "Cryptography", "Settings", "WebAuthn", "Postgres", "Providers", "Accounts", "Sessions", "Admin",
            "Telemetry", "HTTPServer",
        ],
        "Commands": [
            "JSON", "Cryptography", "Settings", "Postgres", "Providers", "Accounts", "Sessions", "Admin", "Telemetry",
            "HTTPServer", "GatewaySettings",
        ],
        "Gateway": [
            "Cryptography", "Settings", "Postgres", "Providers", "Accounts", "Sessions", "Admin", "Telemetry",
            "HTTPServer", "AdminHTTP", "Pages", "GatewaySettings", "Commands", "REST", "Web", "Console", "Cognito",
            "NativeAuth",
        ],
        "ProviderSimulator": ["JSON", "Cryptography"],
    ]
    /// The front doors, and the modules that each may import: never another front door.
    private static let doors: [String: Set<String>] = [
        "REST": [
            "JSON", "WebAuthn", "Providers", "Accounts", "Sessions", "Admin", "Telemetry", "HTTPServer", "AdminHTTP",
        ],
        "Web": [
            "CQREncode", "JSON", "WebAuthn", "Providers", "Accounts", "Sessions", "Telemetry", "HTTPServer", "Pages",
        ],
        "Console": ["JSON", "Accounts", "Sessions", "Admin", "Telemetry", "HTTPServer", "AdminHTTP", "Pages"],
        "Cognito": ["JSON", "WebAuthn", "Providers", "Accounts", "Sessions", "Admin", "HTTPServer", "Pages"],
        "NativeAuth": ["JSON", "Accounts", "Sessions", "Telemetry", "HTTPServer", "Pages"],
    ]
    private static let all = arrows.merging(doors) { first, _ in first }
    private static let libraries: Set<String> = [
        "COpenSSL", "CArgon2", "CCrypt", "CPostgres", "CCurl", "CIDN2", "CQREncode", "CZlib",
    ]
    private static let ours = libraries.union(all.keys)

    @Test("a module imports only lower modules", arguments: all.keys.sorted())
    func modules(module: String) throws {
        let files = try Pages.swiftFiles("Sources/\(module)")
        #expect(!files.isEmpty)
        for file in files {
            let imported = try Pages.imports(file).intersection(Self.ours)
            #expect(imported.isSubset(of: Self.all[module] ?? []), "\(file)")
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

    @Test("no front door imports another")
    func separateDoors() {
        for (door, imported) in Self.doors { #expect(imported.isDisjoint(with: Self.doors.keys), "\(door)") }
    }

    @Test("only the front doors, the server below them and the simulator speak HTTP to callers")
    func coreWithoutDoors() throws {
        let http: Set = ["Hummingbird", "HummingbirdCore", "HTTPTypes", "NIOCore", "NIOPosix"]
        let speakers = Self.doors.keys + ["HTTPServer", "AdminHTTP", "Pages", "Gateway", "ProviderSimulator"]
        for file in try Pages.swiftFiles("Sources") where !speakers.contains(Self.module(file)) {
            #expect(try Pages.imports(file).isDisjoint(with: http), "\(file)")
        }
    }

    @Test("only commands read a command line, and only they and the settings read the environment")
    func commandLine() throws {
        for file in try Pages.swiftFiles("Sources") {
            let (module, imported) = (Self.module(file), try Pages.imports(file))
            let isCommand = ["Commands", "Gateway", "ProviderSimulator"].contains(module)
            #expect(isCommand || !imported.contains("ArgumentParser"), "\(file)")
            #expect(isCommand || module == "GatewaySettings" || !imported.contains("Configuration"), "\(file)")
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
        "Sources/REST/RESTBody.swift": ["Providers"],
        // `PresentedCredential` and `ChallengePrompt` carry JSON that only the doors and the adapters read.
        "Sources/REST/RESTSignInDoor+SignIn.swift": ["Providers"],
        "Sources/REST/RESTAccountDoor+Profile.swift": ["Providers"],
        "Sources/REST/RESTNextStep.swift": ["Providers"],
        "Sources/Web/StepForm.swift": ["Providers"],
        "Sources/Cognito/CognitoChallenge.swift": ["Providers"],
        "Sources/Cognito/CognitoFederation.swift": ["Providers"],
    ]

    @Test("a front door calls services: no database, no provider, no key")
    func frontDoors() throws {
        let folders = (Self.doors.keys + ["AdminHTTP", "Pages/Browser"]).map { "Sources/\($0)" }
        for file in try folders.flatMap(Pages.swiftFiles) {
            let imported = try Pages.imports(file).intersection(["Postgres", "Providers", "Cryptography"])
            #expect(imported == Self.exceptions[file, default: []], "\(file)")
        }
    }

    @Test("of the gateway, only the construction, the operator's commands and the settings reach the database")
    func databaseUsers() throws {
        let allowed = [
            "Gateway/Application.swift", "Gateway/Core.swift", "Gateway/Services.swift", "Gateway/StartPatience.swift",
            "Commands/", "GatewaySettings/DatabaseConfiguration.swift",
        ]
        for file in try Pages.gatewayFiles() where try Pages.imports(file).contains("Postgres") {
            #expect(allowed.contains { file.hasPrefix("Sources/\($0)") }, "\(file)")
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
