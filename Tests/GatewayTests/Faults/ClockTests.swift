import Cryptography
import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@testable import HTTPServer
@testable import SignIn

/// A server with another clock than its database.
@Suite("Clocks that differ")
struct ClockTests {
    @Test("N3: within the limit a difference is reported, and stored times follow the database's clock")
    func tolerated() async throws {
        try await Self.withDatabase(ahead: 100) { deployment, cluster in
            let changes = ["DATABASE_URL": cluster.url, "CLOCK_LIMIT_SECONDS": "200"]
            try await deployment.serving(changes) { gateway in
                try await gateway.logged("this server's clock and the database's differ")
                // A password, because the provider sets the time of its own proofs.
                let person = try await gateway.signUp(Fresh.email())
                #expect(try await gateway.checkSession(person.accessToken).status == 200)
                let ahead = try await cluster.count(
                    "select extract(epoch from auth_time - now())::bigint from sessions where id = \(person.session)::uuid"
                )
                // Less the time since the sign-in.
                #expect((40...101).contains(ahead))
            }
        }
    }

    @Test("N3: a page's ticket, and a session presented for a merge, follow the database's clock")
    func tickets() async throws {
        let ahead = 1_000
        try await Self.withDatabase(ahead: ahead) { deployment, cluster in
            let changes = ["DATABASE_URL": cluster.url, "CLOCK_LIMIT_SECONDS": "2000"]
            try await deployment.serving(changes) { gateway in
                let (kept, other) = (try await gateway.signUp(Fresh.email()), try await gateway.signUp(Fresh.email()))
                // Its token lives for 600 s: if the difference counted twice, it would be expired.
                let asked = try await gateway.post(
                    "/v1/account/merges/ticket", ["access_token": .string(other.accessToken)], bearer: kept.accessToken)
                #expect(asked.status == 201, "\(asked.text)")

                let email = Fresh.email()
                _ = try await gateway.signUp(email)
                let browser = try await PageBrowser.signedIn(gateway, email)
                let page = try await browser.visit("/account/sign-in-methods")
                let link = try #require(page.links.first { $0.hasPrefix("/login/google?ticket=") }, "\(page.text)")
                let text = String(link.dropFirst("/login/google?ticket=".count))
                let tickets = WebTickets(keys: try MasterKeys(deployment.environment["MASTER_KEYS"] ?? ""))
                let holder = try #require(browser.cookies[CookieName.form])
                let now = Date().addingTimeInterval(Double(ahead))
                let life = TimeInterval(WebFlow.life)
                // Sealed a moment ago; by the server's own clock it would have expired long ago.
                #expect(tickets.open(text, for: holder, at: now.addingTimeInterval(life / 2)) != nil)
                #expect(tickets.open(text, for: holder, at: now.addingTimeInterval(life + 5)) == nil)
                #expect(try await browser.visit(link).status == 303)
            }
        }
    }

    @Test("N3: beyond the limit every request is refused, and the server is not ready")
    func refused() async throws {
        try await Self.withDatabase(ahead: -100) { deployment, cluster in
            let values = deployment.environment.merging(["DATABASE_URL": cluster.url]) { $1 }
            let child = try ChildProcess("gateway", ["serve"], environment: values, folder: deployment.folder)
            do {
                let port = try await poll { try Self.announcedPort(child) }
                let client = TestClient(port: port)
                let nonce = try await client.send(TestRequest("POST", "/v1/nonce"))
                #expect(nonce.status == 503)
                #expect(nonce.code == "clock_wrong")
                #expect(Int(nonce.header("Retry-After") ?? "") ?? 0 >= 1)
                #expect(try await client.send(TestRequest("GET", "/login")).status == 503)
                let ready = try await client.send(TestRequest("GET", "/health/ready"))
                #expect(ready.status == 503)
                #expect(ready.json["checks"]?["clock"] == "failing")
                #expect(try await client.send(TestRequest("GET", "/health/live")).status == 200)
                #expect(child.errors.contains("differ too much to serve"))
            } catch {
                await child.kill9()
                throw error
            }
            await child.kill9()
        }
    }

    private static func announcedPort(_ child: ChildProcess) throws -> Int? {
        if let code = child.exitCode { throw HarnessError("The gateway ended with \(code): \(child.errors)") }
        for line in child.errors.split(separator: "\n") {
            let entry = try? JSON(parsing: String(line))
            if entry?["message"]?.string == "listening" { return entry?["port"]?.string.flatMap { Int($0) } }
        }
        return nil
    }

    /// A migrated database with a clock that many seconds ahead.
    private static func withDatabase(
        ahead seconds: Int, _ body: (Deployment, PrivateCluster) async throws -> Void
    ) async throws {
        try await withDeployment { deployment in
            try await withPrivateCluster { cluster in
                let migration = try await deployment.run("migrate", changes: ["DATABASE_URL": cluster.url])
                try #require(migration.exitCode == 0, "\(migration.errors)")
                try await onServer(cluster.url) { connection in
                    try connection.executeScript(
                        """
                        create function public.clock_timestamp() returns timestamptz language sql as
                            'select pg_catalog.clock_timestamp() + interval ''\(seconds) seconds''';
                        alter role postgres set search_path = public, pg_catalog
                        """)
                }
                try await body(deployment, cluster)
            }
        }
    }
}
