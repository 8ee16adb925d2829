import Cryptography
import FoundationEssentials
import JSON
import Providers
import TestSupport
import Testing

/// The rules for every adapter that accepts signed tokens.
@Suite("Every adapter for ID tokens")
struct TokenConformanceTests {
    @Test("a valid token identifies the user", arguments: ProviderConformance.all)
    func good(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        let token = try stage.token()
        let identity = try await stage.post(.string(token)).get()
        let signed = token.split(separator: ".").prefix(2).joined(separator: ".")
        #expect(identity.realm == about.realm)
        #expect(identity.subject == about.claims[about.subjectClaim]?.string)
        let isProved = about.verifyingFlags.contains(.bool(true))
        let authority: EmailAuthority = isProved ? .verifiedByAuthority : .unverified
        #expect(identity.email == ExternalEmail(address: "ann@example.com", authority: authority))
        #expect(identity.replayDigest == SHA256.hash(signed))
        // The ledger's key does not depend on the time of arrival.
        let end = try #require(about.claims["exp"]?.double)
        #expect(identity.replayEnd == .itsOwn(Date(timeIntervalSince1970: end + 60)))
        #expect(identity.nonce == nil)
        #expect(stage.far.count(about.keysURL) == 1)
    }

    @Test("unknown members are refused by name", arguments: ProviderConformance.all)
    func unknownMembers(about: ProviderConformance) async throws {
        let wishes: JSONObject = ["email": "victim@example.com", "user": "somebody", "region": "eu", "sub": 1]
        for wish in wishes.members {
            let answer = try await Stage(about).signIn(with: JSONObject([wish]))
            let error = #expect(throws: ProviderError.self) { try answer.get() }
            guard case .invalidRequest(wish.name, "unknown_member", let accepted)? = error else {
                Issue.record("\(answer)")
                continue
            }
            #expect(accepted.contains(about.member) && !accepted.contains(wish.name))
        }
    }

    @Test(
        "J-01: a token of another issuer is refused without a request",
        arguments: ProviderConformance.all,
        [
            "https://evil.example", "", "HTTPS://APPLEID.APPLE.COM", "https://appleid.apple.com/",
            "https://account.apple.com",
        ]
    )
    func foreignIssuer(about: ProviderConformance, issuer: String) async throws {
        let stage = try Stage(about)
        #expect(try await stage.signIn(["iss": .string(issuer)]).word == "issuer_not_allowed")
        #expect(try await stage.signIn(["iss": .string(issuer)], signing: .otherKey).word == "issuer_not_allowed")
        #expect(try await stage.signIn(["iss": .string(about.issuer + "/")]).word == "issuer_not_allowed")
        #expect(stage.far.calls.isEmpty)
    }

    @Test("J-01: the issuer must be a string", arguments: ProviderConformance.all)
    func issuerType(about: ProviderConformance) async throws {
        let values: [JSON] = [.null, 7, [.string(about.issuer)]]
        for value in values {
            #expect(try await Stage(about).signIn(["iss": value]).word == "issuer_not_allowed")
        }
    }

    @Test("J-03: a token for another app is refused", arguments: ProviderConformance.all)
    func audience(about: ProviderConformance) async throws {
        let ours = about.audience
        let values: [JSON] = [
            "other", .string(ours + "x"), .string(String(ours.dropLast())), .string(ours.uppercased() + "X"), [],
            [.string(ours), "other"], .null, 7, .object(["a": 1]), [[.string(ours)]],
        ]
        let stage = try Stage(about)
        for value in values { #expect(try await stage.signIn(["aud": value]).word == "audience_mismatch") }
        #expect(try await stage.signIn(["aud": [.string(ours)]]).word == "ok")
    }

    @Test("an azp of another party is refused", arguments: ProviderConformance.all)
    func authorizedParty(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        #expect(try await stage.signIn(["azp": "other"]).word == "authorized_party_mismatch")
        #expect(try await stage.signIn(["azp": .string(about.audience)]).word == "ok")
    }

    @Test(
        "J-06: a missing or disallowed algorithm is refused before the key look-up",
        arguments: ProviderConformance.all)
    func algorithm(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        for name: JSON in ["none", "None", "nOnE", "", .null, 7, "ES256", "PS256", "RS512", "rs256", "HS256"] {
            #expect(try await stage.signIn(header: ["alg": name], signing: .none).word == "algorithm_not_allowed")
        }
        #expect(stage.far.calls.isEmpty)
    }

    @Test("J-07: HS256 with the public key as secret is refused", arguments: ProviderConformance.all)
    func symmetric(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        let answer = try await stage.signIn(header: ["alg": "HS256"], signing: .hs256WithPublicKey)
        #expect(answer.word == "algorithm_not_allowed")
        #expect(try await stage.signIn(signing: .hs256WithPublicKey).word == "signature_invalid")
    }

    @Test("J-08: a token's own keys and addresses are never used", arguments: ProviderConformance.all)
    func ownKeys(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        let jwk = try TestKeys.other.publicKey.jwk(id: "key-1", algorithm: .RS256)
        let own: JSONObject = [
            "jwk": jwk, "jku": "https://evil.example/keys", "x5u": "https://evil.example/x", "x5c": ["AA"],
        ]
        #expect(try await stage.signIn(header: own, signing: .otherKey).word == "signature_invalid")
        #expect(try await stage.signIn(header: own).word == "ok")
        for name in ["crit", "b64", "zip", "enc"] {
            let value: JSON = name == "crit" ? ["exp"] : false
            let answer = try await stage.signIn(header: JSONObject([.init(name: name, value: value)]))
            #expect(answer.word == "header_unsupported")
        }
        stage.expectNoStrangersAsked()
    }

    @Test("the signature is required and must be valid", arguments: ProviderConformance.all)
    func signature(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        for signing in [TokenMint.Signing.empty, .otherKey, .tampered] {
            #expect(try await stage.signIn(signing: signing).word == "signature_invalid")
        }
    }

    @Test("J-09, J-10: only the listed values make an address verified", arguments: ProviderConformance.all)
    func emailFlag(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        let values: [JSON] = [
            .bool(true), .bool(false), "true", "false", "TRUE", "True", 1, "1", 0, .null, [], .object([:]), "yes", "",
        ]
        for value in values {
            let answer = try await stage.signIn(JSONObject([.init(name: about.emailFlag, value: value)])).get()
            let expected: EmailAuthority = about.verifyingFlags.contains(value) ? .verifiedByAuthority : .unverified
            #expect(answer.email?.authority == expected, "\(value.text)")
        }
    }

    @Test(
        "a malformed address is omitted, and the user still signs in", arguments: ProviderConformance.all,
        ["", "ann", "ann@", "@example.com", "a@b@example.com", "ann@example", "a nn@example.com", "änn@example.com"])
    func badAddress(about: ProviderConformance, address: String) async throws {
        #expect(try await Stage(about).signIn(["email": .string(address)]).get().email == nil)
    }

    @Test(
        "J-14: exp and iat must be plausible numbers", arguments: ProviderConformance.all,
        [
            ("exp", JSON.null, "claim_type"), ("exp", "1800003600", "claim_type"),
            ("exp", .double(1e300), "claim_type"),
            ("exp", -1, "claim_type"), ("exp", .bool(true), "claim_type"), ("exp", 1_799_999_000, "expired"),
            ("exp", 0, "expired"), ("iat", .null, "issued_at_invalid"), ("iat", "1799999990", "claim_type"),
            ("iat", .double(1e300), "claim_type"), ("iat", -5, "claim_type"),
        ])
    func times(about: ProviderConformance, row: (claim: String, value: JSON, word: String)) async throws {
        let answer = try await Stage(about).signIn(JSONObject([.init(name: row.claim, value: row.value)]))
        #expect(answer.word == row.word)
    }

    @Test(
        "J-15: the clock tolerance is one minute", arguments: ProviderConformance.all,
        [
            ("iat", 1, "ok"), ("iat", 59, "ok"), ("iat", 61, "issued_at_invalid"), ("nbf", 1, "ok"), ("nbf", 59, "ok"),
            ("nbf", 61, "not_yet_valid"),
        ])
    func skew(about: ProviderConformance, row: (claim: String, ahead: Int, word: String)) async throws {
        let value = JSON.integer(TestClock.seconds + row.ahead)
        #expect(try await Stage(about).signIn(JSONObject([.init(name: row.claim, value: value)])).word == row.word)
    }

    @Test("a token older than the age limit is refused", arguments: ProviderConformance.all)
    func age(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        #expect(try await stage.signIn(["iat": .integer(TestClock.seconds - 595), "auth_time": .null]).word == "ok")
        #expect(try await stage.signIn(["iat": .integer(TestClock.seconds - 3_601)]).word == "too_old")
    }

    @Test("J-16: the posted nonce must match the token", arguments: ProviderConformance.all)
    func nonce(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        let raw = "n0nce-of-the-server"
        let claim = about.hashesNonce ? Hex.encode(SHA256.hash(raw)) : raw
        let carrying: JSONObject = ["nonce": .string(claim)]
        #expect(try await stage.signIn(carrying, with: ["nonce": .string(raw)]).get().nonce == .posted(raw))
        for members: JSONObject in [[:], ["nonce": .null]] {
            let foreign = try await stage.signIn(carrying, with: members)
            // A hash could be that of our own nonce.
            guard about.hashesNonce else {
                #expect(try foreign.get().nonce == .foreign(claim))
                continue
            }
            #expect(foreign.word == "nonce_missing")
        }
        #expect(try await stage.signIn(with: ["nonce": .string(raw)]).word == "nonce_absent")
        #expect(try await stage.signIn(carrying, with: ["nonce": "another"]).word == "nonce_mismatch")
        #expect(try await stage.signIn(carrying, with: ["nonce": .string(raw + "x")]).word == "nonce_mismatch")
        #expect(try await stage.signIn(["nonce": 7], with: ["nonce": "7"]).word == "claim_type")
        #expect(try await stage.signIn(carrying, with: ["nonce": 7]).word == "invalid:wrong_type")
        #expect(try await stage.signIn(carrying, with: ["nonce": ""]).word == "invalid:malformed")
    }

    @Test("J-16: where the token holds a hash, posting that hash as the nonce is refused")
    func nonceEncoding() async throws {
        let stage = try Stage(.apple)
        let hash = Hex.encode(SHA256.hash("raw"))
        #expect(try await stage.signIn(["nonce": "raw"], with: ["nonce": "raw"]).word == "nonce_mismatch")
        #expect(
            try await stage.signIn(["nonce": .string(hash)], with: ["nonce": .string(hash)]).word == "nonce_mismatch")
        #expect(
            try await stage.signIn(["nonce": .string(hash.uppercased())], with: ["nonce": "raw"]).word
                == "nonce_mismatch")
        let exact = try Stage(.google)
        #expect(try await exact.signIn(["nonce": .string(hash)], with: ["nonce": "raw"]).word == "nonce_mismatch")
    }

    @Test("J-19: an invalid subject is refused", arguments: ProviderConformance.all)
    func subject(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        let values: [JSON] = [
            "", .null, 7, "undefined", "null", "None", .string(String(repeating: "a", count: 256)), "a\u{1}b",
            "\u{e9}", ["a"], .bool(true),
        ]
        for value in values {
            let answer = try await stage.signIn(JSONObject([.init(name: about.subjectClaim, value: value)]))
            #expect(answer.word == "subject_invalid", "\(value.text.prefix(20))")
        }
    }

    @Test("J-19: a token with NUL in its subject is malformed", arguments: ProviderConformance.all)
    func subjectWithNUL(about: ProviderConformance) async throws {
        let answer = try await Stage(about).signIn(JSONObject([.init(name: about.subjectClaim, value: "a\u{0}b")]))
        #expect(answer.word == "invalid:json_malformed")
    }

    @Test(
        "J-21: any other text than a token is a malformed request and causes no provider request",
        arguments: ProviderConformance.all)
    func shape(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        let token = try stage.token()
        let parts = token.split(separator: ".").map(String.init)
        let rows: [(JSON, String)] = [
            (.null, "token_missing"), ("", "token_missing"), (7, "wrong_type"), ([], "wrong_type"),
            (.string(String(repeating: "a", count: 1_000_000)), "token_too_large"), ("abc", "token_malformed"),
            (.string(parts[0] + "." + parts[1]), "token_malformed"), (.string(token + "."), "token_malformed"),
            (.string(token + ".a.b"), "token_malformed"), (.string(token + "="), "token_malformed"),
            (.string(" " + token), "token_malformed"), (.string(token + "\n"), "token_malformed"),
            (.string(parts[0] + "+." + parts[1] + "." + parts[2]), "token_malformed"),
            (.string("." + parts[1] + "." + parts[2]), "token_malformed"),
            (.string(parts[0] + ".." + parts[2]), "token_malformed"),
        ]
        for (value, word) in rows {
            #expect(await stage.post(value).word == "invalid:" + word, "\(value.text.prefix(30))")
        }
        #expect(stage.far.calls.isEmpty)
    }

    @Test("J-21: header and claims must be strict JSON objects", arguments: ProviderConformance.all)
    func strictJSON(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        let claims = JSON.object(about.claims).text
        let payloads: [[UInt8]] = [
            Array("[]".utf8), Array("7".utf8), Array((claims + "x").utf8), [0xEF, 0xBB, 0xBF] + Array(claims.utf8),
            Array(claims.utf8).flatMap { [$0, 0] }, Array(#"{"sub":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8),
            Array((#"{"iss":"https://evil.example","# + claims.dropFirst()).utf8),
            Array((#"{"\u0069ss":"https://evil.example","# + claims.dropFirst()).utf8),
            Array(("{\"a\":" + String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000) + "}").utf8),
        ]
        for payload in payloads {
            let token = try TokenMint.token(header: ["alg": "RS256", "kid": "key-1"], payload: payload)
            let limit = about.name == "apple" && token.utf8.count > 8_192 ? "token_too_large" : "json_malformed"
            #expect(await stage.post(.string(token)).word == "invalid:" + limit)
        }
        #expect(stage.far.calls.isEmpty)
    }

    @Test("J-22: other kinds of tokens from the same keys are refused", arguments: ProviderConformance.all)
    func types(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        for type: JSON in ["at+jwt", "application/at+jwt", "logout+jwt", "secevent+jwt", "dpop+jwt", "", 7] {
            #expect(try await stage.signIn(header: ["typ": type]).word == "wrong_token_type")
        }
        for type: JSON in ["JWT", "jwt", .null] {
            #expect(try await stage.signIn(header: ["typ": type]).word == "ok", "\(type.text)")
        }
        let events: JSON = ["http://schemas.openid.net/event/backchannel-logout": .object([:])]
        #expect(try await stage.signIn(["events": events]).word == "wrong_token_type")
        #expect(
            try await stage.signIn(["events": "{\"type\":\"consent-revoked\"}", "sub": .null]).word
                == "wrong_token_type")
    }

    @Test("a malformed kid is refused without a request", arguments: ProviderConformance.all)
    func keyID(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        for kid: JSON in [.null, 7, ["key-1"], true] {
            #expect(try await stage.signIn(header: ["kid": kid]).word == "key_id_malformed")
        }
        #expect(stage.far.calls.isEmpty)
    }

    @Test("a nonce can be required", arguments: ["apple", "google"])
    func demandedNonce(name: String) async throws {
        let about = ProviderConformance.demandingNonce(name)
        #expect(try await Stage(about).signIn().word == "nonce_missing")
    }
}

extension ProviderConformance {
    static func demandingNonce(_ name: String) -> ProviderConformance {
        guard name == "apple" else {
            return openIDConnect("google", "https://accounts.google.com", keys: "https://www.googleapis.com/certs") {
                $0.requiresNonce = true
            }
        }
        let usual = apple
        return ProviderConformance(
            name: usual.name, member: usual.member, issuer: usual.issuer, audience: usual.audience,
            keysURL: usual.keysURL, claims: usual.claims, hashesNonce: true, subjectClaim: "sub", realm: usual.realm,
            make: {
                var configuration = appleConfiguration()
                configuration.requiresNonce = true
                return try AppleProvider(configuration, upstream: $0)
            })
    }
}
