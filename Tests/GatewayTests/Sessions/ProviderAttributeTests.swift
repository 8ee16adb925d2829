import Cryptography
import JSON
import Postgres
import Testing

/// Facts that a provider returns for a configured scope become attributes of the account.
@Suite(
    "Attributes from a provider",
    .gateway([
        "AMAZON_SCOPES": "profile,postal_code", "CLIENT_ATTRIBUTES": "postal_code,company",
        "CLAIMS_ATTRIBUTES": "postal_code:postal_code",
    ]))
struct ProviderAttributeTests {
    private func attributes(_ session: SignedInAnswer) async throws -> JSON? {
        try await GatewayProcess.current.get("/v1/account", bearer: session.accessToken).json["attributes"]
    }

    private func signIn(_ subject: String, code: String?) async throws -> SignedInAnswer {
        var profile: JSONObject = [:]
        profile["postal_code"] = code.map(JSON.string)
        return try await GatewayProcess.current.session(
            "amazon", ["subject": .string(subject), "profile": .object(profile)])
    }

    @Test("a postal code fills a missing attribute, is audited, and replaces nothing")
    func filled() async throws {
        let gateway = try GatewayProcess.current
        let subject = Fresh.subject("amazon")
        let first = try await signIn(subject, code: nil)
        #expect(try await attributes(first) == [:])
        let second = try await signIn(subject, code: "98109")
        #expect(second.account == first.account)
        #expect(try await attributes(second) == ["postal_code": "98109"])
        let changed = try await gateway.patch(
            "/v1/account", ["attributes": ["postal_code": "10115"]], bearer: second.accessToken)
        #expect(changed.status == 200, "\(changed.text)")
        #expect(try await attributes(try await signIn(subject, code: "98109")) == ["postal_code": "10115"])
        let rows = try await gateway.count(
            """
            select count(*) from (
                select request_id from audit_inbox i
                 where i.account_id = \(first.account)::uuid and i.action = 'profile_changed' and i.provider = 'amazon'
                union
                select request_id from audit_events e
                 where e.account_id = \(first.account)::uuid and e.action = 'profile_changed' and e.provider = 'amazon'
            ) sealed_or_not
            """)
        #expect(rows == 1)
    }

    @Test("a claim of the attribute follows at the next refresh")
    func claim() async throws {
        let gateway = try GatewayProcess.current
        let session = try await signIn(Fresh.subject("amazon"), code: "98109")
        let token = try await gateway.refreshed(session.refreshToken).accessToken
        #expect(try JWT(parsing: token).claims["postal_code"] == "98109")
    }

    @Test("an unknown scope ends the start with its name")
    func unknownScope() async throws {
        let deployment = try GatewayProcess.current.deployment
        let check = try await deployment.run(
            "check-configuration", changes: ["AMAZON_SCOPES": "profile,openid"])
        #expect(check.exitCode == 78)
        #expect((check.output + check.errors).contains("AMAZON_SCOPES: must be some of: profile"), "\(check.errors)")
    }
}
