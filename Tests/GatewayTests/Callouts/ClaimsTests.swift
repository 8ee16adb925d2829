import Cryptography
import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// An app's custom claims, from a service for Entra's `onTokenIssuanceStart`.
@Suite("Custom claims")
struct ClaimsTests {
    private static let audience = "11112222-bbbb-3333-cccc-4444dddd5555"

    private static func settings(_ address: String, failure: String = "closed") -> [String: String] {
        [
            "CLAIMS_URL": address, "CLAIMS_AUDIENCE": audience, "CLAIMS_ALLOWED": "tier,groups,roles",
            "CLAIMS_FAILURE": failure, "CLAIMS_REFRESH_SECONDS": "3600",
            "CLAIMS_ATTRIBUTES": "display_name:name,email:mail,phone:phone",
        ]
    }

    private static func providing(_ claims: JSON) -> OperatorService.Answer {
        OperatorService.Answer([
            "data": [
                "@odata.type": "microsoft.graph.onTokenIssuanceStartResponseData",
                "actions": [
                    [
                        "@odata.type": "microsoft.graph.tokenIssuanceStart.provideClaimsForToken", "claims": claims,
                    ]
                ],
            ]
        ])
    }

    private static func claims(of token: String) throws -> JSONObject { try JWT(parsing: token).claims }

    @Test(
        "the service gets Entra's request with a verifiable token, and its claims are in the access token"
    )
    func contract() async throws {
        try await OperatorService.with { service, address in
            try await withGateway(Self.settings(address)) { gateway in
                service.answers(Self.providing(["tier": "gold", "groups": ["a", "b"], "color": "red", "sub": "me"]))
                let email = Fresh.email()
                let person = try await gateway.session(
                    "google",
                    ["subject": .string(Fresh.subject("google")), "email": .string(email), "claims": ["name": "Ann"]])
                let asked = try #require(service.received.first)
                #expect(service.received.count == 1)
                try Self.expectEnvelope(asked.json, person, email)
                try await Self.expectBearer(asked, gateway)

                let claims = try Self.claims(of: person.accessToken)
                #expect(claims["tier"] == "gold")
                #expect(claims["groups"] == ["a", "b"])
                #expect(claims["color"] == nil, "it is not on the list")
                #expect(claims["sub"] == .string(person.account))
                #expect(claims["name"] == "Ann")
                #expect(claims["mail"] == .string(email))
                #expect(claims["phone"] == nil)
                let session = try await gateway.checkSession(person.accessToken)
                #expect(session.json["session"]?["claims"]?["tier"] == "gold")
            }
        }
    }

    private static func expectEnvelope(_ json: JSON, _ person: SignedInAnswer, _ email: String) throws {
        #expect(json["type"] == "microsoft.graph.authenticationEvent.tokenIssuanceStart")
        let data = try #require(json["data"])
        #expect(data["@odata.type"] == "microsoft.graph.onTokenIssuanceStartCalloutData")
        for name in ["tenantId", "authenticationEventListenerId", "customAuthenticationExtensionId"] {
            #expect(data[name]?.string.flatMap(UUID.init(uuidString:)) != nil, "\(name)")
        }
        let tenant = try #require(data["tenantId"]?.string)
        #expect(json["source"] == .string("/tenants/\(tenant)/applications/app"))
        let context = try #require(data["authenticationContext"])
        #expect(context["protocol"] == "OAUTH2.0")
        #expect(context["correlationId"] == .string(person.answer.requestID))
        #expect(context["client"]?["ip"] == "127.0.0.1")
        #expect(context["clientServicePrincipal"]?["appId"] == "app")
        #expect(context["resourceServicePrincipal"]?["appId"] == "app")
        #expect(context["user"]?["id"] == .string(person.account))
        #expect(context["user"]?["displayName"] == "Ann")
        #expect(context["user"]?["mail"] == .string(email))
        #expect(context["user"]?["userType"] == "Member")
    }

    /// Checks the caller like a service: the signature with the key set, then issuer, audience and application.
    private static func expectBearer(_ asked: OperatorService.Received, _ gateway: GatewayProcess) async throws {
        let header = try #require(asked.headers["authorization"])
        let text = String(header.dropFirst("Bearer ".count))
        let token = try JWT(parsing: text)
        let keys = try JWKSet(parsing: try await gateway.get("/.well-known/jwks.json").body, accepting: [.ES256])
        let id = try #require(token.keyID)
        let key = try #require(keys.key(id: id, algorithm: .ES256)?.key)
        #expect(token.isSigned(by: key, .ES256))
        #expect(token.header["typ"] == "JWT")
        let issuer = try await gateway.get("/.well-known/openid-configuration").json["issuer"]
        #expect(token.claims["iss"] == issuer)
        #expect(token.claims["aud"] == .string(audience))
        #expect(token.claims["azp"] == "99045fe1-7639-4a75-9d4a-577b6ca3810f")
        #expect(token.claims["tid"] == asked.json["data"]?["tenantId"])
        let now = Int(Date().timeIntervalSince1970)
        #expect((token.claims["exp"]?.integer ?? 0) > now)
        // The service's operator cannot use the token here.
        #expect(try await gateway.checkSession(text).code == "access_token_invalid")
    }

    /// Answers of a service that are invalid.
    private static let useless: [(name: String, answer: OperatorService.Answer, calls: Int)] = [
        ("down", OperatorService.Answer(status: 503, body: ""), 2),
        ("slow", providing(["tier": "gold"]).after(.seconds(4)), 2),
        ("refusing", OperatorService.Answer(status: 401, body: "{}"), 1),
        ("garbled", OperatorService.Answer(body: "{\"data\":"), 1),
        ("huge", providing(["tier": .string(String(repeating: "x", count: 20_000))]), 1),
        ("large", providing(["tier": .string(String(repeating: "x", count: 3_100))]), 1),
        ("redirecting", OperatorService.Answer(status: 302, body: "", location: "http://127.0.0.1:1/"), 1),
        ("of another type", OperatorService.Answer(contentType: "text/html", body: providing([:]).body), 1),
        ("without claims", providing(.null), 1),
        ("with a number", providing(["tier": 3]), 1),
    ]

    @Test("a service that gives no answer refuses sign-in, and no session is left")
    func closed() async throws {
        try await OperatorService.with { service, address in
            try await withGateway(Self.settings(address)) { gateway in
                let subject = Fresh.subject("apple")
                for (name, answer, calls) in Self.useless {
                    // A valid answer in between keeps the circuit closed.
                    service.answers(Self.providing(["tier": "gold"]))
                    let good = try await gateway.session("apple", ["subject": .string(subject)])
                    service.forget()
                    service.answers(answer)
                    let refused = try await gateway.signIn("apple", ["subject": .string(subject)])
                    #expect(refused.status == 503, "\(name): \(refused.text)")
                    #expect(refused.code == "claims_unavailable", "\(name)")
                    #expect(service.received.count == calls, "\(name)")
                    let rows = try await gateway.audit(refused, atLeast: 3)
                    #expect(
                        rows.contains { $0.action == "session_ended" && $0.reason == "claims_unavailable" }, "\(name)")
                    let open = try await gateway.sql { connection in
                        try connection.query(
                            "select id from sessions where account_id = \(UUID(uuidString: good.account)) and ended_at is null and claims is null"
                        ).count
                    }
                    #expect(open == 0, "\(name)")
                }
            }
        }
    }

    @Test("if the app permits it, a sign-in continues without the claims of a failing service")
    func open() async throws {
        try await OperatorService.with { service, address in
            try await withGateway(Self.settings(address, failure: "open")) { gateway in
                service.answers(OperatorService.Answer(status: 500, body: ""))
                let person = try await gateway.session(
                    "google", ["subject": .string(Fresh.subject("google")), "claims": ["name": "Ann"]])
                let claims = try Self.claims(of: person.accessToken)
                #expect(claims["tier"] == nil)
                #expect(claims["name"] == "Ann", "what is known here needs no service")
            }
        }
    }

    @Test(
        "a session stores its claims, renews them when due, and a retry gets the same refresh token and claims"
    )
    func refresh() async throws {
        try await OperatorService.with { service, address in
            try await withGateway(Self.settings(address)) { gateway in
                service.answers(Self.providing(["tier": "gold"]))
                let person = try await gateway.anyone()
                service.answers(Self.providing(["tier": "silver"]))
                let second = try await gateway.refreshed(person.refreshToken)
                #expect(try Self.claims(of: second.accessToken)["tier"] == "gold")
                #expect(service.received.count == 1)

                try await Self.makeDue(person, gateway)
                let third = try await gateway.refreshed(second.refreshToken)
                #expect(try Self.claims(of: third.accessToken)["tier"] == "silver")
                #expect(service.received.count == 2)
                service.answers(Self.providing(["tier": "lead"]))
                let again = try await gateway.refreshed(second.refreshToken)
                #expect(again.refreshToken == third.refreshToken)
                #expect(try Self.claims(of: again.accessToken) == Self.claims(of: third.accessToken))
                #expect(service.received.count == 2)
            }
        }
    }

    @Test("a refresh without claims rotates nothing, and the token stays valid until the service recovers")
    func refreshWhileDown() async throws {
        try await OperatorService.with { service, address in
            try await withGateway(Self.settings(address)) { gateway in
                service.answers(Self.providing(["tier": "gold"]))
                let person = try await gateway.anyone()
                try await Self.makeDue(person, gateway)
                service.answers(OperatorService.Answer(status: 500, body: ""))
                let refused = try await gateway.refresh(person.refreshToken)
                #expect(refused.status == 503)
                #expect(refused.code == "claims_unavailable")
                service.answers(Self.providing(["tier": "lead"]))
                let next = try await gateway.refreshed(person.refreshToken)
                #expect(try Self.claims(of: next.accessToken)["tier"] == "lead")
            }
        }
    }

    @Test("a code's session gets its claims when the code is redeemed, and none while the service is down")
    func handOver() async throws {
        try await OperatorService.with { service, address in
            let changes = Self.settings(address).merging(["CLIENT_REDIRECT_URIS": "org.example.app:/back"]) { $1 }
            try await withGateway(changes) { gateway in
                service.answers(Self.providing(["tier": "gold"]))
                let browser = try await Self.handedOver(gateway)
                #expect(service.received.isEmpty, "nobody holds a token yet")
                let tokens = try await Self.redeem(browser, gateway)
                let access = try #require(tokens.json["access_token"]?.string)
                #expect(try Self.claims(of: access)["tier"] == "gold")

                let second = try await Self.handedOver(gateway)
                service.answers(OperatorService.Answer(status: 500, body: ""))
                let refused = try await Self.redeem(second, gateway)
                #expect(refused.status == 503, "\(refused.text)")
                #expect(refused.code == "claims_unavailable")
            }
        }
    }

    private static func handedOver(_ gateway: GatewayProcess) async throws -> PageBrowser {
        let browser = try await PageBrowser.open(gateway, "/health/live")
        try await browser.signIn(
            "google",
            "redirect_uri=org.example.app%3A%2Fback&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
            as: ["email": .string(Fresh.email())])
        return browser
    }

    private static func redeem(_ browser: PageBrowser, _ gateway: GatewayProcess) async throws -> TestAnswer {
        try await gateway.send(
            TestRequest("POST", "/v1/token").form([
                ("grant_type", "authorization_code"), ("client_id", "app"), ("redirect_uri", "org.example.app:/back"),
                ("code", browser.departureQuery["code"] ?? ""),
                ("code_verifier", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            ]))
    }

    @Test("a cookie's session has claims from the start, and new ones when they are due")
    func cookie() async throws {
        try await OperatorService.with { service, address in
            try await withGateway(Self.settings(address)) { gateway in
                service.answers(Self.providing(["tier": "gold"]))
                let browser = try await PageBrowser.open(gateway, "/login")
                try await browser.signIn("google")
                let first = try await browser.send(TestRequest("GET", "/v1/session"))
                #expect(first.json["session"]?["claims"]?["tier"] == "gold", "\(first.text)")
                let id = try #require(first.json["session"]?["id"]?.string)
                service.answers(Self.providing(["tier": "lead"]))
                // The server's cached session is dropped, as after any change.
                try await gateway.change(
                    """
                    with due as (update sessions set claims_due_at = now() - interval '1 second' where id = \(UUID(uuidString: id)) returning id)
                    select pg_notify('gateway_sessions', 'session:' || id) from due
                    """)
                let tier = try await poll {
                    let answer = try await browser.send(TestRequest("GET", "/v1/session"))
                    return answer.json["session"]?["claims"]?["tier"] == "lead" ? "lead" : nil
                }
                #expect(tier == "lead")
            }
        }
    }

    private static func makeDue(_ person: SignedInAnswer, _ gateway: GatewayProcess) async throws {
        try await gateway.change(
            "update sessions set claims_due_at = now() - interval '1 second' where id = \(UUID(uuidString: person.session))"
        )
    }

    @Test("claims of attributes follow a changed attribute at the next refresh, and only then are renewed")
    func changedAttribute() async throws {
        let settings = ["CLAIMS_ATTRIBUTES": "display_name:name,company:org", "CLIENT_ATTRIBUTES": "company"]
        try await withGateway(settings) { gateway in
            let person = try await gateway.signUp(Fresh.email())
            #expect(try Self.claims(of: person.accessToken)["org"] == nil)
            var tokens = (access: person.accessToken, refresh: person.refreshToken)
            let changes: [(JSON, JSON?, JSON?)] = [
                (["attributes": ["company": "Acme"]], "Acme", nil),
                (["display_name": "Ann"], "Acme", "Ann"),
                (["attributes": ["company": nil]], nil, "Ann"),
            ]
            for (change, org, name) in changes {
                let changed = try await gateway.patch("/v1/account", change, bearer: tokens.access)
                #expect(changed.status == 200, "\(changed.text)")
                let answer = try await gateway.refresh(tokens.refresh)
                let session = try #require(answer.json["session"], "\(answer.text)")
                tokens = (
                    try #require(session["access_token"]?.string), try #require(session["refresh_token"]?.string)
                )
                let claims = try Self.claims(of: tokens.access)
                #expect(claims["org"] == org && claims["name"] == name)
            }
            #expect(try await gateway.count("select count(*) from sessions where claims_due_at <= now()") == 0)
        }
    }

    @Test(
        "reserved claim names are refused at start",
        arguments: ["sub", "acr", "scope", "cnf", "may_act", "bad name"])
    func reserved(name: String) async throws {
        try await withDeployment { deployment in
            let result = try await deployment.run(
                "check-configuration",
                changes: ["CLAIMS_URL": "http://127.0.0.1:1", "CLAIMS_AUDIENCE": "x", "CLAIMS_ALLOWED": "tier,\(name)"])
            #expect(result.exitCode == 78)
            #expect((result.errors + result.output).contains("CLAIMS_ALLOWED"))
        }
    }
}
