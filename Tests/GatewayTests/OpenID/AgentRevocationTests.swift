import Foundation
import HTTPTypes
import JSON
import TestSupport
import Testing

/// What users and operators see of agents, and how operators revoke them.
extension AgentTests {
    /// A user who allowed an agent access to an API, and the agent's tokens.
    private struct Access {
        let email: String
        let person: SignedInAnswer
        let browser: PageBrowser
        let token: String
        let refresh: String
        /// The API of the token.
        let api: RelyingParty
        let resource: String

        func isActive() async throws -> Bool {
            try await api.gateway.form(
                "/v1/token/introspect", [("token", token)], client: api.id, secret: api.secret
            ).json["active"] == true
        }
    }

    private static func access(_ party: RelyingParty) async throws -> Access {
        let resource = "https://\(Fresh.text()).example/mcp"
        let api = try await RelyingParty.register([
            "resources": [
                [
                    "identifier": .string(resource), "name": "Files", "clients": ["*"],
                    "scopes": ["files:read": "Read your files"],
                ]
            ]
        ])
        let email = Fresh.email()
        let person = try await party.gateway.signUp(email)
        let visitor = Visitor(email: email, browser: try await PageBrowser.open(party.gateway, "/health/live"))
        try await visitor.signIn(asked(party, resource))
        try await allow(visitor.browser)
        let answer = try await party.redeem(
            try #require(visitor.browser.departureQuery["code"], "\(visitor.browser.page.text)"),
            ["redirect_uri": callback, "resource": resource])
        return Access(
            email: email, person: person, browser: visitor.browser,
            token: try #require(answer.json["access_token"]?.string, "\(answer.text)"),
            refresh: try #require(answer.json["refresh_token"]?.string, "\(answer.text)"), api: api, resource: resource)
    }

    private static func refresh(_ party: RelyingParty, _ token: String) async throws -> TestAnswer {
        try await party.gateway.form(
            "/v1/token", [("grant_type", "refresh_token"), ("client_id", party.id), ("refresh_token", token)],
            client: party.id, secret: nil)
    }

    /// The only agent that matches a text.
    private static func agent(_ text: String, by session: SignedInAnswer) async throws -> JSON {
        let gateway = try GatewayProcess.current
        let answer = try await gateway.admin("GET", "clients?origin=agent&q=\(text)", by: session)
        let clients = try #require(answer.json["clients"]?.array, "\(answer.text)")
        #expect(clients.count == 1 && answer.json["next_cursor"] == .null)
        return try #require(clients.first)
    }

    @Test("A user takes an agent's access back: its tokens end, and only its own grant goes")
    func takenBack() async throws {
        try await Site.run { _, party, _ in
            let gateway = party.gateway
            let access = try await Self.access(party)
            let stranger = try await gateway.signUp(Fresh.email())
            let listed = try await gateway.send(
                TestRequest("GET", "/v1/account/grants").bearer(access.person.accessToken))
            let id = try #require(listed.json["grants"]?.array?.first?["client_id"]?.string, "\(listed.text)")
            func revoke(by person: SignedInAnswer) async throws -> Int {
                try await gateway.send(
                    TestRequest("DELETE", "/v1/account/grants/\(id)").bearer(person.accessToken)
                ).status
            }
            #expect(try await revoke(by: stranger) == 404)
            #expect(try await access.isActive())
            #expect(try await revoke(by: access.person) == 204)
            #expect(try await !access.isActive())
            let late = try await Self.refresh(party, access.refresh)
            #expect(late.status == 400 && late.json["error"] == "invalid_grant", "\(late.text)")
            #expect(try await revoke(by: access.person) == 404)
        }
    }

    @Test("Operators see an agent with its last use and revoke it: its tokens end, and only an owner brings it back")
    func revocation() async throws {
        try await Site.run { _, party, _ in
            let gateway = party.gateway
            let access = try await Self.access(party)
            func grants() async throws -> [JSON] {
                let request = TestRequest("GET", "/v1/account/grants").bearer(access.person.accessToken)
                return try await gateway.send(request).json["grants"]?.array ?? []
            }
            let admin = try await gateway.operatorSession("admin")
            let name = try #require(party.id.split(separator: "/").last.map(String.init))
            let listed = try await Self.agent(name, by: admin)
            let id = try #require(listed["id"]?.string)
            #expect(listed["origin"] == "document" && listed["disabled"] == false)
            #expect(listed["agent"]?["document"]?.string == party.id && listed["agent"]?["host"] == "127.0.0.1")
            #expect(listed["agent"]?["accounts"] == 1 && listed["agent"]?["last_used_at"]?.string != nil)
            #expect(try await access.isActive())
            let granted = try await grants()
            #expect(granted.map { $0["client_id"]?.string } == [id])
            #expect(granted.first?["last_used_at"]?.string != nil)

            let change: JSON = ["disabled": true, "reason": "it copies files"]
            let revoked = try await gateway.admin("PATCH", "clients/\(id)", change, by: admin)
            #expect(revoked.status == 200 && revoked.json["client"]?["disabled"] == true, "\(revoked.text)")
            #expect(revoked.json["client"]?["agent"]?["accounts"] == 0)
            try await poll { try await access.isActive() ? nil : () }
            try await poll { try await Self.refresh(party, access.refresh).status == 401 ? () : nil }
            #expect(try await grants().isEmpty)
            let sessions = TestRequest("GET", "/v1/account/sessions").bearer(access.person.accessToken)
            let open = try await gateway.send(sessions)
            #expect(open.status == 200 && !open.text.contains(id), "\(open.text)")
            // Its document is fetched, and does not bring it back.
            #expect(try await gateway.get(Self.asked(party, access.resource)).status == 400)
            #expect(try await Self.agent(name, by: admin)["disabled"] == true)

            let enabling: JSON = ["disabled": false, "reason": "its maker explained it"]
            let early = try await gateway.admin("PATCH", "clients/\(id)", enabling, by: admin)
            #expect(early.status == 403 && early.code == "role_too_low", "\(early.text)")
            let owner = try await gateway.operatorSession("owner")
            let enabled = try await gateway.admin("PATCH", "clients/\(id)", enabling, by: owner)
            #expect(enabled.status == 200, "\(enabled.text)")
            try await poll { try await gateway.get(Self.asked(party, access.resource)).status == 303 ? () : nil }
            try await access.browser.visit(Self.asked(party, access.resource))
            // A browser that signed in for the agent has to sign in anew, too.
            if access.browser.page.forms.contains(where: { $0.action == "/login" }) {
                try await access.browser.passwordSignIn(access.email)
            }
            let isAsked = access.browser.page.forms.contains { $0.action == "/authorize/answer" }
            #expect(isAsked, "\(access.browser.page.text)")
            #expect(try await Self.refresh(party, access.refresh).status == 400)
            #expect(try await !access.isActive())
        }
    }

    @Test("The list of agents refuses an unknown origin and a malformed cursor, and the list of apps has no agents")
    func listFaults() async throws {
        let gateway = try GatewayProcess.current
        let viewer = try await gateway.operatorSession("viewer")
        let id = try await gateway.makeAgent("Agent \(Fresh.text())")
        for (query, pointer) in [("origin=others", "/origin"), ("origin=agent&cursor=1", "/cursor")] {
            let answer = try await gateway.admin("GET", "clients?\(query)", by: viewer)
            #expect(answer.status == 400 && answer.json["errors"]?.array?.first?["pointer"]?.string == pointer)
        }
        #expect(try await Self.agent(id, by: viewer)["agent"]?["last_used_at"] == .null)
        let apps = try await gateway.admin("GET", "clients", by: viewer).json["clients"]?.array ?? []
        #expect(apps.contains { $0["id"] == "app" } && !apps.contains { $0["id"]?.string == id })
        #expect(apps.allSatisfy { $0["agent"] == .null && $0["origin"] == "operator" })
    }
}
