import Cryptography
import FoundationEssentials
import JSON
import JWTKit
import Testing

/// jwt-kit, an independent implementation on another library, must agree with us in both directions.
@Suite("Second opinion")
struct SecondOpinionTests {
    struct Payload: JWTPayload, Equatable {
        var sub: String
        var aud: String
        var exp: Int

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private static let payload = Payload(sub: "alice", aud: "app", exp: 4_000_000_000)
    private static let claims: JSON = [
        "iss": "https://issuer.example", "sub": "alice", "aud": "app", "exp": 4_000_000_000,
    ]

    private func collection(_ key: PrivateKey, _ algorithm: SignatureAlgorithm) async throws -> JWTKeyCollection {
        switch algorithm {
        case .ES256:
            return await JWTKeyCollection().add(ecdsa: try ES256PrivateKey(pem: key.pem), kid: "k")
        default:
            return await JWTKeyCollection().add(
                rsa: try Insecure.RSA.PrivateKey(pem: key.pem), digestAlgorithm: .sha256, kid: "k")
        }
    }

    @Test("jwt-kit accepts what we sign", arguments: [SignatureAlgorithm.RS256, .ES256])
    func ours(algorithm: SignatureAlgorithm) async throws {
        let key = try TestKeys.key(for: algorithm)
        let signer = JWTSigner(key: key, keyID: "k", algorithm: algorithm)
        let keys = try await collection(key, algorithm)
        let token = try signer.sign(Self.claims)
        #expect(try await keys.verify(token, as: Payload.self) == Self.payload)
    }

    @Test("we accept what jwt-kit signs", arguments: [SignatureAlgorithm.RS256, .ES256])
    func theirs(algorithm: SignatureAlgorithm) async throws {
        let key = try TestKeys.key(for: algorithm)
        let token = try await collection(key, algorithm).sign(Self.payload, kid: "k")
        let jwt = try JWT(parsing: token)
        #expect(jwt.keyID == "k")
        #expect(jwt.algorithmName == algorithm.rawValue)
        #expect(jwt.isSigned(by: key.publicKey, algorithm))
        #expect(jwt.claims["sub"] == "alice")
    }
}
