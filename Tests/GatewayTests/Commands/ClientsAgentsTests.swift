import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@testable import Clients

/// `gateway clients agents`, and the revocation of one.
@Suite("The command for agents")
struct ClientsAgentsTests {
    private static let address = "https://agent.example/oauth/client.json"

    private static func fill(_ deployment: Deployment) async throws {
        let (id, addresses) = (ClientDocument.clientID(of: address), ["http://localhost/cb"])
        let (digest, none): ([UInt8], [[UInt8]]) = ([1], [])
        _ = try await deployment.database.pool.withConnection { connection in
            try connection.execute(
                """
                select adopt_client_document(\(id), \(address), 'Reader', \(addresses), '{}', '{}', \(digest), 600, 100, null, 'test')
                """)
            try connection.execute(
                """
                select register_client('dyn-1', 'Command line', null, \(addresses), '{}', '{}', true, 100, null, 'test', \(none), '{}', '{}')
                """)
            try connection.execute(
                "update agents set used_at = '2026-02-03 04:05:06+00' where client_id = 'dyn-1'")
            return try connection.execute("update clients set created_at = '2026-01-01 00:00:00+00'")
        }
    }

    @Test("agents are listed in aligned columns, the newest use first, and page by page")
    func list() async throws {
        try await withDeployment { deployment in
            #expect(try await deployment.run("clients", "agents").output == "")
            try await Self.fill(deployment)
            let listed = try await deployment.run("clients", "agents")
            let lines = listed.output.split(separator: "\n").map(String.init)
            try #require(lines.count == 3, "\(listed)")
            func cells(_ line: String) -> [String] {
                line.split(separator: /\s{2,}/).map(String.init)
            }
            #expect(cells(lines[0]) == ["LAST USE", "ACCOUNTS", "STATE", "ORIGIN", "HOST", "NAME", "ID"])
            #expect(
                cells(lines[1]) == [
                    "2026-02-03T04:05:06Z", "0", "active", "initial token", "localhost", "Command line", "dyn-1",
                ])
            #expect(cells(lines[2]) == ["-", "0", "active", "document", "agent.example", "Reader", Self.address])
            let places = zip(lines, ["ID", "dyn-1", Self.address]).map { line, id in line.count - id.count }
            #expect(Set(places).count == 1)
            let first = try await deployment.run("clients", "agents", "--limit", "1").output
            let cursor = try #require(first.split(separator: "--cursor ").last?.split(separator: "\n").first)
            let second = try await deployment.run("clients", "agents", "--cursor", String(cursor)).output
            #expect(!first.contains(Self.address) && second.contains(Self.address) && !second.contains("--cursor"))
            let wrong = try await deployment.run("clients", "agents", "--cursor", "x")
            #expect(wrong.exitCode == 64, "\(wrong)")
            let found = try await deployment.run("clients", "agents", "AGENT.example", "--json")
            let agent = try JSON(parsing: found.output)
            #expect(agent["agent"]?["document"]?.string == Self.address && agent["origin"] == "document")
        }
    }

    @Test("an agent is revoked by the address of its document, and no file of apps contains or disables agents")
    func revoke() async throws {
        try await withDeployment { deployment in
            try await Self.fill(deployment)
            let revoked = try await deployment.run(
                "clients", "change", Self.address, "--disable-use", "--reason", "it floods us")
            #expect(try JSON(parsing: revoked.output)["disabled"] == true, "\(revoked)")
            #expect(try await deployment.run("clients", "agents", "Reader").output.contains("  disabled  "))
            let shown = try await deployment.run("clients", "show", Self.address)
            #expect(try JSON(parsing: shown.output)["agent"]?["withdrawn"] == false, "\(shown)")
            for command in ["list", "export"] {
                let output = try await deployment.run("clients", command).output
                #expect(!output.contains("dyn-1") && !output.contains("Reader"), "\(command)")
            }
            let file = "\(deployment.folder)/clients.yaml"
            try "clients: []\n".write(toFile: file, atomically: true, encoding: .utf8)
            let applied = try await deployment.run("clients", "apply", file, "--disable-others")
            #expect(applied.exitCode == 0 && !applied.output.contains("dyn-1"), "\(applied)")
            #expect(try await deployment.run("clients", "agents", "dyn-1").output.contains("  active  "))
        }
    }
}
