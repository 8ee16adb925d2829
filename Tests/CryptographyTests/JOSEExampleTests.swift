import JSON
import Testing

@testable import Cryptography

/// The worked examples of RFC 7520 section 4 (signatures), RFC 7517 appendix A (keys) and RFC 7519 (claims).
///
/// Symmetric and unsecured examples, which this module does not support, must be read and refused.
@Suite("JOSE example vectors")
struct JOSEExampleTests {
    private static let payload =
        "SXTigJlzIGEgZGFuZ2Vyb3VzIGJ1c2luZXNzLCBGcm9kbywgZ29pbmcgb3V0IHlvdXIgZG9vci4gWW91IHN0ZXAgb250byB0aGUg"
        + "cm9hZCwgYW5kIGlmIHlvdSBkb24ndCBrZWVwIHlvdXIgZmVldCwgdGhlcmXigJlzIG5vIGtub3dpbmcgd2hlcmUgeW91IG1pZ2h0"
        + "IGJlIHN3ZXB0IG9mZiB0by4"
    private static let text =
        "It\u{2019}s a dangerous business, Frodo, going out your door. You step onto the road, and if you don't keep "
        + "your feet, there\u{2019}s no knowing where you might be swept off to."

    private static let rsa: JSON = [
        "kty": "RSA", "kid": "bilbo.baggins@hobbiton.example", "use": "sig", "e": "AQAB",
        "n": .string(
            "n4EPtAOCc9AlkeQHPzHStgAbgs7bTZLwUBZdR8_KuKPEHLd4rHVTeT-O-XV2jRojdNhxJWTDvNd7nqQ0VEiZQHz_AJmSCpMaJMRB"
                + "SFKrKb2wqVwGU_NsYOYL-QtiWN2lbzcEe6XC0dApr5ydQLrHqkHHig3RBordaZ6Aj-oBHqFEHYpPe7Tpe-OfVfHd1E6cS6M1FZcD"
                + "1NNLYD5lFHpPI9bTwJlsde3uhGqC0ZCuEHg8lhzwOHrtIQbS0FVbb9k3-tVTU4fg_3L_vniUFAKwuCLqKnS2BYwdq_mzSnbLY7h_"
                + "qixoR7jig3__kRhuaxwUkRz5iaiQkqgc5gHdrNP5zw"),
    ]
    private static let ec: JSON = [
        "kty": "EC", "kid": "bilbo.baggins@hobbiton.example", "use": "sig", "crv": "P-521",
        "x": "AHKZLLOsCOzz5cY97ewNUajB957y-C-U88c3v13nmGZx6sYl_oJXu9A5RkTKqjqvjyekWF-7ytDyRXYgCF5cj0Kt",
        "y": "AdymlHvOiLxXkEhayXQnNCvDX4h9htZaCJN34kfmC6pV5OhQHiraVySsUdaQkAgDPrwQrJmbnX9cwlGfP-HqHZR1",
    ]

    @Test(
        "the signatures of RFC 7520 4.1 to 4.3 are valid for their key and algorithm only",
        arguments: [
            (
                SignatureAlgorithm.RS256, rsa,
                "MRjdkly7_-oTPTS3AXP41iQIGKa80A0ZmTuV5MEaHoxnW2e5CZ5NlKtainoFmKZopdHM1O2U4mwzJdQx996ivp83xuglII7PNDi8"
                    + "4wnB-BDkoBwA78185hX-Es4JIwmDLJK3lfWRa-XtL0RnltuYv746iYTh_qHRD68BNt1uSNCrUCTJDt5aAE6x8wW1Kt9eRo4QPocS"
                    + "adnHXFxnt8Is9UzpERV0ePPQdLuW3IS_de3xyIrDaLGdjluPxUAhb6L2aXic1U12podGU0KLUQSE_oI-ZnmKJ3F4uOZDnd6QZWJu"
                    + "shZ41Axf_fcIe8u9ipH84ogoree7vjbU5y18kDquDg"
            ),
            (
                .PS384, rsa,
                "cu22eBqkYDKgIlTpzDXGvaFfz6WGoz7fUDcfT0kkOy42miAh2qyBzk1xEsnk2IpN6-tPid6VrklHkqsGqDqHCdP6O8TTB5dDDItl"
                    + "lVo6_1OLPpcbUrhiUSMxbbXUvdvWXzg-UD8biiReQFlfz28zGWVsdiNAUf8ZnyPEgVFn442ZdNqiVJRmBqrYRXe8P_ijQ7p8Vdz0"
                    + "TTrxUeT3lm8d9shnr2lfJT8ImUjvAA2Xez2Mlp8cBE5awDzT0qI0n6uiP1aCN_2_jLAeQTlqRHtfa64QQSUmFAAjVKPbByi7xho0"
                    + "uTOcbH510a6GYmJUAfmWjwZ6oD4ifKo8DYM-X72Eaw"
            ),
            (
                .ES512, ec,
                "AE_R_YZCChjn4791jSQCrdPZCNYqHXCTZH0-JZGYNlaAjP2kqaluUIIUnC9qvbu9Plon7KRTzoNEuT4Va2cmL1eJAQy3mtPBu_u_"
                    + "sDDyYjnAMDxXPn7XrT0lw-kvAD890jl8e2puQens_IEKBpHABlsbEPX6sFY8OcGDqoRuBomu9xQ2"
            ),
        ])
    func signatures(algorithm: SignatureAlgorithm, jwk: JSON, signature: String) throws {
        let header: JSON = ["alg": .string(algorithm.rawValue), "kid": "bilbo.baggins@hobbiton.example"]
        let message = Array("\(Base64URL.encode(header.bytes())).\(Self.payload)".utf8)
        let bytes = try #require(Base64URL.decode(signature))
        let key = try PublicKey(jwk: jwk)
        for candidate in SignatureAlgorithm.allCases {
            #expect(key.verify(bytes, of: message, algorithm: candidate) == (candidate == algorithm))
        }
        #expect(!key.verify(bytes, of: message + [0], algorithm: algorithm))
        #expect(Base64URL.decode(Self.payload) == Array(Self.text.utf8))
    }

    @Test("only the signature key of RFC 7517 A.1 and A.3 is accepted")
    func keys() throws {
        let encryption: JSON = [
            "kty": "EC", "crv": "P-256", "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
            "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM", "use": "enc", "kid": "1",
        ]
        let signing: JSON = [
            "kty": "RSA", "e": "AQAB", "alg": "RS256", "kid": "2011-04-29",
            "n": .string(
                "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjB"
                    + "ZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8"
                    + "KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_"
                    + "xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"),
        ]
        let symmetric: [JSON] = [
            ["kty": "oct", "alg": "A128KW", "k": "GawgguFyGrWKav7AX4VKUg"],
            [
                "kty": "oct", "kid": "HMAC key used in JWS spec Appendix A.1 example",
                "k": "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow",
            ],
        ]
        let document: JSON = ["keys": .array([encryption, signing] + symmetric)]
        let set = try JWKSet(parsing: document.bytes(), accepting: Set(SignatureAlgorithm.allCases))
        #expect(set.keyIDs == ["2011-04-29"])
        #expect(
            set.key(id: "2011-04-29", algorithm: .RS256)?.key.jwk(id: "2011-04-29", algorithm: .RS256)["n"]
                == signing["n"])
        #expect(set.key(id: "2011-04-29", algorithm: .PS256) == nil)
        #expect(set.key(id: "1", algorithm: .ES256) == nil)
    }

    private static let claims =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    @Test("the token of RFC 7519 3.1 has a valid HMAC, and its algorithm is unknown")
    func symmetricToken() throws {
        let text = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(Self.claims).dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let key = try #require(
            Base64URL.decode("AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"))
        let token = try JWT(parsing: text)
        #expect(token.claims == ["iss": "joe", "exp": 1_300_819_380, "http://example.com/is_root": true])
        let signed = Array(text.utf8.prefix(text.utf8.count - 44))
        #expect(Base64URL.encode(HMACSHA256.code(signed, key: key)) == text.suffix(43))
        #expect(SignatureAlgorithm(rawValue: token.algorithmName) == nil)
    }

    @Test("the unsecured token of RFC 7519 6.1 names an unknown algorithm")
    func unsecuredToken() throws {
        let token = try JWT(parsing: "eyJhbGciOiJub25lIn0.\(Self.claims).")
        #expect(token.algorithmName == "none")
        #expect(SignatureAlgorithm(rawValue: token.algorithmName) == nil)
        for (algorithm, key) in [(SignatureAlgorithm.RS256, try TestKeys.rsa.get()), (.ES256, try TestKeys.p256.get())]
        {
            #expect(!token.isSigned(by: key.publicKey, algorithm))
        }
    }
}
