import JSON
import Testing

@testable import Cryptography

@Suite("Public keys from numbers")
struct PublicKeyNumbersTests {
    private func numbers(_ key: PublicKey, _ names: [String]) throws -> [[UInt8]] {
        let jwk = key.jwk(id: "", algorithm: .ES256)
        return try names.map { name in
            let text = try #require(jwk[name]?.string)
            return try #require(Base64URL.decode(text))
        }
    }

    @Test("a P-256 key needs the coordinates of a point on the curve")
    func p256() throws {
        let key = try TestKeys.p256.get()
        let point = try numbers(key.publicKey, ["x", "y"])
        let copy = try PublicKey(p256X: point[0], y: point[1])
        #expect(copy.verify(try key.sign([1], algorithm: .ES256), of: [1], algorithm: .ES256))
        let zero = [UInt8](repeating: 0, count: 32)
        for (x, y) in [(point[1], point[0]), (zero, zero), ([0] + point[0], point[1]), (point[0], [])] {
            #expect(throws: JWKError.self) { try PublicKey(p256X: x, y: y) }
        }
    }

    @Test("a JWK that is no object is refused", arguments: ["k", 1, true, [], .null] as [JSON])
    func noObject(json: JSON) {
        #expect(throws: JWKError.notAnObject) { try PublicKey(jwk: json) }
    }

    @Test("an RSA key needs its numbers without leading zeros")
    func rsa() throws {
        let key = try TestKeys.rsa.get()
        let parts = try numbers(key.publicKey, ["n", "e"])
        let copy = try PublicKey(rsaModulus: parts[0], exponent: parts[1])
        #expect(copy.verify(try key.sign([1], algorithm: .RS256), of: [1], algorithm: .RS256))
        for (modulus, exponent) in [([0] + parts[0], parts[1]), (parts[0], [0] + parts[1]), ([], []), (parts[0], [3])] {
            #expect(throws: JWKError.self) { try PublicKey(rsaModulus: modulus, exponent: exponent) }
        }
    }

    @Test(
        "a DER signature is accepted in its canonical form only", arguments: [SignatureAlgorithm.ES256, .ES384, .ES512])
    func derSignatures(algorithm: SignatureAlgorithm) throws {
        guard case .ecdsa(let curve) = algorithm.family else { return }
        let key = try TestKeys.key(for: algorithm)
        let raw = try key.sign([1], algorithm: algorithm)
        let der = try #require(ECDSASignature.der(raw: raw, curve: curve))
        #expect(key.publicKey.verify(der: der, of: [1], algorithm: algorithm))
        #expect(!key.publicKey.verify(der: der, of: [2], algorithm: algorithm))
        let indefinite: [UInt8] = [0x30, 0x80] + der.dropFirst(2) + [0, 0]
        for wrong in [[], raw, der + [0], Array(der.dropLast()), [0x30, 0], indefinite] {
            #expect(!key.publicKey.verify(der: wrong, of: [1], algorithm: algorithm))
        }
        #expect(!key.publicKey.verify(der: der, of: [1], algorithm: .RS256))
    }
}
