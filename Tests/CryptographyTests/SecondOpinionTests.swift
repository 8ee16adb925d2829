import Cryptography
import Foundation
import JSON
import TestSupport
import Testing

/// PyJWT, an independent implementation, must agree with us in both directions.
@Suite("Second opinion")
struct SecondOpinionTests {
    private static let claims: JSON = [
        "iss": "https://issuer.example", "sub": "alice", "aud": "app", "exp": 4_000_000_000,
    ]

    @Test("PyJWT accepts what we sign", arguments: [SignatureAlgorithm.RS256, .ES256])
    func ours(algorithm: SignatureAlgorithm) async throws {
        let key = try TestKeys.key(for: algorithm)
        let token = try JWTSigner(key: key, keyID: "k", algorithm: algorithm).sign(Self.claims)
        let jwk = key.publicKey.jwk(id: "k", algorithm: algorithm)
        let claims = try await Self.ask("verify", jwk.text, algorithm, token)
        #expect(try JSON(parsing: claims) == Self.claims)
    }

    @Test("we accept what PyJWT signs", arguments: [SignatureAlgorithm.RS256, .ES256])
    func theirs(algorithm: SignatureAlgorithm) async throws {
        let key = try TestKeys.key(for: algorithm)
        let jwt = try JWT(parsing: try await Self.ask("sign", key.pem, algorithm, Self.claims.text))
        #expect(jwt.keyID == "k")
        #expect(jwt.algorithmName == algorithm.rawValue)
        #expect(jwt.isSigned(by: key.publicKey, algorithm))
        #expect(jwt.claims["sub"] == "alice")
    }

    /// Runs `second_opinion.py`.
    private static func ask(
        _ action: String, _ key: String, _ algorithm: SignatureAlgorithm, _ input: String
    ) async throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let modules =
            ProcessInfo.processInfo.environment["PYJWT_PATH"]
            ?? folder.deletingLastPathComponent().deletingLastPathComponent().appending(path: "var/pyjwt").path
        let output = try await ChildProcess.run(
            [
                "PYTHONPATH=\(modules)", "python3", folder.appending(path: "second_opinion.py").path, action, key,
                algorithm.rawValue,
            ], input: Array(input.utf8))
        return String(decoding: output, as: UTF8.self)
    }
}
