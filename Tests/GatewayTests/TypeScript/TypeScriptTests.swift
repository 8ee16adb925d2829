import Foundation
import Testing

/// The TypeScript library against the real server; its build checks the types strictly.
@Suite("The TypeScript library", .gatewayForWebsite)
struct TypeScriptTests {
    @Test("its wire types and calls are those of docs/openapi.yaml")
    func wireTypes() async throws {
        try await TypeScript.run([
            "node", TypeScript.folder.appending(path: "scripts/make-wire.mjs").path, "--check",
        ])
    }

    @Test("its own tests pass", arguments: TypeScript.tests(in: "test"))
    func unitTests(file: String) async throws { try await TypeScript.test(file) }

    @Test("it works with a running gateway", arguments: TypeScript.tests(in: "live"))
    func liveTests(file: String) async throws {
        let gateway = try GatewayProcess.current
        try await TypeScript.test(
            file,
            environment: [
                "GATEWAY": "http://127.0.0.1:\(gateway.port)",
                "SIMULATOR": "http://127.0.0.1:\(gateway.simulator.port)", "MAIL": "\(gateway.deployment.folder)/mail",
            ])
    }

    @Test("the transcripts are what the server answers")
    func transcripts() async throws {
        let gateway = try GatewayProcess.current
        try await TypeScript.run([
            "node", Configurations.root.appending(path: "Tests/Transcripts/record.mjs").path, "--check",
            "--gateway", "http://127.0.0.1:\(gateway.port)",
            "--simulator", "http://127.0.0.1:\(gateway.simulator.port)", "--mail", "\(gateway.deployment.folder)/mail",
        ])
    }

    @Test("there are tests of both kinds")
    func files() {
        #expect(TypeScript.tests(in: "test").count >= 4)
        #expect(!TypeScript.tests(in: "live").isEmpty)
    }
}
