import Foundation
import Testing

@Suite("The layers of docs/architecture.md")
struct LayeringTests {
    /// Our modules, and the modules that each may import.
    private static let arrows: [String: Set<String>] = [
        "JSON": [],
        "Traces": [],
        "Cryptography": ["CArgon2", "CCrypt", "COpenSSL", "JSON", "Traces"],
        "Settings": ["Cryptography"],
        "WebAuthn": ["JSON", "Cryptography"],
        "Postgres": ["CPostgres", "Traces"],
        "Outbound": ["CCurl", "Cryptography", "Traces"],
        "Providers": ["CIDN2", "JSON", "Cryptography", "Settings", "Outbound"],
        "Vocabulary": ["JSON", "Cryptography", "WebAuthn", "Postgres", "Outbound", "Providers"],
        "OperatorAccess": ["JSON", "Cryptography", "Postgres", "Providers", "Vocabulary"],
        "Audit": ["JSON", "Cryptography", "Postgres", "Vocabulary", "OperatorAccess"],
        "Clients": [
            "JSON", "Cryptography", "Settings", "Postgres", "Outbound", "Providers", "Vocabulary", "OperatorAccess",
        ],
        "Messages": [
            "JSON", "Cryptography", "Postgres", "Outbound", "Providers", "Vocabulary", "OperatorAccess", "Clients",
        ],
        "Sessions": ["JSON", "Cryptography", "Postgres", "Outbound", "Providers", "Vocabulary", "Clients", "Messages"],
        "Accounts": [
            "JSON", "Cryptography", "Postgres", "Outbound", "Providers", "Vocabulary", "OperatorAccess", "Clients",
            "Messages", "Sessions",
        ],
        "SignIn": [
            "JSON", "Cryptography", "WebAuthn", "Postgres", "Outbound", "Providers", "Vocabulary", "Clients",
            "Messages", "Sessions", "Accounts",
        ],
        "Authorization": [
            "JSON", "Cryptography", "Postgres", "Outbound", "Vocabulary", "Clients", "Sessions", "SignIn",
        ],
        "Operators": [
            "JSON", "Cryptography", "Postgres", "Outbound", "Providers", "Vocabulary", "OperatorAccess", "Audit",
            "Clients", "Messages", "Sessions", "Accounts",
        ],
        "Telemetry": ["JSON", "Cryptography", "Settings", "Traces", "Outbound", "Vocabulary"],
        "HTTPServer": [
            "CZlib", "JSON", "Settings", "Traces", "WebAuthn", "Vocabulary", "Audit", "Clients", "Sessions", "Accounts",
            "SignIn", "Authorization", "Telemetry",
        ],
        "AdminHTTP": ["JSON", "Settings", "OperatorAccess", "Audit", "HTTPServer"],
        "Pages": [
            "CQREncode", "JSON", "Cryptography", "Providers", "Vocabulary", "Clients", "Sessions", "SignIn",
            "HTTPServer",
        ],
        "GatewaySettings": [
            "Cryptography", "Settings", "WebAuthn", "Postgres", "Outbound", "Providers", "Vocabulary",
            "OperatorAccess", "Audit", "Clients", "Messages", "Sessions", "Accounts", "Operators", "Telemetry",
            "HTTPServer",
        ],
        "Attacks": ["JSON", "Cryptography", "Outbound"],
        "Commands": [
            "Attacks", "JSON", "Cryptography", "Settings", "Postgres", "Outbound", "Providers", "Vocabulary",
            "OperatorAccess",
            "Audit", "Clients", "Messages", "Sessions", "Accounts", "Operators", "Telemetry", "HTTPServer",
            "GatewaySettings",
        ],
        "Gateway": [
            "Cryptography", "Settings", "Postgres", "Outbound", "Providers", "Vocabulary", "OperatorAccess", "Audit",
            "Clients", "Messages", "Sessions", "Accounts", "SignIn", "Authorization", "Operators", "Telemetry",
            "HTTPServer", "AdminHTTP", "Pages", "GatewaySettings", "Commands", "REST", "OpenID", "Web", "Console",
            "Cognito", "NativeAuth",
        ],
        "ProviderSimulator": ["JSON", "Cryptography"],
    ]
    /// The front doors, and the modules that each may import: never another front door.
    private static let doors: [String: Set<String>] = [
        "REST": [
            "JSON", "WebAuthn", "Providers", "Vocabulary", "OperatorAccess", "Audit", "Clients", "Messages",
            "Sessions", "Accounts", "SignIn", "Authorization", "Operators", "Telemetry", "HTTPServer", "AdminHTTP",
        ],
        "Web": [
            "JSON", "WebAuthn", "Vocabulary", "Clients", "Messages", "Sessions", "Accounts", "SignIn", "Authorization",
            "Telemetry", "HTTPServer", "Pages",
        ],
        "Console": [
            "JSON", "Traces", "Vocabulary", "OperatorAccess", "Audit", "Clients", "Messages", "Sessions", "Accounts",
            "SignIn", "Operators", "Telemetry", "HTTPServer", "AdminHTTP", "Pages",
        ],
        "Cognito": [
            "JSON", "WebAuthn", "Providers", "Vocabulary", "OperatorAccess", "Clients", "Messages", "Sessions",
            "Accounts", "SignIn", "Operators", "HTTPServer", "Pages",
        ],
        "NativeAuth": [
            "JSON", "Vocabulary", "Clients", "Messages", "Sessions", "SignIn", "Telemetry", "HTTPServer", "Pages",
        ],
        "OpenID": [
            "JSON", "Vocabulary", "OperatorAccess", "Clients", "Sessions", "Accounts", "SignIn", "Authorization",
            "HTTPServer", "AdminHTTP", "Pages",
        ],
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
        // Mails lead to two pages of ours: their addresses are no pointers.
        let pointer = try Regex(#""/(response/|credential/|(?!account"|login")[a-z_]+")"#)
        let stepType = try Regex("(confirm|continue)_sign_(in|up)_with")
        let rooms = Pages.rooms.filter { $0 != "OperatorAccess" }.map { "Sources/\($0)" }
        // What operators see may name the members of their API.
        for file in try rooms.flatMap(Pages.swiftFiles) where try !Pages.imports(file).contains("OperatorAccess") {
            let text = try Pages.text(file)
            #expect(text.firstMatch(of: pointer) == nil, "\(file)")
            #expect(text.firstMatch(of: stepType) == nil, "\(file)")
        }
    }

    @Test("a step of the core knows no JSON")
    func stepsWithoutJSON() throws {
        let steps = try Pages.swiftFiles("Sources/SignIn").filter { file in
            try Pages.text(file).contains(": FlowStep {")
        }
        #expect(steps.count >= 6)
        for file in steps + ["Sources/SignIn/Course/SignInStep.swift", "Sources/SignIn/Steps/StepAnswer.swift"] {
            #expect(try !Pages.imports(file).contains("JSON"), "\(file)")
        }
    }

    /// The imports of front doors from below their services.
    private static let exceptions: [String: Set<String>] = [
        // `DisplayName` cleans the name of a device.
        "Sources/REST/RESTBody.swift": ["Providers"],
        // `PresentedCredential` carries JSON that only the doors and the adapters read.
        "Sources/REST/RESTSignInDoor+SignIn.swift": ["Providers"],
        "Sources/REST/RESTAccountDoor+Profile.swift": ["Providers"],
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
            "Gateway/Application.swift", "Gateway/Core.swift", "Gateway/Services.swift",
            "Gateway/AgentServices+Configuration.swift", "Gateway/StartPatience.swift",
            "Commands/", "GatewaySettings/DatabaseConfiguration.swift",
        ]
        for file in try Pages.gatewayFiles() where try Pages.imports(file).contains("Postgres") {
            #expect(allowed.contains { file.hasPrefix("Sources/\($0)") }, "\(file)")
        }
    }

    @Test(
        "deciding types are pure: no database, network or clock",
        arguments: [
            "Sources/SignIn/Course/SignInMachine.swift", "Sources/SignIn/Web/LoginTarget.swift",
            "Sources/SignIn/Web/WebCallback.swift", "Sources/Clients/Apps/RedirectURI.swift",
            "Sources/Vocabulary/LinkingPolicy.swift",
            "Sources/WebAuthn/Ceremonies/RelyingParty+Registration.swift",
            "Sources/WebAuthn/Ceremonies/RelyingParty+Assertion.swift",
            "Sources/Providers/OAuth/KeySetMachine.swift", "Sources/Providers/OAuth/RefreshSchedule.swift",
            "Sources/Outbound/CircuitBreaker.swift", "Sources/Postgres/PoolMachine.swift",
            "Sources/Audit/AuditChain.swift", "Sources/Audit/ChainWalk.swift",
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
