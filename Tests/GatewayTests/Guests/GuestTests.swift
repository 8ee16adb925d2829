import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// Accounts without a credential (`docs/sign-in.md`, "Guests").
@Suite(
    "Guests", .gateway(StepServer.configuration.merging(["CLIENT_GUESTS": "true", "GUEST_ACCOUNT_DAYS": "30"]) { $1 }))
struct GuestTests {
    @Test("a guest gets an account and a session without a proof, and the answers and the audit log say so")
    func made() async throws {
        let gateway = try GatewayProcess.current
        let answer = try await gateway.guestSignIn()
        let guest = try SignedInAnswer(answer)
        #expect(guest.isNewAccount && guest.identity.isEmpty && guest.email == nil)
        #expect(answer.json["account"]?["guest"] == true)
        let claims = try #require(Tokens.object(guest.accessToken, part: 1))
        #expect(claims["amr"] == [] && claims["acr"] == "0" && claims["idp"] == "guest")
        #expect(claims["sub"]?.string == guest.account)
        let session = try await gateway.checkSession(guest.accessToken)
        #expect(session.json["account"]?["guest"] == true)
        #expect(session.json["session"]?["amr"] == [] && session.json["session"]?["acr"] == "0")
        #expect(try await gateway.get("/v1/account", bearer: guest.accessToken).json["guest"] == true)
        let rows = try await gateway.audit(answer)
        #expect(rows.map(\.action) == ["account_created"])
        #expect(
            rows.first?.reason == "guest" && rows.first?.provider == "guest" && rows.first?.account == guest.account)
        #expect(try SignedInAnswer(try await gateway.guestSignIn()).account != guest.account)
    }

    @Test("another user's account has no guest mark")
    func others() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        #expect(person.answer.json["account"]?["guest"] == nil)
        #expect(try await gateway.checkSession(person.accessToken).json["account"]?["guest"] == nil)
    }

    @Test("a refresh keeps a guest's session without a proof")
    func refreshed() async throws {
        let gateway = try GatewayProcess.current
        let guest = try await gateway.guest()
        let pair = try await gateway.refreshed(guest.refreshToken)
        #expect(pair.session == guest.session)
        #expect(try pair.accessClaims["amr"] == [] && pair.accessClaims["acr"] == "0")
    }

    @Test("a client without the setting, and one that demands a second factor, accept no guest")
    func notAllowed() async throws {
        let gateway = try GatewayProcess.current
        _ = try await gateway.askingClient()
        try await gateway.change(
            "insert into clients (id, name, guests, mfa) values ('strict', 'Strict', true, 'required')")
        _ = try await poll {
            let answer = try await gateway.post(
                "/v1/sign-in", ["provider": "unknown", "client_id": "strict", "credential": [:]])
            return answer.code == "client_unknown" ? nil : true
        }
        for client in ["asking", "strict"] {
            try await gateway.expectRefusal(
                try await gateway.guestSignIn(app: client), 403, "guests_not_allowed", provider: "guest")
        }
        #expect(
            try await gateway.count(
                "select count(*) from audit_events where action = 'account_created' and client_id in ('asking', 'strict')"
            )
                == 0)
    }

    @Test("a guest sends no credential: a member of one is refused")
    func noCredential() async throws {
        let gateway = try GatewayProcess.current
        let answer = try await gateway.signIn("guest", credential: ["username": "ann"])
        try await gateway.expectRefusal(answer, 400, "invalid_request")
        #expect(answer.json["errors"]?.array?.first?["pointer"] == "/credential/username", "\(answer.text)")
        _ = try SignedInAnswer(try await gateway.signIn("guest", credential: [:]))
    }

    @Test("L-18: an address joins no guest: its owner gets an account of their own")
    func neverJoined() async throws {
        let gateway = try GatewayProcess.current
        let guest = try await gateway.guest()
        let email = Fresh.email()
        // Even an unproved claim that no interface of a guest can make.
        try await gateway.change(
            """
            insert into account_emails (account_id, address_key, address, source)
            values (\(guest.account)::uuid, \(email), \(email), 'person')
            """)
        let owner = try await gateway.session("apple", ["email": .string(email)])
        #expect(owner.isNewAccount && owner.account != guest.account && owner.email == email)
    }

    @Test("L-18: a guest changes nothing that needs a proof, however new its session is")
    func unproved() async throws {
        let gateway = try GatewayProcess.current
        let bearer = try await gateway.guest().accessToken
        let calls: [(action: String, answer: TestAnswer)] = [
            ("add_factor", try await gateway.post("/v1/account/factors", ["type": "totp"], bearer: bearer))
        ]
        for call in calls {
            #expect(
                call.answer.status == 403 && call.answer.code == "reauth_required",
                "\(call.action): \(call.answer.text)")
        }
        let stepUp = try await gateway.post("/v1/session/step-up", bearer: bearer)
        #expect(stepUp.code == "no_second_factor", "\(stepUp.text)")
    }

    @Test("a guest exports and deletes its own account, at any age of the session")
    func privacy() async throws {
        let gateway = try GatewayProcess.current
        let guest = try await gateway.guest()
        try await gateway.age(guest.session)
        let export = try await gateway.get("/v1/account/export", bearer: guest.accessToken)
        #expect(export.status == 200 && export.text.contains(guest.account), "\(export.text)")
        let deletion = try await gateway.delete("/v1/account", bearer: guest.accessToken)
        #expect(deletion.status == 202, "\(deletion.text)")
        #expect(try await gateway.checkSession(guest.accessToken).code == "session_ended")
        #expect(
            try await gateway.count(
                "select count(*) from accounts where id = \(guest.account)::uuid and deletion_due_at is not null") == 1)
    }

    @Test("the metric of outcomes counts guests apart from other sign-ins")
    func counted() async throws {
        // A port that was free a moment ago.
        let port = try await PlainListener.run { server in server.port }
        try await withGateway(["CLIENT_GUESTS": "true", "OPS_PORT": "\(port)"]) { gateway in
            _ = try await gateway.guest()
            let page = try await TestClient(port: port).send(TestRequest("GET", "/metrics")).text
            let line = page.split(separator: "\n").first {
                $0.hasPrefix("gateway_outcomes_total{") && $0.contains("action=\"sign_in\"")
                    && $0.contains("provider=\"guest\"") && $0.contains("outcome=\"done\"")
            }
            #expect(line?.hasSuffix(" 1") == true, "\(page)")
        }
    }
}

extension GatewayProcess {
    /// `POST /v1/sign-in` of a guest.
    func guestSignIn(app: String = "app", from address: String? = nil) async throws -> TestAnswer {
        let request = TestRequest("POST", "/v1/sign-in").json(["provider": "guest", "client_id": .string(app)])
        return try await send(address.map { request.header("X-Forwarded-For", $0) } ?? request)
    }

    /// A new guest.
    func guest() async throws -> SignedInAnswer { try SignedInAnswer(try await guestSignIn()) }
}
