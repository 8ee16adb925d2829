import JSON
import Postgres
import TestSupport
import Testing

/// A client with accepted audiences of a provider refuses a token made for another app of the company.
@Suite(
    "Audiences that a client accepts",
    .gateway([
        "OIDC_ACME_CLIENT_IDS": "acme-client,acme-other", "MICROSOFT_WEB_TENANT_ID": SimulatedTenant.id,
        "CLIENT_REDIRECT_URIS": "org.example.app:/back",
    ]))
struct ProviderAudienceTests {
    /// A client that accepts Acme's tokens for `acme-client` only, and no audience of Microsoft that exists here.
    private static func client(_ gateway: GatewayProcess) async throws -> String {
        let id = "narrow-\(Fresh.text())"
        try await gateway.addClient(id, secret: nil, redirects: ["org.example.app:/back"])
        try await gateway.change(
            """
            update clients set accepted_audiences = '{"acme": ["acme-client"], "microsoft": ["another-app"]}' where id = \(id)
            """)
        _ = try await poll { try await gateway.signIn(foreign(gateway), app: id).status == 401 ? () : nil }
        return id
    }

    /// A token of Acme for the other app.
    private static func foreign(_ gateway: GatewayProcess, _ subject: String? = nil) async throws -> Minted {
        try await gateway.simulator.mint(
            "acme", ["subject": .string(subject ?? Fresh.subject("acme")), "claims": ["aud": "acme-other"]])
    }

    @Test("F9: a client limited to its own app's tokens refuses another app's token")
    func signIn() async throws {
        let gateway = try GatewayProcess.current
        let client = try await Self.client(gateway)
        let subject = Fresh.subject("acme")
        let own = try await gateway.session("acme", ["subject": .string(subject)], app: client)
        // The same user with a token for the other app: known, but refused.
        let refused = try await gateway.signIn(try await Self.foreign(gateway, subject), app: client)
        try await gateway.expectRefusal(refused, 401, "audience_mismatch", provider: "acme")
        let unknown = Fresh.subject("acme")
        try await gateway.expectRefusal(
            try await gateway.signIn(try await Self.foreign(gateway, unknown), app: client), 401, "audience_mismatch",
            provider: "acme")
        let accounts = try await gateway.count("select count(*) from identities where subject = \(unknown)")
        #expect(accounts == 0)
        // A client or a provider without a limit is not affected.
        #expect(try await gateway.session("acme", ["claims": ["aud": "acme-other"]]).isNewAccount)
        #expect(try await gateway.session("google", app: client).isNewAccount)
        #expect(try await gateway.checkSession(own.accessToken).status == 200)
    }

    @Test("F9: nor does it link, by the link call or with a session")
    func link() async throws {
        let gateway = try GatewayProcess.current
        let client = try await Self.client(gateway)
        let person = try await gateway.anyone(app: client)
        let linked = try await gateway.post(
            "/v1/account/identities",
            ["provider": "acme", "credential": .object(try await Self.foreign(gateway).credential())],
            bearer: person.accessToken)
        try await gateway.expectRefusal(linked, 401, "audience_mismatch", action: "link_identity", provider: "acme")
        let beside = try await gateway.signIn(
            try await Self.foreign(gateway), app: client, bearer: person.accessToken)
        try await gateway.expectRefusal(beside, 401, "audience_mismatch", provider: "acme")
        let own = try await gateway.simulator.mint("acme")
        let right = try await gateway.post(
            "/v1/account/identities", ["provider": "acme", "credential": .object(own.credential())],
            bearer: person.accessToken)
        #expect(right.status == 201, "\(right.text)")
    }

    @Test("F9: a sign-in in steps at the provider is refused like a token")
    func stepwise() async throws {
        let gateway = try GatewayProcess.current
        let client = try await Self.client(gateway)
        let name = try await SimulatedTenant(gateway.deployment.simulator).user()
        let credential: JSONObject = ["username": .string(name), "password": .string(SimulatedTenant.password)]
        let refused = try await gateway.signIn("microsoft", credential: credential, app: client)
        try await gateway.expectRefusal(refused, 401, "audience_mismatch", provider: "microsoft")
        #expect(try SignedInAnswer(try await gateway.signIn("microsoft", credential: credential)).isNewAccount)
    }

    @Test("F3, F9: the first app has the type and the audiences of the configuration")
    func firstClient() async throws {
        let changes = ["CLIENT_TYPE": "confidential", "CLIENT_ACCEPTED_AUDIENCES": "acme:acme-client,acme:acme-other"]
        try await withGateway(changes) { gateway in
            let count = try await gateway.count(
                """
                select count(*) from clients where id = 'app' and type = 'confidential'
                   and accepted_audiences = '{"acme": ["acme-client", "acme-other"]}'
                """)
            #expect(count == 1)
        }
    }

    @Test("F9: a browser that returns from a provider as another app is refused")
    func browser() async throws {
        let gateway = try GatewayProcess.current
        let client = try await Self.client(gateway)
        try await gateway.change(
            "update clients set accepted_audiences = '{\"github\": [\"another-app\"]}' where id = \(client)")
        _ = try await poll { try await gateway.signIn(Self.foreign(gateway), app: client).status == 200 ? () : nil }
        let browser = try await PageBrowser.open(gateway, "/health/live")
        let answer = try await browser.signIn(
            "github",
            "client_id=\(client)&redirect_uri=org.example.app%3A%2Fback&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
            as: ["email": .string(Fresh.email())])
        #expect(answer.status >= 400 && browser.departureQuery["code"] == nil, "\(answer.text)")
        #expect(try await gateway.audit(answer).map(\.reason) == ["audience_mismatch"])
    }
}
