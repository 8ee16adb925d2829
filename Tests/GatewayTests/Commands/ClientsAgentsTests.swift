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

    @Test("agents are listed, the newest use first, and page by page")
    func list() async throws {
        try await withDeployment { deployment in
            #expect(try await deployment.run("clients", "agents").output == "")
            try await Self.fill(deployment)
            let listed = try await deployment.run("clients", "agents")
            let lines = listed.output.split(separator: "\n").map(String.init)
            let expected = [
                ["2026-02-03T04:05:06Z", "0", "active", "initial token", "localhost", "Command line", "dyn-1"],
                ["-", "0", "active", "document", "agent.example", "Reader", Self.address],
            ]
            #expect(lines == expected.map { $0.joined(separator: "\t") }, "\(listed)")
            let first = try await deployment.run("clients", "agents", "--limit", "1")
            let cursor = try #require(first.errors.split(separator: "--cursor ").last?.split(separator: "\n").first)
            let second = try await deployment.run("clients", "agents", "--cursor", String(cursor))
            #expect(!first.output.contains(Self.address) && second.output.contains(Self.address))
            #expect(second.errors == "")
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
                "clients", "change", Self.address, "--disable-use", "--yes", "--json", "--reason", "it floods us")
            #expect(try JSON(parsing: revoked.output)["disabled"] == true, "\(revoked)")
            #expect(try await deployment.run("clients", "agents", "Reader").output.contains("\tdisabled\t"))
            let shown = try await deployment.run("clients", "show", Self.address, "--json")
            #expect(try JSON(parsing: shown.output)["agent"]?["withdrawn"] == false, "\(shown)")
            for command in ["list", "export"] {
                let output = try await deployment.run("clients", command).output
                #expect(!output.contains("dyn-1") && !output.contains("Reader"), "\(command)")
            }
            let file = "\(deployment.folder)/clients.yaml"
            try "clients: []\n".write(toFile: file, atomically: true, encoding: .utf8)
            let applied = try await deployment.run("clients", "apply", file, "--disable-others", "--yes")
            #expect(applied.exitCode == 0 && !applied.output.contains("dyn-1"), "\(applied)")
            #expect(try await deployment.run("clients", "agents", "dyn-1").output.contains("\tactive\t"))
        }
    }
}
