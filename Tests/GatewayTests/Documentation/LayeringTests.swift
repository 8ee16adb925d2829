import Foundation
import Testing

@Suite("The layers of docs/architecture.md")
struct LayeringTests {
    private static let doors: Set = ["REST", "Web", "Console", "Cognito", "NativeAuth", "OpenID"]

    // A build after another finds modules that a clean build has not made yet.
    @Test("a target imports only what the manifest says that it depends on", arguments: Manifest.targets)
    func declaredImports(target: Manifest.Target) throws {
        let files = try Pages.swiftFiles(target.folder)
        #expect(!files.isEmpty)
        for file in files {
            let undeclared = try Pages.imports(file).intersection(Manifest.modules).subtracting(target.dependencies)
            #expect(undeclared.subtracting([target.name]).isEmpty, "\(file)")
        }
    }

    @Test("a target depends on no module that it does not import", arguments: Manifest.targets)
    func usedDependencies(target: Manifest.Target) throws {
        // The tests start the program of the simulator, and link all of the gateway's.
        guard target.name != "GatewayTests" else { return }
        let imported = try Pages.swiftFiles(target.folder).map(Pages.imports).reduce(into: Set()) { $0.formUnion($1) }
        #expect(target.dependencies.subtracting(imported).isEmpty)
    }

    @Test("every C library is imported by one module", arguments: Manifest.libraries)
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
        for target in Manifest.targets where Self.doors.contains(target.name) {
            #expect(target.dependencies.isDisjoint(with: Self.doors), "\(target.name)")
        }
    }

    @Test("only the front doors, the server below them and the simulator speak HTTP to callers")
    func coreWithoutDoors() throws {
        let http: Set = ["Hummingbird", "HummingbirdCore", "HTTPTypes", "NIOCore", "NIOPosix"]
        let speakers = Self.doors.union(["HTTPServer", "AdminHTTP", "Pages", "Gateway", "ProviderSimulator"])
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
        let folders = Self.doors.union(["AdminHTTP", "Pages/Browser"]).map { "Sources/\($0)" }
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
