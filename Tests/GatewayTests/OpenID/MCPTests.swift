import Foundation
import JSON
import TestSupport
import Testing

/// The `mcp` package from PyPI as an agent and as a server (docs/start/mcp-server.md).
@Suite(
    "The mcp package",
    .gateway(changes: { _ in
        let port = try FreePort.choose()
        return [
            "PORT": "\(port)", "PUBLIC_URL": "http://localhost:\(port)", "CLIENT_DOCUMENTS": "any",
            "CLIENT_REGISTRATION": "open", "OIDC_ACME_ASSERTIONS": "true",
        ]
    }))
struct MCPTests {
    /// The page's server at a port of this computer, and an agent that calls it.
    private struct Agent {
        let issuer: String
        let process: ChildProcess

        /// - Parameters:
        ///   - clients: who may ask for tokens of the server.
        ///   - arguments: those of `mcp_agent.py` after the port.
        static func start(clients: JSON, _ arguments: [String]) async throws -> Agent {
            let port = try FreePort.choose()
            let issuer = "http://localhost:\(try GatewayProcess.current.port)"
            let resource = "http://127.0.0.1:\(port)/mcp"
            let served: JSONObject = [
                "identifier": .string(resource), "name": "Files", "clients": clients,
                "scopes": ["files:read": "Read your files"],
            ]
            _ = try await RelyingParty.register(["resources": [.object(served)]])
            let page = try Pages.text("docs/start/mcp-server.md")
            let code = try #require(page.firstMatch(of: /```python\n(?<code>[\s\S]*?)```/)).output.code
                .replacing("http://localhost:8080", with: issuer)
                .replacing("http://127.0.0.1:9000/mcp", with: resource)
            let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            let process = try ChildProcess(
                "/usr/bin/env",
                ["python3", folder.appendingPathComponent("mcp_agent.py").path, "\(port)"] + arguments,
                environment: ["PYTHONPATH": folder.appendingPathComponent("../../../var/mcp").path], takesInput: true)
            process.write("\(code)#end\n".utf8)
            return Agent(issuer: issuer, process: process)
        }

        func line(_ number: Int) async throws -> String {
            try await poll(within: .seconds(60)) { () throws -> String? in
                if process.exitCode ?? 0 != 0 {
                    throw HarnessError("mcp has ended; 'make test' takes it from PyPI.\n\(process.errors)")
                }
                return process.lines.count > number ? process.lines[number] : nil
            }
        }
    }

    @Test("A company's agent brings an identity assertion in place of its user, and calls a tool")
    func companyAgent() async throws {
        let gateway = try GatewayProcess.current
        let client = try await RelyingParty.register()
        let issuer = "http://localhost:\(gateway.port)"
        let agent = try await Agent.start(
            clients: [.string(client.id)], ["", client.id, client.secret ?? "", issuer])
        let subject = Fresh.subject("acme")
        _ = try await gateway.session("acme", ["subject": .string(subject)])
        let asked = try JSON(parsing: try await agent.line(0))
        #expect(asked["audience"]?.string == issuer)
        let now = Int(Date().timeIntervalSince1970)
        let minted = try await gateway.simulator.mint(
            "acme",
            [
                "subject": .string(subject), "header": ["typ": "oauth-id-jag+jwt"],
                "claims": [
                    "aud": asked["audience"] ?? .null, "resource": asked["resource"] ?? .null,
                    "client_id": .string(client.id), "scope": "files:read", "exp": .integer(now + 300),
                ],
            ])
        agent.process.write("\(minted.token)\n".utf8)
        let result = try JSON(parsing: try await agent.line(1))
        #expect(result["text"] == "contents of a.txt" && result["refresh"] == false, "\(result.text)")
        #expect(result["scope"] == "files:read")
    }

    @Test("An agent registers itself, signs the user in, and calls a tool of the page's server")
    func agent() async throws {
        let agent = try await Agent.start(clients: ["*"], [""])
        let (issuer, process) = (agent.issuer, agent.process)
        let visitor = try await Visitor.arrive()
        let asked = try await agent.line(0)
        #expect(asked.contains("resource=") && asked.contains("files%3Aread"))
        try await visitor.signIn(asked.replacing(issuer, with: ""))
        #expect(visitor.browser.page.text.contains("Read your files"))
        let form = try #require(visitor.browser.page.forms.first { $0.action == "/authorize/answer" })
        try await visitor.browser.post("/authorize/answer", form.fields + [("decision", "allow")])
        process.write("\(try #require(visitor.browser.departure, "\(visitor.browser.page.text)"))\n".utf8)
        let result = try JSON(parsing: try await agent.line(1))
        #expect(result["text"] == "contents of a.txt" && result["refresh"] == true, "\(result.text)")
        #expect(result["client"]?.string?.hasPrefix("dyn-") == true)
    }
}
