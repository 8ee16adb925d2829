import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// Changes while a user is at a provider, and the remains of abandoned flows.
@Suite struct WebChangeTests {
    private static let back = "redirect_uri=https%3A%2F%2Fapp.example.org%2Fback"
    private static let changes: [String: String?] = ["CLIENT_REDIRECT_URIS": "https://app.example.org/back"]

    @Test("W-07 a provider removed meanwhile is refused at every server")
    func disabledProvider() async throws {
        try await withDeployment { deployment in
            let before = try await deployment.start(Self.changes)
            let after = try await deployment.start(["GITHUB_CLIENT_ID": nil, "GITHUB_CLIENT_SECRET": nil])
            let browser = try await PageBrowser.open(before, "/login")
            let answer = try await deployment.simulator.authorize(try await browser.start("github"))
            let late = browser.moved(to: after)
            let refused = try await late.comeBack(answer)
            #expect(refused.status == 409)
            #expect(try await after.audit(refused).map(\.reason) == ["provider_disabled"])
            #expect(late.cookies["__Host-session"] == nil)
            await before.expectGoodEnd()
            await after.expectGoodEnd()
        }
    }

    @Test("Two servers: a flow that starts at one of them continues at the other")
    func twoServers() async throws {
        try await withDeployment { deployment in
            let one = try await deployment.start()
            let other = try await deployment.start()
            let browser = try await PageBrowser.open(one, "/login")
            let answer = try await deployment.simulator.authorize(
                try await browser.start("apple"), ["email": .string(Fresh.email())])
            let elsewhere = browser.moved(to: other)
            #expect(try await elsewhere.comeBack(answer).status == 200)
            let again = browser.moved(to: one)
            let second = try await again.comeBack(answer)
            #expect(try await one.audit(second).map(\.reason) == ["state_used"])
            let session = elsewhere.moved(to: one)
            #expect(try await session.send(TestRequest("GET", "/v1/session")).status == 200)
            await one.expectGoodEnd()
            await other.expectGoodEnd()
        }
    }

    @Test("D10: of two servers that finish one callback concurrently, the one with the accepted code signs in, once")
    func bothAtOnce() async throws {
        try await withDeployment { deployment in
            let one = try await deployment.start()
            let other = try await deployment.start()
            let person: JSONObject = ["subject": .string(Fresh.subject("acme")), "email": .string(Fresh.email())]
            let account = try await one.session("acme", person).account
            let browser = try await PageBrowser.open(one, "/login")
            let back = try await deployment.simulator.authorize(try await browser.start("acme"), person)
            let cookies = browser.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
            let request = TestRequest("GET", back.path).header("Cookie", cookies)
            // The first server has redeemed the code and waits for the account, until the second one is refused.
            let (isHeld, held) = AsyncStream<Void>.makeStream()
            async let holding: Void = one.sql { connection in
                defer { held.finish() }
                try connection.transaction { try $0.hold(account, untilSpent: held) }
            }
            for await _ in isHeld {}
            async let landing = one.send(request)
            _ = try await poll {
                try await one.count(
                    """
                    select count(*) from pg_locks l join pg_stat_activity a using (pid)
                     where not l.granted and a.datname = current_database()
                    """) > 0 ? () : nil
            }
            let refused = try await other.send(request)
            #expect(refused.sessionCookie == nil, "\(refused.text)")
            try await holding
            let landed = try await landing
            #expect(landed.sessionCookie != nil, "\(landed.status) \(landed.text)")
            // The flow has ended for every code.
            for gateway in [one, other] {
                for path in [back.path, back.with("code", "another").path] {
                    let again = try await gateway.send(TestRequest("GET", path).header("Cookie", cookies))
                    #expect(again.sessionCookie == nil)
                    #expect(try await gateway.audit(again).map(\.reason) == ["state_used"])
                }
            }
            await one.expectGoodEnd()
            await other.expectGoodEnd()
        }
    }

    @Test(
        "W-07 a client that was changed meanwhile gets no session",
        arguments: [
            ("disabled_at = now()", 409, "provider_disabled"), ("providers = '{google}'", 409, "provider_disabled"),
            ("redirect_uris = '{}'", 400, "redirect_not_allowed"),
        ])
    func changedClient(_ change: String, _ status: Int, _ reason: String) async throws {
        try await withGateway(Self.changes) { gateway in
            let browser = try await PageBrowser.open(gateway, "/login")
            let answer = try await gateway.simulator.authorize(try await browser.start("acme", Self.back))
            _ = try await gateway.sql { connection in
                try connection.execute(SQL(unsafeSQL: "update clients set \(change) where id = 'app'"))
            }
            // The change arrives within a second.
            try await poll {
                let page = try await gateway.get("/login/acme?\(Self.back)")
                return page.status == 303 ? nil : ()
            }
            let refused = try await browser.comeBack(answer)
            #expect(refused.status == status)
            #expect(try await gateway.audit(refused).map(\.reason) == [reason])
            #expect(browser.departure == nil)
        }
    }

    @Test("W-13 abandoned flows leave no row, and an earlier flow still finishes")
    func abandonedFlows() async throws {
        try await withGateway { gateway in
            let browser = try await PageBrowser.open(gateway, "/login")
            let early = try await browser.start("google")
            let before = try await Self.rows(gateway)
            _ = try await inParallel(1...16) { _ in
                for _ in 1...125 {
                    let answer = try await gateway.get("/login/google")
                    try #require(answer.status == 303)
                }
            }
            #expect(try await Self.rows(gateway) == before)
            let answer = try await browser.comeBack(try await gateway.simulator.authorize(early))
            #expect(answer.status == 200)
        }
    }

    private static func rows(_ gateway: GatewayProcess) async throws -> [String: Int] {
        try await gateway.sql { connection in
            let names: [String] = try connection.query(
                "select quote_ident(table_name)::text from information_schema.tables where table_schema = 'public'"
            ).map { try $0.value(0) }
            var rows: [String: Int] = [:]
            for name in names {
                let count = SQL(unsafeSQL: "select count(*) from \(name)")
                rows[name] = try connection.queryOne(count).map { try $0.value(0, as: Int.self) }
            }
            return rows
        }
    }

    @Test("Over plain http no sign-in starts, unless our own proxy reports https")
    func insecureTransport() async throws {
        let publicURL: [String: String?] = ["PUBLIC_URL": "https://login.example.org", "ENVIRONMENT": "development"]
        try await withGateway(publicURL) { gateway in
            for headers in [[], [("X-Forwarded-Proto", "https")], [("Forwarded", "proto=https")]] {
                var request = TestRequest("GET", "/login/google")
                for (name, value) in headers { request = request.header(name, value) }
                let answer = try await gateway.send(request)
                #expect(answer.status == 403)
                #expect(try await gateway.audit(answer).map(\.reason) == ["insecure_transport"])
                #expect(
                    !answer.headers.contains { $0.name.lowercased() == "location" || $0.value.hasPrefix("__Host-flow") }
                )
            }
            #expect(try await gateway.get("/login").status == 200)
        }
        try await withGateway(publicURL.merging(["TRUSTED_PROXIES": "127.0.0.1"]) { $1 }) { gateway in
            let request = TestRequest("GET", "/login/google").header("X-Forwarded-For", "192.0.2.1")
            #expect(try await gateway.send(request).status == 403)
            #expect(try await gateway.send(request.header("X-Forwarded-Proto", "http")).status == 403)
            let mixed = "https, http"
            #expect(try await gateway.send(request.header("X-Forwarded-Proto", mixed)).status == 403)
            try await gateway.logged("X-Forwarded-Proto: \(mixed)")
            #expect(try await gateway.send(request.header("X-Forwarded-Proto", "https,https")).status == 303)
            let sent = try await gateway.send(request.header("X-Forwarded-Proto", "https"))
            #expect(sent.status == 303)
            #expect(
                sent.header("Location")?.contains(
                    "redirect_uri=https%3A%2F%2Flogin.example.org%2Flogin%2Fgoogle%2Fcallback") == true)
            #expect(sent.header("Strict-Transport-Security") != nil)
        }
    }

    @Test("P-13 addresses come from PUBLIC_URL alone, with any Host and forwarded header")
    func poisonedHost() async throws {
        try await withGateway { gateway in
            let request = TestRequest("GET", "/login/google").header("X-Forwarded-Host", "evil.example")
                .header("Forwarded", "host=evil.example")
            let sent = try await gateway.send(request)
            #expect(sent.header("Location")?.contains("evil") == false)
            let page = try await gateway.send(TestRequest("GET", "/login").header("X-Forwarded-Host", "evil.example"))
            #expect(!page.text.contains("evil"))
        }
    }
}

extension Connection {
    /// Locks an account until another value is spent.
    fileprivate func hold(_ account: String, untilSpent held: AsyncStream<Void>.Continuation) throws {
        try execute("select from accounts where id = \(account)::uuid for update")
        let before = try spent()
        held.finish()
        for _ in 0..<2_000 {
            if try spent() > before { return }
            usleep(10_000)
        }
        Issue.record("nothing was spent")
    }

    private func spent() throws -> Int {
        try queryOne("select count(*) from spent").map { try $0.value(0) } ?? 0
    }
}

extension TestAnswer {
    fileprivate var sessionCookie: String? {
        headers.map { ($0.name.lowercased(), $0.value) }.first {
            $0.0 == "set-cookie" && $0.1.hasPrefix("__Host-session=") && !$0.1.contains("Max-Age=0")
        }?.1
    }
}
