import Cryptography
import Foundation
import JSON
import Testing

@testable import Clients
@testable import Sessions
@testable import Vocabulary

@Suite("ID tokens")
struct IDTokenTests {
    private static let session = AccessTokenFacts(
        session: UUID(), account: UUID(), clientID: "app", provider: "google", authTime: .noon, amr: ["pwd", "otp"],
        acr: "2", claims: ["tier": "gold"])
    private static let terms = TokenProfile.IDToken(
        algorithm: .es256, audience: "app", life: 3_600, scopes: Set(TokenScope.own))

    private static func profile(
        name: String? = nil, user: String? = nil, email: (String, Bool)? = nil, phone: (String, Bool)? = nil
    ) -> AccountProfile {
        AccountProfile(
            summary: AccountSummary(
                id: session.account, displayName: name, email: email?.0, emailVerified: email?.1 ?? false,
                createdAt: .noon),
            userName: user, phone: phone?.0, phoneVerified: phone?.1 ?? false, attributes: [:], firstFactor: nil)
    }

    private static func claims(
        _ scopes: Set<TokenScope>, nonce: String? = nil, _ profile: AccountProfile? = nil
    ) -> JSON {
        IDTokenFacts(session: session, scopes: scopes, nonce: nonce, profile: profile).claims(
            issuer: "https://login.example", audience: "app", tokenID: "t", accessToken: "a", issuedAt: .noon,
            life: 3_600)
    }

    @Test("it states the sign-in, the client as its only audience, and no extra claim of the access token")
    func signIn() {
        let claims = Self.claims([.openid], nonce: "n-0S6")
        let wanted: JSON = [
            "iss": "https://login.example", "sub": .string(Self.session.account.text), "aud": "app",
            "iat": 1_800_000_000, "exp": 1_800_003_600, "auth_time": 1_800_000_000, "acr": "2",
            "amr": ["pwd", "otp"], "sid": .string(Self.session.session.text),
            "at_hash": .string(IDTokenFacts.hash(of: "a")), "jti": "t", "nonce": "n-0S6",
        ]
        #expect(claims == wanted)
        #expect(Self.claims([.openid])["nonce"] == nil)
    }

    @Test("at_hash is the left half of the digest, as a published example has it")
    func hash() {
        #expect(IDTokenFacts.hash(of: "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y") == "77QmUPtjPfzWtF2AnpK9RQ")
    }

    @Test("the app knows its user by the pairwise subject, where it has one")
    func pairwise() {
        let claims = IDTokenFacts(
            session: Self.session.known(as: "a subject"), scopes: [.openid], nonce: nil, profile: nil
        ).claims(
            issuer: "https://login.example", audience: "app", tokenID: "t", accessToken: "a", issuedAt: .noon,
            life: 3_600)
        #expect(claims["sub"] == "a subject" && !claims.text.contains(Self.session.account.text))
    }

    /// The standard claims that only attributes give.
    private static let attributes: Set<String> = [
        "family_name", "given_name", "middle_name", "nickname", "profile", "picture", "website", "gender", "birthdate",
        "zoneinfo", "locale",
    ]

    @Test("each scope adds its own claims, and a missing value adds none")
    func scopes() {
        let full = Self.profile(
            name: "Ann", user: "ann", email: ("ann@example.org", true), phone: ("+4915112345678", true))
        let base = Set(Self.claims([.openid]).object?.members.map(\.name) ?? [])
        for scope in [TokenScope.profile, .email, .phone] {
            let names = Set(Self.claims([.openid, scope], full).object?.members.map(\.name) ?? [])
            let held = Set(scope.claims).subtracting(Self.attributes)
            #expect(names.subtracting(base) == held)
            #expect(Self.claims([.openid, scope], Self.profile()) == Self.claims([.openid]))
        }
        let all = Self.claims(Set(TokenScope.own), full)
        #expect(all["name"] == "Ann" && all["preferred_username"] == "ann")
        #expect(all["email"] == "ann@example.org" && all["phone_number"] == "+4915112345678")
    }

    @Test("S-20: an unproved address or number is never stated as verified")
    func unproved() {
        let claims = Self.claims(
            Set(TokenScope.own),
            Self.profile(email: ("ann@example.org", false), phone: ("+4915112345678", false)))
        #expect(claims["email"] == "ann@example.org" && claims["email_verified"] == false)
        #expect(claims["phone_number"] == "+4915112345678" && claims["phone_number_verified"] == false)
    }

    @Test("S-19: it is no access token: another type, another id, and the check refuses it")
    func type() throws {
        let issuer = TokenIssuerTests.issuer(try TokenIssuerTests.key("k1", active: .noon))
        let access = try issuer.issue(Self.session, generation: 0, at: .noon, by: .lasting(600))
        let facts = IDTokenFacts(session: Self.session, scopes: [.openid], nonce: nil, profile: nil)
        let token = try issuer.idToken(facts, generation: 0, beside: access, at: .noon, by: Self.terms)
        let jwt = try JWT(parsing: token)
        #expect(jwt.header["typ"] == "JWT" && jwt.algorithmName == "ES256" && jwt.keyID == "k1")
        #expect(jwt.claims["aud"] == "app" && jwt.claims["client_id"] == nil)
        #expect(jwt.claims["at_hash"]?.string == IDTokenFacts.hash(of: access))
        #expect(try issuer.verify(access, at: .noon).verified.claims["jti"] != jwt.claims["jti"])
        #expect(throws: Rejection.tokenInvalid) { try issuer.verify(token, at: .noon) }
    }

    private static let named: [(AccountProfile, String)] = [
        (profile(user: "ann", email: ("a@example.org", true)), "a@example.org"),
        (profile(user: "ann", email: ("a@example.org", false)), "ann"),
        (profile(email: ("a@example.org", false), phone: ("+4915112345678", false)), session.account.text),
        (profile(phone: ("+4915112345678", true)), "+4915112345678"),
    ]

    @Test(
        "3-D13: preferred_username in Microsoft's form is a name that only this account has",
        arguments: named)
    func preferredName(profile: AccountProfile, name: String) {
        let app = NativeAuthApp(tenantID: "t", applicationID: "a")
        let claims = NativeAuthClaims.identity(
            Self.session, profile, of: app, nonce: nil, DialectIssue("i", tokenID: "t", at: .noon, life: 60))
        #expect(claims["preferred_username"] == .string(name))
    }
}
