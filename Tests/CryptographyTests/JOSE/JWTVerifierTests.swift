import FoundationEssentials
import JSON
import Testing

@testable import Cryptography

@Suite("Verifying tokens: header and signature")
struct JWTVerifierTests {
    @Test("a token that satisfies the rules is verified")
    func verified() throws {
        let jwt = try JWT(parsing: try TokenForge.token())
        let verified = try JWTVerifier(TokenForge.rules()).verify(
            jwt, key: TestKeys.rsa.get().publicKey, at: TokenForge.now)
        #expect(verified.issuer == TokenForge.issuer)
        #expect(verified.subject == "alice")
        #expect(verified.audiences == ["app"])
        #expect(verified.issuedAt == Date(timeIntervalSince1970: 1_699_999_990))
        #expect(verified.expiresAt == Date(timeIntervalSince1970: 1_700_000_600))
        #expect(verified.signedDigest == jwt.signedDigest)
        #expect(verified["aud"] == "app")
    }

    @Test(
        "J-06: a disallowed algorithm is refused before the key look-up",
        arguments: [
            "none", "None", "nOnE", "NONE", "", "RS256 ", "rs256", "RS384", "PS256", "ES256", "HS256", 0, true, [], nil,
        ] as [JSON])
    func algorithms(name: JSON) throws {
        #expect(try TokenForge.refusal(header: ["alg": name]) == .algorithmNotAllowed)
    }

    @Test("J-06: an unsigned token is refused for its algorithm", arguments: ["none", "None", "nOnE"])
    func unsigned(name: String) throws {
        let header = Base64URL.encode(JSON.object(TokenForge.header(["alg": .string(name)])).bytes())
        let claims = Base64URL.encode(JSON.object(TokenForge.claims()).bytes())
        #expect(
            try TokenForge.refusal(of: "\(header).\(claims).", rules: TokenForge.rules()) == .algorithmNotAllowed)
    }

    @Test("J-06: an unsigned token that names an algorithm has an invalid signature")
    func emptySignature() throws {
        let parts = try TokenForge.token().split(separator: ".")
        #expect(
            try TokenForge.refusal(of: "\(parts[0]).\(parts[1]).", rules: TokenForge.rules()) == .signatureInvalid)
    }

    @Test("J-07: a token authenticated with our public key as an HMAC key is refused", arguments: ["n", "jwk", "der"])
    func publicKeyAsSecret(form: String) throws {
        let jwk = try TestKeys.rsa.get().publicKey.jwk(id: "k1", algorithm: .RS256)
        let modulus = try #require(jwk["n"]?.string.flatMap { Base64URL.decode($0) })
        let secret =
            switch form {
            case "n": modulus
            case "jwk": jwk.bytes()
            default: [0x30, 0x82, 0x01, 0x0A, 0x02, 0x82, 0x01, 0x01, 0x00] + modulus + [0x02, 0x03, 0x01, 0x00, 0x01]
            }
        for (name, refusal) in [("HS256", TokenRefusal.algorithmNotAllowed), ("RS256", .signatureInvalid)] {
            let header = Base64URL.encode(JSON.object(TokenForge.header(["alg": .string(name)])).bytes())
            let claims = Base64URL.encode(JSON.object(TokenForge.claims()).bytes())
            let code = HMACSHA256.code(Array("\(header).\(claims)".utf8), key: secret)
            let token = "\(header).\(claims).\(Base64URL.encode(code))"
            #expect(try TokenForge.refusal(of: token, rules: TokenForge.rules()) == refusal)
        }
    }

    @Test(
        "J-08: a header that demands extensions is refused",
        arguments: [
            ["crit": ["exp"]], ["crit": []], ["crit": "x"], ["crit": ["b64"], "b64": false], ["b64": false],
            ["b64": true],
            ["zip": "DEF"], ["enc": "A128GCM"], ["cty": "JWT"], ["cty": "jwt"],
        ] as [JSONObject])
    func extensions(header: JSONObject) throws {
        #expect(try TokenForge.refusal(header: header) == .headerUnsupported)
    }

    @Test(
        "J-08: a member that demands extensions counts even when it is null", arguments: ["crit", "b64", "zip", "enc"])
    func nullExtensions(name: String) throws {
        var header = TokenForge.header()
        header[name] = .some(.null)
        #expect(
            try TokenForge.refusal(of: TokenForge.token(header: header), rules: TokenForge.rules())
                == .headerUnsupported)
    }

    @Test("J-08: keys and addresses in the header are ignored", arguments: ["jku", "x5u", "jwk", "x5c", "x5t"])
    func keysInHeader(name: String) throws {
        let attacker = try PrivateKey.generateRSA(bits: 2048)
        let value: JSON =
            switch name {
            case "jwk": attacker.publicKey.jwk(id: "k1", algorithm: .RS256)
            case "x5c": ["AAAA"]
            default: "https://attacker.example/keys"
            }
        #expect(try TokenForge.refusal(header: [name: value]) == nil)
        let signed =
            Base64URL.encode(JSON.object(TokenForge.header([name: value])).bytes()) + "."
            + Base64URL.encode(JSON.object(TokenForge.claims()).bytes())
        let signature = Base64URL.encode(try attacker.sign(Array(signed.utf8), algorithm: .RS256))
        #expect(
            try TokenForge.refusal(of: "\(signed).\(signature)", rules: TokenForge.rules()) == .signatureInvalid)
    }

    @Test(
        "J-22: another kind of token is refused by its type",
        arguments: [
            "at+jwt", "application/at+jwt", "logout+jwt", "secevent+jwt", "JWT ", "", 1, ["JWT"],
        ] as [JSON])
    func otherTypes(type: JSON) throws {
        #expect(try TokenForge.refusal(header: ["typ": type]) == .wrongTokenType)
    }

    @Test("J-22: the type JWT in either case, or none, is accepted", arguments: ["JWT", "jwt", nil] as [JSON])
    func ownType(type: JSON) throws {
        #expect(try TokenForge.refusal(header: ["typ": type]) == nil)
    }

    @Test(
        "J-22: a logout token is refused although its type is JWT",
        arguments: [
            ["http://schemas.openid.net/event/backchannel-logout": [:]], [:], "text",
        ] as [JSON])
    func events(events: JSON) throws {
        #expect(try TokenForge.refusal(claims: ["events": events]) == .wrongTokenType)
    }

    @Test("a key id is a string", arguments: [nil, 7, true, ["k"], [:]] as [JSON])
    func keyIDs(id: JSON) throws {
        #expect(try TokenForge.refusal(header: ["kid": id]) == .keyIDMalformed)
    }

    @Test(
        "N4: any string may be a key id: it is only looked up",
        arguments: [
            .string(String(repeating: "k", count: 1_000)), "../../x", "https://x/y=+~_-.",
            "bilbo.baggins@hobbiton.example",
            "", "a b", "a\n", "'; DROP TABLE keys", "é",
        ] as [JSON])
    func harmlessKeyIDs(id: JSON) throws {
        #expect(try TokenForge.refusal(header: ["kid": id]) == nil)
    }

    @Test("one changed character anywhere in the signed part spoils the signature")
    func tampering() throws {
        let token = try TokenForge.token(claims: TokenForge.claims(["sub": "alicf"]))
        let parts = token.split(separator: ".")
        let other = Base64URL.encode(JSON.object(TokenForge.claims()).bytes())
        #expect(
            try TokenForge.refusal(of: "\(parts[0]).\(other).\(parts[2])", rules: TokenForge.rules())
                == .signatureInvalid)
        let end = try #require(token.lastIndex(of: "."))
        for index in token[..<end].indices {
            let changed = token[..<index] + (token[index] == "A" ? "B" : "A") + token[token.index(after: index)...]
            #expect(try TokenForge.refusal(of: String(changed), rules: TokenForge.rules()) != nil, "\(changed)")
        }
    }

    @Test(
        "a signed token is refused for its header even by a caller that did not check it",
        arguments: [
            (["alg": "RS384"], .algorithmNotAllowed), (["crit": ["exp"]], .headerUnsupported),
            (["typ": "dpop+jwt"], .wrongTokenType), (["kid": 1], .keyIDMalformed),
        ] as [(JSONObject, TokenRefusal)])
    func headerOfUncheckedToken(header: JSONObject, refusal: TokenRefusal) throws {
        let jwt = try JWT(parsing: TokenForge.token(header: TokenForge.header(header)))
        #expect(throws: refusal) {
            try JWTVerifier(TokenForge.rules()).verify(
                jwt, key: TestKeys.rsa.get().publicKey, at: TokenForge.now)
        }
    }

    @Test("a key of another kind never verifies")
    func otherKind() throws {
        let jwt = try JWT(parsing: try TokenForge.token())
        #expect(throws: TokenRefusal.signatureInvalid) {
            try JWTVerifier(TokenForge.rules()).verify(
                jwt, key: TestKeys.p256.get().publicKey, at: TokenForge.now)
        }
    }
}
