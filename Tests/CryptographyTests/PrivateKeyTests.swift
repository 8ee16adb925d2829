import JSON
import Testing

@testable import Cryptography

@Suite("Key pairs")
struct PrivateKeyTests {
    private static let message = Array("message".utf8)

    @Test("a signature is valid for its message, key and algorithm only", arguments: SignatureAlgorithm.allCases)
    func signing(algorithm: SignatureAlgorithm) throws {
        let key = try TestKeys.key(for: algorithm)
        let signature = try key.sign(Self.message, algorithm: algorithm)
        #expect(key.publicKey.verify(signature, of: Self.message, algorithm: algorithm))
        #expect(!key.publicKey.verify(signature, of: Self.message + [0], algorithm: algorithm))
        for other in SignatureAlgorithm.allCases where other != algorithm {
            #expect(!key.publicKey.verify(signature, of: Self.message, algorithm: other), "\(other)")
        }
        for index in stride(from: 0, to: signature.count, by: 7) {
            var altered = signature
            altered[index] ^= 1
            #expect(!key.publicKey.verify(altered, of: Self.message, algorithm: algorithm))
        }
        for wrongLength in [[], Array(signature.dropLast()), signature + [0], [0] + signature] {
            #expect(!key.publicKey.verify(wrongLength, of: Self.message, algorithm: algorithm))
        }
    }

    @Test("a public key survives as a JWK", arguments: SignatureAlgorithm.allCases)
    func jwkRoundTrip(algorithm: SignatureAlgorithm) throws {
        let key = try TestKeys.key(for: algorithm)
        let jwk = key.publicKey.jwk(id: "k", algorithm: algorithm)
        let signature = try key.sign(Self.message, algorithm: algorithm)
        #expect(try PublicKey(jwk: jwk).verify(signature, of: Self.message, algorithm: algorithm))
        #expect(["kid", "alg", "use"].map { jwk[$0] } == ["k", .string(algorithm.rawValue), "sig"])
        #expect(jwk["d"] == nil)
    }

    @Test(
        "an ES256 signature with r or s of zero or the order, or in DER, is refused",
        arguments: [
            [UInt8](repeating: 0, count: 32),
            Hex.decode("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551") ?? [],
            [UInt8](repeating: 0xFF, count: 32),
        ])
    func outOfRange(number: [UInt8]) throws {
        let key = try TestKeys.p256.get()
        let signature = try key.sign(Self.message, algorithm: .ES256)
        #expect(number.count == 32)
        #expect(!key.publicKey.verify(number + signature[32...], of: Self.message, algorithm: .ES256))
        #expect(!key.publicKey.verify(signature[..<32] + number, of: Self.message, algorithm: .ES256))
        #expect(!key.publicKey.verify(number + number, of: Self.message, algorithm: .ES256))
        let der = try #require(ECDSASignature.der(raw: signature, curve: .p256))
        #expect(!key.publicKey.verify(der, of: Self.message, algorithm: .ES256))
    }

    @Test("a key pair survives as PEM and as PKCS #8", arguments: [SignatureAlgorithm.RS256, .ES256, .ES384])
    func storage(algorithm: SignatureAlgorithm) throws {
        let key = try TestKeys.key(for: algorithm)
        for copy in [try PrivateKey(pem: key.pem), try PrivateKey(pkcs8DER: key.pkcs8DER)] {
            let signature = try copy.sign(Self.message, algorithm: algorithm)
            #expect(key.publicKey.verify(signature, of: Self.message, algorithm: algorithm))
            #expect(copy.pkcs8DER == key.pkcs8DER)
        }
        #expect(key.pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
    }

    @Test("any other text than a private key is refused, without a prompt for a passphrase")
    func malformed() throws {
        let encrypted = """
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MIIBvTBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQI
            -----END ENCRYPTED PRIVATE KEY-----
            """
        for pem in ["", "x", encrypted, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
            #expect(throws: OpenSSLError.self) { try PrivateKey(pem: pem) }
        }
        let der = try TestKeys.p256.get().pkcs8DER
        for wrong in [[], Array(der.dropLast()), der + [0]] {
            #expect(throws: OpenSSLError.self) { try PrivateKey(pkcs8DER: wrong) }
        }
    }

    @Test("a key that is neither of RSA nor of a supported curve is refused")
    func unsupported() throws {
        let ed25519 = """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEIHNDyPoLsq4iQmoYnDoV0dt1bBm588e4cQ8+Rbj7Issr
            -----END PRIVATE KEY-----
            """
        let error = try #require(throws: OpenSSLError.self) { try PrivateKey(pem: ed25519) }
        #expect(error.operation == .unsuitableKey)
    }

    @Test("an algorithm that does not fit the key is an error, not a signature")
    func unsuitable() throws {
        let error = try #require(throws: OpenSSLError.self) {
            try TestKeys.p256.get().sign(Self.message, algorithm: .ES384)
        }
        #expect(error.operation == .unsuitableKey)
        #expect(throws: OpenSSLError.self) { try TestKeys.rsa.get().sign(Self.message, algorithm: .ES256) }
        #expect(throws: OpenSSLError.self) { try PrivateKey.generateRSA(bits: 1024) }
    }

    @Test("ES256 signatures from many threads verify, and no two share a nonce")
    func parallelSignatures() async throws {
        let key = try TestKeys.p256.get()
        let signatures = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<64 {
                group.addTask { try key.sign(Self.message, algorithm: .ES256) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(signatures.allSatisfy { key.publicKey.verify($0, of: Self.message, algorithm: .ES256) })
        // r depends only on the nonce.
        #expect(Set(signatures.map { $0.prefix(32) }).count == 64)
    }

    @Test("each half of an ES256 signature has 32 bytes, leading zeros included")
    func fixedLength() throws {
        let key = try TestKeys.p256.get()
        // One half in 256 begins with a zero byte.
        for number in 0..<1_024 {
            let message = Array("\(number)".utf8)
            let signature = try key.sign(message, algorithm: .ES256)
            #expect(signature.count == 64)
            #expect(key.publicKey.verify(signature, of: message, algorithm: .ES256))
        }
    }
}
