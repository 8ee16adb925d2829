import Cryptography
import Foundation
import JSON
import Testing

@testable import Clients
@testable import Sessions
@testable import Vocabulary

@Suite("Token issuer")
struct TokenIssuerTests {
    private static let facts = AccessTokenFacts(
        session: UUID(), account: UUID(), clientID: "app", provider: "apple", authTime: .noon, amr: ["fed"], acr: "1")

    static func key(_ id: String, active: Date?, retires: Date? = nil) throws -> SigningKey {
        let key = try PrivateKey.generateP256()
        return SigningKey(
            id: id, publishedAt: .noon, activatesAt: active, retiresAt: retires, algorithm: .es256,
            publicJWK: key.publicKey.jwk(id: id, algorithm: .ES256), publicKey: key.publicKey,
            signer: JWTSigner(key: key, keyID: id, algorithm: .ES256, type: TokenIssuer.type))
    }

    static func issuer(_ keys: SigningKey...) -> TokenIssuer {
        let held = SigningKeys()
        held.replace(with: keys)
        return TokenIssuer(issuer: "https://login.example", keys: held)
    }

    @Test("contains every claim of RFC 9068 and ours")
    func claims() throws {
        let issuer = Self.issuer(try Self.key("k1", active: .noon))
        let token = try issuer.issue(Self.facts, generation: 0, at: .noon, by: .lasting(600))
        let jwt = try JWT(parsing: token)
        #expect(jwt.header["typ"]?.string == "at+jwt")
        #expect(jwt.algorithmName == "ES256")
        let names = Set(jwt.claims.members.map(\.name))
        #expect(
            names == ["iss", "sub", "aud", "client_id", "sid", "jti", "iat", "exp", "auth_time", "amr", "acr", "idp"])
        #expect(jwt.claims["exp"]?.integer == 1_800_000_600)
    }

    @Test("F1: aud is the client, and the address of each further permission of its sessions")
    func audiences() throws {
        let issuer = Self.issuer(try Self.key("k1", active: .noon))
        let rows: [(Set<Audience>, JSON)] = [
            ([], "app"), ([.account], ["app", "https://login.example/v1/account"]),
            (
                [.administration, .account],
                ["app", "https://login.example/v1/account", "https://login.example/admin/api/v1"]
            ),
        ]
        for (audiences, claim) in rows {
            let token = try issuer.issue(
                Self.facts, generation: 0, at: .noon, by: .lasting(600, for: audiences))
            let verified = try issuer.verify(token, at: .noon).verified
            #expect(verified.claims["aud"] == claim)
            #expect(issuer.audiences(verified.claims) == audiences)
        }
        for claim: JSON in [
            "https://login.example/admin/api/v1", ["https://evil.example/admin/api/v1"], [["x"]], .null, 4,
        ] {
            #expect(issuer.audiences(["aud": claim]) == [])
        }
    }

    @Test("the token of an app with pairwise subjects names the account nowhere")
    func pairwise() throws {
        let issuer = Self.issuer(try Self.key("k1", active: .noon))
        let facts = Self.facts.known(as: "a subject")
        let token = try issuer.issue(facts, generation: 0, at: .noon, by: .lasting(600))
        let verified = try issuer.verify(token, at: .noon)
        #expect(verified.user.subject == "a subject" && verified.user.session == facts.session)
        #expect(!JSON.object(verified.verified.claims).text.contains(facts.account.text))
        #expect(try issuer.revocable(token, at: .noon)?.subject == "a subject")
    }

    @Test("F1: the audience of each path")
    func paths() {
        for path in ["/v1/account", "/v1/account/identities", "/v1/password/change"] {
            #expect(Audience(path: path) == .account)
        }
        #expect(Audience(path: "/admin/api/v1/me") == .administration)
        for path in ["/v1/accounts", "/v1/session", "/v1/sign-in", "/admin", "/account"] {
            #expect(Audience(path: path) == nil)
        }
    }

    @Test("S-04: the access token of a repeated refresh has the same claims on every server")
    func repeatedRefresh() throws {
        let key = try Self.key("k1", active: .noon)
        func claims(generation: Int) throws -> JSONObject {
            let issuer = Self.issuer(key)
            let token = try issuer.issue(Self.facts, generation: generation, at: .noon, by: .lasting(600))
            return try issuer.verify(token, at: .noon).verified.claims
        }
        let first = try claims(generation: 3)
        #expect(try claims(generation: 3) == first)
        #expect(try claims(generation: 4) != first)
    }

    @Test("S-04: a later token of the same generation has another id")
    func later() throws {
        let issuer = Self.issuer(try Self.key("k1", active: .noon))
        let ids = try [0.0, 0.5, 3_600].map { seconds in
            let token = try issuer.issue(
                Self.facts, generation: 3, at: .noon.addingTimeInterval(seconds), by: .lasting(600))
            return try JWT(parsing: token).claims["jti"]?.string
        }
        #expect(ids[0] != nil && ids[0] == ids[1] && ids[2] != ids[0])
    }

    @Test("S-12: valid until its last second, without leeway")
    func expiry() throws {
        let issuer = Self.issuer(try Self.key("k1", active: .noon))
        let token = try issuer.issue(Self.facts, generation: 0, at: .noon, by: .lasting(600))
        let user = try issuer.verify(token, at: .noon.addingTimeInterval(599)).user
        #expect(user.session == Self.facts.session && user.subject == Self.facts.account.text && user.key == nil)
        #expect(throws: Rejection.tokenExpired) { try issuer.verify(token, at: .noon.addingTimeInterval(600)) }
    }

    @Test("S-14: the next key signs from its activation, and the old one still verifies")
    func rotation() throws {
        let old = try Self.key("k1", active: .noon)
        let next = try Self.key("k2", active: .noon.addingTimeInterval(100))
        let issuer = Self.issuer(old, next)
        let before = try issuer.issue(Self.facts, generation: 0, at: .noon.addingTimeInterval(99), by: .lasting(600))
        let after = try issuer.issue(Self.facts, generation: 0, at: .noon.addingTimeInterval(100), by: .lasting(600))
        #expect(try JWT(parsing: before).keyID == "k1")
        #expect(try JWT(parsing: after).keyID == "k2")
        for token in [before, after] {
            #expect(throws: Never.self) { try issuer.verify(token, at: .noon.addingTimeInterval(101)) }
        }
    }

    @Test("a key that is only published signs nothing")
    func nextSignsNothing() throws {
        let issuer = Self.issuer(try Self.key("k1", active: .noon), try Self.key("next", active: nil))
        let token = try issuer.issue(Self.facts, generation: 0, at: .noon.addingTimeInterval(1e6), by: .lasting(600))
        #expect(try JWT(parsing: token).keyID == "k1")
    }

    @Test("tokens with another issuer, type or key are refused")
    func foreign() throws {
        let key = try PrivateKey.generateP256()
        func signed(_ type: String?, issuer: String = "https://login.example", keyID: String = "k1") throws -> String {
            let claims = Self.facts.claims(issuer: issuer, clientID: "app", tokenID: "x", issuedAt: .noon, life: 600)
            return try JWTSigner(key: key, keyID: keyID, algorithm: .ES256, type: type).sign(claims)
        }
        let held = SigningKeys()
        held.replace(with: [
            SigningKey(
                id: "k1", publishedAt: .noon, activatesAt: .noon, retiresAt: nil, algorithm: .es256,
                publicJWK: key.publicKey.jwk(id: "k1", algorithm: .ES256),
                publicKey: key.publicKey,
                signer: JWTSigner(key: key, keyID: "k1", algorithm: .ES256, type: TokenIssuer.type))
        ])
        let issuer = TokenIssuer(issuer: "https://login.example", keys: held)
        #expect(throws: Never.self) { try issuer.verify(try signed("at+jwt"), at: .noon) }
        let foreign = [
            try signed("JWT"), try signed(nil), try signed("logout+jwt"),
            try signed("at+jwt", issuer: "https://login.example/"),
            try signed("at+jwt", keyID: "k2"),
        ]
        for token in foreign {
            #expect(throws: Rejection.tokenInvalid) { try issuer.verify(token, at: .noon) }
        }
        for nonsense in ["", "a.b.c", "nonsense"] {
            #expect(throws: Rejection.tokenMalformed) { try issuer.verify(nonsense, at: .noon) }
        }
    }

    @Test("the public set holds no private member")
    func publicSet() throws {
        let held = SigningKeys()
        held.replace(with: [try Self.key("k1", active: .noon), try Self.key("k2", active: nil)])
        let keys = try #require(try JSON(parsing: held.document)["keys"]?.array)
        #expect(keys.count == 2)
        for key in keys {
            #expect(Set(key.object?.members.map(\.name) ?? []) == ["kty", "crv", "x", "y", "kid", "alg", "use"])
        }
    }
}
