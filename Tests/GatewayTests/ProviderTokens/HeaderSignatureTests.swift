import JSON
import Testing

extension ProviderTokenTests {
    @Suite("Header and signature")
    struct HeaderSignatureTests {
        private static let unsignedTokens: [TokenAttack] =
            TokenAttack.signed.map { TokenAttack($0, "not signed", "algorithm_not_allowed", ["signing": "none"]) }
            + ["none", "None", "nOnE", "NONE", "", " none", "none "].flatMap { name in
                [
                    TokenAttack(
                        "apple", "alg \"\(name)\"", "algorithm_not_allowed",
                        header: ["alg": .string(name), "kid": "nobody"]),
                    TokenAttack(
                        "acme", "alg \"\(name)\", no signature", "algorithm_not_allowed",
                        ["signing": "empty", "header": ["alg": .string(name)]]),
                ]
            }
            + [("missing", nil), ("a list", ["RS256"]), ("a number", 256), ("a Boolean", true)].map {
                TokenAttack("google", "alg \($0.0)", "algorithm_not_allowed", header: ["alg": $0.1, "kid": "nobody"])
            }

        /// The key id is unknown: a look-up would have given `key_unknown`.
        @Test("J-06: an unsigned token is refused before its key is looked for", arguments: unsignedTokens)
        func unsigned(attack: TokenAttack) async throws {
            try await GatewayProcess.current.expectRefusal(of: attack)
        }

        private static let confusedTokens: [TokenAttack] =
            TokenAttack.signed.map {
                TokenAttack(
                    $0, "HS256 with the public key", "algorithm_not_allowed", ["signing": "hs256-with-public-key"])
            }
            + ["HS256", "HS384", "HS512", "PS256", "RS384", "RS512", "ES256", "EdDSA", "rs256", "RS256 "].map {
                TokenAttack(
                    "apple", "alg \($0) over an RS256 signature", "algorithm_not_allowed", header: ["alg": .string($0)])
            }

        @Test("J-07: a token under another algorithm is refused", arguments: confusedTokens)
        func confused(attack: TokenAttack) async throws {
            try await GatewayProcess.current.expectRefusal(of: attack)
        }

        private static let unkeyedTokens: [TokenAttack] = TokenAttack.signed.flatMap { provider in
            [
                TokenAttack(provider, "changed after signing", "signature_invalid", ["signing": "tampered"]),
                TokenAttack(provider, "without signature", "signature_invalid", ["signing": "empty"]),
                TokenAttack(provider, "no key id", "key_id_malformed", header: ["kid": nil]),
                TokenAttack(provider, "a number for key id", "key_id_malformed", header: ["kid": 1]),
                TokenAttack(provider, "a path for key id", "key_unknown", header: ["kid": "../../etc/passwd\n"]),
            ]
        }

        @Test("a token that no published key signed is refused", arguments: unkeyedTokens)
        func unkeyed(attack: TokenAttack) async throws {
            try await GatewayProcess.current.expectRefusal(of: attack)
        }

        @Test(
            "J-08: a key that the token itself offers is neither fetched nor used", arguments: TokenAttack.signed,
            ["jku", "x5u", "jwk", "x5c"])
        func offeredKey(provider: String, member: String) async throws {
            let gateway = try GatewayProcess.current
            let usual = try await gateway.simulator.mint(provider, ["subject": .string(Fresh.subject(provider))])
            let keyID = try Self.keyID(of: usual.token)
            let offer = Self.offer(member, port: gateway.simulator.port)
            try await gateway.expectRefusal(
                of: TokenAttack(
                    provider, "signed by a key of its own", "signature_invalid",
                    ["signing": "unpublished-key", "header": ["kid": .string(keyID), member: offer]]))
            _ = try await gateway.session(
                provider, ["subject": .string(Fresh.subject(provider)), "header": [member: offer]])
            #expect(try await gateway.simulator.strayRequests() == 0)
        }

        private static let kindsTokens: [TokenAttack] =
            TokenAttack.signed.flatMap { provider in
                [
                    TokenAttack(provider, "an access token by its typ", "wrong_token_type", header: ["typ": "at+jwt"]),
                    TokenAttack(
                        provider, "an access token by its long typ", "wrong_token_type",
                        header: ["typ": "application/at+jwt"]),
                    TokenAttack(
                        provider, "a logout token by its typ", "wrong_token_type", header: ["typ": "logout+jwt"]),
                    TokenAttack(provider, "a typ of the wrong type", "wrong_token_type", header: ["typ": 1]),
                    TokenAttack(
                        provider, "a logout token by its events", "wrong_token_type",
                        claims: ["events": ["http://schemas.openid.net/event/backchannel-logout": [:]]]),
                ]
            } + [
                TokenAttack(
                    "apple", "a notification", "wrong_token_type", claims: ["events": "{\"type\":\"consent-revoked\"}"]),
                TokenAttack(
                    "microsoft", "an access token by its scopes", "wrong_token_type", claims: ["scp": "User.Read"]),
                TokenAttack(
                    "microsoft", "a token of version 1", "wrong_token_type", claims: ["ver": "1.0", "appid": "x"]),
                TokenAttack("cognito", "no use", "wrong_token_type", claims: ["token_use": nil]),
                TokenAttack("cognito", "use access", "wrong_token_type", claims: ["token_use": "access"]),
            ]

        @Test("J-22: another kind of token is refused", arguments: kindsTokens)
        func kinds(attack: TokenAttack) async throws {
            try await GatewayProcess.current.expectRefusal(of: attack)
        }

        @Test("J-22: our own access token is refused", arguments: TokenAttack.signed)
        func ownAccessToken(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let own = try await gateway.session("apple", ["subject": .string(Fresh.subject("apple"))]).accessToken
            let answer = try await gateway.signIn(provider, credential: [Minted.tokenMember(provider): .string(own)])
            #expect(answer.status == 401)
            let allowed: Set<String?> = ["algorithm_not_allowed", "tenant_not_allowed", "issuer_not_allowed"]
            #expect(allowed.contains(answer.code), "\(answer.text)")
        }

        private static func keyID(of token: String) throws -> String {
            let header = try #require(Tokens.object(token, part: 0))
            return try #require(header["kid"]?.string)
        }

        private static func offer(_ member: String, port: Int) -> JSON {
            switch member {
            case "jwk": ["kty": "RSA", "n": "AQAB", "e": "AQAB"]
            case "x5c": ["MIIB"]
            default: .string("http://127.0.0.1:\(port)/evil/keys")
            }
        }
    }
}
