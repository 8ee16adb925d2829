import JSON
import Testing

extension ProviderTokenTests {
    @Suite("Issuer, audience, tenant")
    struct IssuerAudienceTests {
        private static let issuerAttacks: [TokenAttack] =
            TokenAttack.signed.map {
                TokenAttack($0, "another issuer", "issuer_not_allowed", claims: ["iss": "https://evil.example"])
            }
            + TokenAttack.signed.map { TokenAttack($0, "no issuer", "issuer_not_allowed", claims: ["iss": nil]) }
            + TokenAttack.signed.map {
                TokenAttack($0, "a number for issuer", "issuer_not_allowed", claims: ["iss": 7])
            }
            + [
                "https://appleid.apple.com/", "http://appleid.apple.com", "https://APPLEID.apple.com",
                "appleid.apple.com",
                "https://appleid.apple.com.evil.example", " https://appleid.apple.com", "https://account.apple.com",
            ].map { TokenAttack("apple", "iss \($0)", "issuer_not_allowed", claims: ["iss": .string($0)]) }
            + [
                TokenAttack(
                    "apple", "a list that holds the issuer", "issuer_not_allowed",
                    claims: ["iss": ["https://appleid.apple.com"]]),
                TokenAttack(
                    "acme", "Google's issuer", "issuer_not_allowed", claims: ["iss": "https://accounts.google.com"]),
                TokenAttack(
                    "microsoft", "issuer of another tenant", "issuer_not_allowed",
                    claims: ["iss": "https://login.microsoftonline.com/bbbbbbbb-cccc-dddd-eeee-ffffffffffff/v2.0"]),
                TokenAttack(
                    "microsoft", "the template of an issuer", "issuer_not_allowed",
                    claims: ["iss": "https://login.microsoftonline.com/{tenantid}/v2.0"]),
                TokenAttack(
                    "cognito", "issuer of another pool", "issuer_not_allowed",
                    claims: ["iss": "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_Other"]),
            ]

        @Test("J-01: a token of another issuer is refused", arguments: issuerAttacks)
        func issuer(attack: TokenAttack) async throws {
            try await GatewayProcess.current.expectRefusal(of: attack)
        }

        @Test("J-01: an attacker's issuer and key address are never called", arguments: TokenAttack.signed)
        func noRequestToForeignIssuer(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let evil = "http://127.0.0.1:\(gateway.simulator.port)/evil"
            try await gateway.expectRefusal(
                of: TokenAttack(
                    provider, "an issuer that listens", "issuer_not_allowed",
                    ["claims": ["iss": .string(evil)], "header": ["kid": "evil", "jku": .string(evil + "/keys")]]))
            #expect(try await gateway.simulator.strayRequests() == 0)
        }

        @Test(
            "J-01: one provider's token is refused by another", arguments: TokenAttack.signed, TokenAttack.signed)
        func crossProvider(made: String, named: String) async throws {
            guard made != named else { return }
            let gateway = try GatewayProcess.current
            let minted = try await gateway.simulator.mint(made, ["subject": .string(Fresh.subject(made))])
            let answer = try await gateway.signIn(named, credential: [Minted.tokenMember(named): .string(minted.token)])
            // Microsoft's tenant is checked before its issuer.
            try await gateway.expectRefusal(
                answer, 401, named == "microsoft" ? "tenant_not_allowed" : "issuer_not_allowed", provider: named)
        }

        private static let audienceAttacks: [TokenAttack] =
            TokenAttack.signed.flatMap { provider -> [TokenAttack] in
                [
                    ("of another app", "com.other.app"), ("empty", ""), ("a number", 7), ("an empty list", []),
                    ("null in a list", [nil]),
                    ("a list of another app", ["com.other.app"]), ("an object", ["aud": "x"]), ("missing", nil),
                ].map { TokenAttack(provider, "aud \($0.0)", "audience_mismatch", claims: ["aud": $0.1]) }
            }
            + ["com.example.app.evil", "com.example.ap", "COM.EXAMPLE.APP", "com.example.app ", "*"].map {
                TokenAttack("apple", "aud \($0)", "audience_mismatch", claims: ["aud": .string($0)])
            }
            + [
                TokenAttack(
                    "apple", "our app beside another", "audience_mismatch",
                    claims: ["aud": ["com.example.app", "com.other.app"]]),
                TokenAttack(
                    "google", "our app beside another", "audience_mismatch",
                    claims: ["aud": ["google-client.apps.googleusercontent.com", "x"]]),
                TokenAttack("acme", "azp of another app", "authorized_party_mismatch", claims: ["azp": "other-client"]),
                TokenAttack("apple", "our own website", "audience_flow_mismatch", ["client_id": "com.example.web"]),
            ]

        @Test("J-03: a token for another audience is refused", arguments: audienceAttacks)
        func audience(attack: TokenAttack) async throws {
            try await GatewayProcess.current.expectRefusal(of: attack)
        }

        @Test("J-03: a list of one audience is accepted", arguments: ["apple", "acme"])
        func audienceInList(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let usual = try await gateway.simulator.mint(provider).members["claims"]?["aud"]?.string
            _ = try await gateway.session(
                provider,
                ["subject": .string(Fresh.subject(provider)), "claims": ["aud": [.string(try #require(usual))]]])
        }

        private static let tenantAttacks: [TokenAttack] = [
            TokenAttack(
                "microsoft", "another tenant", "tenant_not_allowed", ["tenant": "cccccccc-dddd-eeee-ffff-000000000000"]),
            TokenAttack(
                "microsoft", "personal accounts", "tenant_not_allowed",
                ["tenant": "9188040d-6c67-4c5b-b112-36a304b66dad"]),
            TokenAttack("microsoft", "no tenant", "tenant_not_allowed", claims: ["tid": nil]),
            TokenAttack("microsoft", "an empty tenant", "tenant_not_allowed", claims: ["tid": ""]),
            TokenAttack(
                "microsoft", "a list of tenants", "tenant_not_allowed",
                claims: ["tid": ["aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"]]),
            TokenAttack(
                "microsoft", "the tenant in capitals", "tenant_not_allowed",
                claims: ["tid": "AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE"]),
            TokenAttack("microsoft", "common", "tenant_not_allowed", claims: ["tid": "common"]),
            TokenAttack(
                "microsoft", "a foreign tenant that names ours", "issuer_not_allowed",
                [
                    "tenant": "cccccccc-dddd-eeee-ffff-000000000000",
                    "claims": ["tid": "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"],
                ]),
            TokenAttack(
                "microsoft", "the external tenant in place of ours", "issuer_not_allowed",
                claims: ["tid": "bbbbbbbb-cccc-dddd-eeee-ffffffffffff"]),
        ]

        @Test("J-26: a token of an unlisted tenant is refused", arguments: tenantAttacks)
        func tenant(attack: TokenAttack) async throws {
            try await GatewayProcess.current.expectRefusal(of: attack)
        }
    }
}
