import Cryptography
import Foundation
import JSON
import TestSupport
import Testing

@testable import Sessions

/// DPoP proofs (RFC 9449 §4.3), modelled on the rows of FAPI 2.0.
@Suite struct KeyProofTests {
    private static let origin = "https://login.example.com"
    private static let address = origin + "/v1/token"
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let token = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"

    private static func read(_ text: String, with token: String? = nil, method: String = "POST") -> KeyProof? {
        KeyProof(text, for: ProvedRequest(method: method, path: "/v1/token", at: origin), with: token, at: now)
    }

    private static func proof(
        _ address: String = address, with token: String? = nil, at time: Date = now, header: JSONObject = [:],
        claims: JSONObject = [:]
    ) throws -> String {
        try ProofKey().proof("POST", address, with: token, at: time, header: header, claims: claims)
    }

    @Test("the thumbprint of a key is that of RFC 7638")
    func thumbprint() throws {
        let jwk: JSON = [
            "kty": "EC", "crv": "P-256", "x": "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs",
            "y": "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA",
        ]
        // RFC 9449 §6.1.
        #expect(try PublicKey(jwk: jwk).thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
        let rsa: JSON = [
            "kty": "RSA", "e": "AQAB", "alg": "RS256", "kid": "2011-04-29",
            "n":
                "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw",
        ]
        // RFC 7638 §3.1.
        #expect(try PublicKey(jwk: rsa).thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }

    @Test("a proof is read, and names its key")
    func sound() throws {
        let key = try ProofKey()
        let read = Self.read(try key.proof("POST", Self.address, nonce: "n", at: Self.now))
        #expect(read?.thumbprint == key.thumbprint && read?.nonce == "n" && read?.life == 301)
        let with = try key.proof("POST", Self.address, with: Self.token, at: Self.now)
        #expect(Self.read(with, with: Self.token)?.thumbprint == key.thumbprint)
    }

    @Test(
        "the address is compared after normalisation",
        arguments: [
            ("https://LOGIN.example.com/v1/token", true), ("HTTPS://login.example.com:443/v1/token", true),
            ("https://login.example.com/v1/token?a=b#c", true), ("https://login.example.com/v1/%74oken", true),
            ("https://login.example.com/v1/other", false), ("https://login.example.com/v1/token/", false),
            ("https://login.example.com:8443/v1/token", false), ("http://login.example.com/v1/token", false),
            ("https://evil.example/v1/token", false), ("https://login.example.com@evil.example/v1/token", false),
            ("https://login.example.com/v1%2Ftoken", false), ("/v1/token", false), ("", false),
        ])
    func address(text: String, isRight: Bool) throws {
        #expect((Self.read(try Self.proof(text)) != nil) == isRight)
    }

    @Test(
        "a clock may differ by five minutes",
        arguments: [(-301, false), (-300, true), (10, true), (300, true), (301, false)])
    func time(seconds: Int, isRight: Bool) throws {
        let time = Self.now.addingTimeInterval(TimeInterval(seconds))
        #expect((Self.read(try Self.proof(at: time)) != nil) == isRight)
    }

    @Test(
        "a wrong or missing member of the header is refused",
        arguments: [
            ["typ": "JWT"], ["typ": .null], ["alg": "none"], ["alg": "HS256"], ["alg": "RS256"], ["alg": .null],
            ["jwk": .null], ["jwk": "key"], ["jwk": ["kty": "oct", "k": "AAAA"]], ["crit": ["exp"]],
            ["x5u": "https://evil.example"], ["jku": "https://evil.example"],
        ] as [JSONObject])
    func header(changes: JSONObject) throws {
        #expect(Self.read(try Self.proof(header: changes)) == nil)
    }

    @Test(
        "a wrong or missing claim is refused",
        arguments: [
            ["htm": "GET"], ["htm": "post"], ["htm": .null], ["htu": .null], ["iat": .null], ["iat": "now"],
            ["jti": .null], ["jti": ""], ["jti": .string(String(repeating: "a", count: 129))],
        ] as [JSONObject])
    func claims(changes: JSONObject) throws {
        #expect(Self.read(try Self.proof(claims: changes)) == nil)
    }

    @Test("a private key, another key's signature, and text that is no proof are refused; other members have no effect")
    func others() throws {
        let (key, other) = (try ProofKey(), try ProofKey())
        let jwk = other.key.publicKey.jwk(id: "k", algorithm: .ES256)
        #expect(Self.read(try key.proof("POST", Self.address, at: Self.now, header: ["jwk": jwk])) == nil)
        var own = key.key.publicKey.jwk(id: "k", algorithm: .ES256).object ?? [:]
        own["d"] = "AAAA"
        #expect(Self.read(try key.proof("POST", Self.address, at: Self.now, header: ["jwk": .object(own)])) == nil)
        for text in ["", "a", "a.b.c", "a.b.c.d", String(repeating: "a", count: 5_000)] {
            #expect(Self.read(text) == nil)
        }
        #expect(Self.read(try Self.proof(header: ["kid": "x"], claims: ["ath": "unasked", "more": 1])) != nil)
    }

    @Test("a proof for an access token is for that token alone")
    func tokenHash() throws {
        // RFC 9449 §7.
        let hash: JSONObject = ["ath": "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo"]
        #expect(Self.read(try Self.proof(claims: hash), with: Self.token) != nil)
        #expect(Self.read(try Self.proof(claims: hash), with: "other") == nil)
        #expect(Self.read(try Self.proof(), with: Self.token) == nil)
    }

    @Test("a nonce holds for the present and two past slices of a minute, at every server with the same keys")
    func nonces() throws {
        let (one, two) = (KeyProofNonces(keys: try TestKeys.keys("k1")), KeyProofNonces(keys: try TestKeys.keys("k1")))
        let nonce = one.nonce(at: Self.now)
        for (later, holds) in [(0.0, true), (119, true), (180, false), (-60, false)] {
            #expect(two.accepts(nonce, at: Self.now.addingTimeInterval(later)) == holds, "\(later)")
        }
        #expect(!KeyProofNonces(keys: try TestKeys.keys("k2")).accepts(nonce, at: Self.now))
        for text in ["", "x", nonce + "A", String(nonce.dropLast(2)) + "AA"] {
            #expect(!two.accepts(text, at: Self.now))
        }
    }
}
