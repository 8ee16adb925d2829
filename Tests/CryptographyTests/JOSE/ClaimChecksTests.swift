import FoundationEssentials
import JSON
import Testing

@testable import Cryptography

@Suite("Verifying tokens: claims")
struct ClaimChecksTests {
    private static let now = TokenForge.nowSeconds

    @Test(
        "only the exact issuer is accepted, byte for byte",
        arguments: [
            "https://issuer.example/", "http://issuer.example", "https://ISSUER.example", "https://issuer.example.evil",
            "issuer.example", "", nil, 1, ["https://issuer.example"],
        ] as [JSON])
    func issuers(issuer: JSON) throws {
        #expect(try TokenForge.refusal(claims: ["iss": issuer]) == .issuerNotAllowed)
    }

    @Test("issuers are not compared by canonical equivalence")
    func issuerBytes() throws {
        let rules = try TokenRules(
            algorithms: [.RS256], issuer: .oneOf(["https://caf\u{e9}.example"]), audiences: ["app"])
        for (issuer, expected) in [
            ("https://caf\u{e9}.example", nil), ("https://cafe\u{301}.example", TokenRefusal.issuerNotAllowed),
        ] {
            let token = try TokenForge.token(claims: TokenForge.claims(["iss": .string(issuer)]))
            #expect(try TokenForge.refusal(of: token, rules: rules) == expected)
        }
    }

    @Test("a rule may derive the issuer from the claims")
    func issuerRule() throws {
        let rules = try TokenRules(
            algorithms: [.RS256],
            issuer: .matching { $0["iss"]?.string == "https://login/" + ($0["tid"]?.string ?? "") },
            audiences: ["app"])
        for (tenant, expected) in [("t1", nil), ("t2", TokenRefusal.issuerNotAllowed)] {
            let claims = TokenForge.claims(["iss": "https://login/t1", "tid": .string(tenant)])
            #expect(try TokenForge.refusal(of: TokenForge.token(claims: claims), rules: rules) == expected)
        }
    }

    @Test(
        "J-03: a token for another application is refused",
        arguments: [
            "other", "App", "app ", "ap", "apps", "", nil, 1, [:], [], [[]], [["app"]], ["other"], ["app", "other"],
            ["app", 1],
            ["app", nil], .array(Array(repeating: "app", count: 11)),
        ] as [JSON])
    func foreignAudiences(audience: JSON) throws {
        #expect(try TokenForge.refusal(claims: ["aud": audience]) == .audienceMismatch)
    }

    @Test("J-03: our own audience is accepted as a text and as an array of one", arguments: ["app", ["app"]] as [JSON])
    func ownAudience(audience: JSON) throws {
        #expect(try TokenForge.refusal(claims: ["aud": audience]) == nil)
    }

    @Test(
        "azp must be our client or listed, and is required with two audiences",
        arguments: [
            ("app", nil, nil), ("app", "app", nil), ("app", "phone", nil), ("app", "other", .authorizedPartyMismatch),
            ("app", 1, .authorizedPartyMismatch), (["app", "web"], "app", nil),
            (["app", "web"], nil, .authorizedPartyMismatch), (["app", "app"], nil, .authorizedPartyMismatch),
        ] as [(JSON, JSON, TokenRefusal?)])
    func authorizedParties(audience: JSON, party: JSON, expected: TokenRefusal?) throws {
        let rules = try TokenRules(
            algorithms: [.RS256], issuer: .oneOf([TokenForge.issuer]), audiences: ["app", "web"],
            authorizedParties: ["phone"])
        let token = try TokenForge.token(claims: TokenForge.claims(["aud": audience, "azp": party]))
        #expect(try TokenForge.refusal(of: token, rules: rules) == expected)
    }

    @Test(
        "J-14: missing, mistyped or implausible times are refused",
        arguments: [
            (["exp": nil], .claimType), (["exp": "1700000600"], .claimType), (["exp": 1e300], .claimType),
            (["exp": -1], .claimType), (["exp": true], .claimType), (["exp": [1_700_000_600]], .claimType),
            (["exp": 100_000_000_001], .claimType), (["iat": nil], .issuedAtInvalid), (["iat": "1"], .claimType),
            (["iat": -1], .claimType), (["iat": 1e300], .claimType), (["nbf": "1"], .claimType),
            (["nbf": -5], .claimType),
            (["iat": .integer(now + 10), "exp": .integer(now + 10)], .issuedAtInvalid),
        ] as [(JSONObject, TokenRefusal)])
    func implausibleTimes(claims: JSONObject, expected: TokenRefusal) throws {
        #expect(try TokenForge.refusal(claims: claims) == expected)
    }

    @Test("J-14: a time beyond the number range is malformed JSON")
    func infiniteTime() throws {
        let claims = JSON.object(TokenForge.claims()).text.replacing("1700000600", with: "1e999")
        let token = try TokenForge.token(header: JSON.object(TokenForge.header()).bytes(), claims: Array(claims.utf8))
        #expect(try TokenForge.refusal(of: token, rules: TokenForge.rules()) == .jsonMalformed)
    }

    @Test(
        "J-14: times may have fractions and reach to the last plausible second",
        arguments: [
            ["exp": 1_700_000_600.5], ["exp": 100_000_000_000], ["iat": 0], ["iat": 1.5],
        ] as [JSONObject])
    func plausibleTimes(claims: JSONObject) throws {
        #expect(try TokenForge.refusal(claims: claims) == nil)
    }

    @Test(
        "J-15: iat and nbf may lie up to sixty seconds ahead",
        arguments: [
            (-1, false), (0, false), (1, false), (59, false), (60, false), (61, true), (3600, true),
        ])
    func skew(ahead: Int, isRefused: Bool) throws {
        #expect(
            try TokenForge.refusal(claims: ["iat": .integer(Self.now + ahead), "exp": .integer(Self.now + 7200)])
                == (isRefused ? .issuedAtInvalid : nil))
        #expect(
            try TokenForge.refusal(claims: ["nbf": .integer(Self.now + ahead)])
                == (isRefused ? .notYetValid : nil))
    }

    @Test(
        "J-15: a token may have expired up to sixty seconds ago",
        arguments: [
            (-59, false), (-60, true), (-61, true), (0, false), (1, false),
        ])
    func expiry(ahead: Int, isRefused: Bool) throws {
        let claims: JSONObject = ["iat": .integer(Self.now - 600), "exp": .integer(Self.now + ahead)]
        #expect(try TokenForge.refusal(claims: claims) == (isRefused ? .expired : nil))
    }

    @Test("the rules may limit age and lifetime")
    func ageAndLifetime() throws {
        let rules = try TokenForge.rules(maximumAge: 600, maximumLifetime: 3600)
        for (issued, expires, expected) in [
            (-600, 60, nil), (-601, 60, TokenRefusal.tooOld), (0, 3600, nil), (0, 3601, .lifetimeTooLong),
        ] {
            let claims = TokenForge.claims(["iat": .integer(Self.now + issued), "exp": .integer(Self.now + expires)])
            #expect(try TokenForge.refusal(of: TokenForge.token(claims: claims), rules: rules) == expected)
        }
    }

    @Test(
        "J-19: a missing, placeholder or malformed subject is refused",
        arguments: [
            "", nil, 7, true, ["alice"], [:], "undefined", "null", "a\nb", "a\u{7f}", "jos\u{e9}",
            .string(String(repeating: "a", count: 256)), .string(String(repeating: "a", count: 10_240)),
        ] as [JSON])
    func subjects(subject: JSON) throws {
        #expect(try TokenForge.refusal(claims: ["sub": subject]) == .subjectInvalid)
    }

    @Test("J-19: a subject with NUL, or that is null, is refused")
    func rawSubjects() throws {
        for (value, expected) in [(#""a\u0000""#, TokenRefusal.jsonMalformed), ("null", .subjectInvalid)] {
            let claims = JSON.object(TokenForge.claims()).text.replacing(#""alice""#, with: value)
            let token = try TokenForge.token(
                header: JSON.object(TokenForge.header()).bytes(), claims: Array(claims.utf8))
            #expect(try TokenForge.refusal(of: token, rules: TokenForge.rules()) == expected)
        }
    }

    @Test(
        "J-19: a subject of one to 255 printable characters is accepted",
        arguments: [
            "a", "0", "undefined1", "a b", "000544.5e20.1321", .string(String(repeating: "a", count: 255)),
        ] as [JSON])
    func goodSubjects(subject: JSON) throws {
        #expect(try TokenForge.refusal(claims: ["sub": subject]) == nil)
    }

    @Test("required claims must be present")
    func requiredClaims() throws {
        let rules = try TokenRules(
            algorithms: [.RS256], issuer: .oneOf([TokenForge.issuer]), audiences: ["app"], requiredClaims: ["nonce"])
        #expect(try TokenForge.refusal(of: TokenForge.token(), rules: rules) == .claimType)
        let token = try TokenForge.token(claims: TokenForge.claims(["nonce": "n"]))
        #expect(try TokenForge.refusal(of: token, rules: rules) == nil)
    }

    @Test("rules with an empty list are refused")
    func emptyRules() {
        let issuer = IssuerRule.oneOf([TokenForge.issuer])
        #expect(throws: TokenRulesError.noAudiences) {
            try TokenRules(algorithms: [.RS256], issuer: issuer, audiences: [])
        }
        #expect(throws: TokenRulesError.noAudiences) {
            try TokenRules(algorithms: [.RS256], issuer: issuer, audiences: ["a", ""])
        }
        #expect(throws: TokenRulesError.noAlgorithms) {
            try TokenRules(algorithms: [], issuer: issuer, audiences: ["a"])
        }
        #expect(throws: TokenRulesError.noIssuers) {
            try TokenRules(algorithms: [.RS256], issuer: .oneOf([]), audiences: ["a"])
        }
    }

    @Test("reason codes consist of lower-case words and underscores")
    func reasonCodes() {
        for refusal in TokenRefusal.allCases {
            #expect(refusal.rawValue.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F })
        }
    }
}
