import JSON
import Testing

@testable import Cryptography

@Suite("Published keys")
struct JWKTests {
    private static func rsa(_ changes: JSONObject) throws -> JSON {
        var members = try #require(TestKeys.rsa.get().publicKey.jwk(id: "r", algorithm: .RS256).object)
        for change in changes.members {
            members[change.name] = change.value.isNull ? JSON?.none : change.value
        }
        return .object(members)
    }

    private static func ec(_ changes: JSONObject) throws -> JSON {
        var members = try #require(TestKeys.p256.get().publicKey.jwk(id: "e", algorithm: .ES256).object)
        for change in changes.members {
            members[change.name] = change.value.isNull ? JSON?.none : change.value
        }
        return .object(members)
    }

    /// 2048 bits, of two primes like those of the faulty chips of CVE-2017-15361.
    private static let factorableModulus =
        "rz9O1_bkz80IJyL9lUByvJiZoV6V9HntPdNIQ_5lh0BzVCU5SEBmaa_FSyqdo_GnoCxnrI9XjljEAylcokpWCRW5ODtH-4tOL44l"
        + "J0ToxbDBjgHlXT6ffVt4dVJdE7jzCSupwBQu64oa_STG2dnkJQZhLsr4Hoiu54vXrCfuZxq4BDP9iHZE524HjSZYdBeZSysciUuF"
        + "0WJXKtphOF_Jv7dCdtN5FWrX6h800Gdb7bC9Eihq-Bn6jvy234dEQiTeQdtERthXJjXpmRY3HYmmwR9L2XcY2OyLm_waAL7UYCkI"
        + "C8_hEHCriX7eYzO5hjJ-ZlMRjx_JP7h5Qly4z5p_Uw"

    private static let all = Set(SignatureAlgorithm.allCases)

    @Test(
        "a signature key is accepted",
        arguments: [
            [:], ["use": nil], ["alg": nil], ["alg": "PS512"], ["kid": nil], ["key_ops": ["verify"]],
            ["key_ops": ["sign", "verify"]], ["x5c": ["AAAA"], "anything": [:]],
        ] as [JSONObject])
    func taken(changes: JSONObject) throws {
        #expect(throws: Never.self) { try JWK(try Self.rsa(changes), accepting: Self.all) }
    }

    @Test(
        "an RSA key for another use or algorithm is refused",
        arguments: [
            (["kty": "oct"], .unsupportedKeyType), (["kty": nil], .malformed(member: "kty")),
            (["kty": 1], .malformed(member: "kty")), (["use": "enc"], .notForSignatures),
            (["use": 1], .notForSignatures), (["key_ops": ["sign"]], .notForSignatures),
            (["key_ops": []], .notForSignatures), (["key_ops": "verify"], .notForSignatures),
            (["alg": "ES256"], .unsuitableAlgorithm), (["alg": "HS256"], .unsuitableAlgorithm),
            (["alg": "none"], .unsuitableAlgorithm), (["alg": 1], .unsuitableAlgorithm),
            (["d": "AQAB"], .privateMember("d")), (["p": "AQAB"], .privateMember("p")),
            (["oth": []], .privateMember("oth")), (["k": "AAAA"], .privateMember("k")),
            (["n": nil], .malformed(member: "n")), (["n": "A=="], .malformed(member: "n")),
            (["n": 5], .malformed(member: "n")), (["e": "AQAA"], .unsafeExponent), (["e": "AQ"], .unsafeExponent),
            (["e": "Aw"], .unsafeExponent), (["e": ""], .unsafeExponent), (["e": "AQAAAAE"], .unsafeExponent),
            (["kid": 7], .malformed(member: "kid")), (["kid": ["a"]], .malformed(member: "kid")),
            (["n": .string(factorableModulus)], .factorableModulus),
        ] as [(JSONObject, JWKError)])
    func refusedRSA(changes: JSONObject, error: JWKError) throws {
        let jwk = try Self.rsa(changes)
        #expect(throws: error) { try JWK(jwk, accepting: Self.all) }
    }

    @Test("N4: the fingerprint of a factorable modulus refuses it, and sound ones pass")
    func factorable() throws {
        let modulus = try #require(Base64URL.decode(Self.factorableModulus))
        #expect(ROCA.hasFingerprint(modulus: modulus))
        #expect(throws: JWKError.factorableModulus) { try PublicKey(rsaModulus: modulus, exponent: [1, 0, 1]) }
        let sound = try #require(
            TestKeys.rsa.get().publicKey.jwk(id: "r", algorithm: .RS256)["n"]?.string.flatMap { Base64URL.decode($0) })
        #expect(!ROCA.hasFingerprint(modulus: sound))
        // One remainder that is not a power of 65537 is enough.
        #expect(!ROCA.hasFingerprint(modulus: [0x02]))
        #expect(ROCA.hasFingerprint(modulus: [0x01, 0x00, 0x01]))
    }

    @Test(
        "N4: a key id is any string",
        arguments: ["bilbo.baggins@hobbiton.example", "", "a b", "../é", String(repeating: "k", count: 5_000)])
    func keyIDs(id: String) throws {
        let set = JWKSet([try JWK(try Self.rsa(["kid": .string(id)]), accepting: Self.all)])
        #expect(set.key(id: id, algorithm: .RS256) != nil)
        #expect(set.key(id: id + "x", algorithm: .RS256) == nil)
    }

    @Test("N4: ids with the same look and different bytes are two ids")
    func canonicallyEqualIDs() throws {
        let (composed, decomposed) = ("\u{e9}", "e\u{301}")
        let set = JWKSet(
            try [composed, decomposed].map { try JWK(try Self.rsa(["kid": .string($0)]), accepting: Self.all) })
        #expect(!set.hasAmbiguity)
        #expect(set.key(id: composed, algorithm: .RS256) != nil)
        #expect(set.key(id: decomposed, algorithm: .RS256) != nil)
    }

    @Test("a modulus must be odd and have 2048 to 8192 bits")
    func modulus() throws {
        func error(_ bytes: [UInt8]) throws -> JWKError? {
            let jwk = try Self.rsa(["n": .string(Base64URL.encode(bytes))])
            return #expect(throws: JWKError.self) { try PublicKey(jwk: jwk) }
        }
        #expect(try error([0x7F] + [UInt8](repeating: 0xFF, count: 255)) == .modulusLength(bits: 2047))
        #expect(try error([0x01] + [UInt8](repeating: 0xFF, count: 1024)) == .modulusLength(bits: 8193))
        #expect(try error([UInt8](repeating: 0xFF, count: 128)) == .modulusLength(bits: 1024))
        #expect(try error([UInt8](repeating: 0xFE, count: 256)) == .malformed(member: "n"))
    }

    @Test("leading zeros of a modulus do not count")
    func leadingZeros() throws {
        let key = try TestKeys.rsa.get()
        let modulus = try #require(
            key.publicKey.jwk(id: "r", algorithm: .RS256)["n"]?.string.flatMap { Base64URL.decode($0) })
        let padded = try PublicKey(jwk: try Self.rsa(["n": .string(Base64URL.encode([0, 0] + modulus))]))
        #expect(padded.verify(try key.sign([1], algorithm: .RS256), of: [1], algorithm: .RS256))
    }

    @Test(
        "a key on another curve is refused",
        arguments: [
            (["crv": "P-384"], .malformed(member: "x")), (["crv": "secp256k1"], .unsupportedCurve),
            (["crv": "Ed25519"], .unsupportedCurve), (["crv": nil], .malformed(member: "crv")),
            (["kty": "OKP"], .unsupportedKeyType), (["alg": "ES384"], .unsuitableAlgorithm),
            (["x": "AAAA"], .malformed(member: "x")), (["y": nil], .malformed(member: "y")),
            (["y": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"], .unsuitableKey), (["d": "AA"], .privateMember("d")),
        ] as [(JSONObject, JWKError)])
    func refusedEC(changes: JSONObject, error: JWKError) throws {
        let jwk = try Self.ec(changes)
        #expect(throws: error) { try JWK(jwk, accepting: Self.all) }
    }

    @Test("a valid key for a disallowed algorithm is refused")
    func notAccepted() throws {
        let jwk = try Self.rsa([:])
        #expect(throws: JWKError.unsuitableAlgorithm) { try JWK(jwk, accepting: [.ES256, .PS256]) }
        #expect(throws: JWKError.notAnObject) { try JWK("key", accepting: Self.all) }
    }
}
