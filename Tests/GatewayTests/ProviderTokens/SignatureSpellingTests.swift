import Cryptography
import Foundation
import Hummingbird
import JSON
import Testing

/// An issuer with ECDSA signatures, which have two valid forms: (r, s) and (r, n − s).
@Suite("Signatures with two spellings")
struct SignatureSpellingTests {
    private static let issuer = "https://id.acme.example"

    @Test("J-17: a token with a re-encoded signature is the same token")
    func replay() async throws {
        let key = try PrivateKey.generateP256()
        try await withLocalServer({ Self.document(for: $0, key) }) { base in
            try await withGateway(["OIDC_ACME_ENDPOINT": base, "OIDC_ACME_ALGORITHMS": "ES256"]) { gateway in
                let (token, other) = try Self.spellings(key)
                _ = try SignedInAnswer(try await gateway.signIn("acme", credential: ["id_token": .string(token)]))
                try await gateway.expectRefusal(
                    try await gateway.signIn("acme", credential: ["id_token": .string(other)]), 401, "token_replayed",
                    provider: "acme")
                let (_, unused) = try Self.spellings(key)
                _ = try SignedInAnswer(try await gateway.signIn("acme", credential: ["id_token": .string(unused)]))
            }
        }
    }

    private static func document(for request: Request, _ key: PrivateKey) -> Response {
        let keys: JSON = ["keys": [key.publicKey.jwk(id: "k1", algorithm: .ES256)]]
        let discovery: JSON = [
            "issuer": .string(issuer), "jwks_uri": .string("http://\(request.head.authority ?? "")/keys"),
        ]
        return Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: .init(string: (request.uri.path == "/keys" ? keys : discovery).text)))
    }

    /// One token with both signatures.
    private static func spellings(_ key: PrivateKey) throws -> (String, String) {
        let seconds = Int(Date().timeIntervalSince1970)
        let header: JSON = ["alg": "ES256", "kid": "k1"]
        let claims: JSON = [
            "iss": .string(issuer), "aud": "acme-client", "sub": .string(Fresh.subject("acme")),
            "iat": .integer(seconds), "exp": .integer(seconds + 600), "email": .string(Fresh.email()),
        ]
        let signed = [header, claims].map { Base64URL.encode($0.bytes()) }.joined(separator: ".")
        let signature = try key.sign(Array(signed.utf8), algorithm: .ES256)
        return (
            signed + "." + Base64URL.encode(signature),
            signed + "." + Base64URL.encode(signature[..<32] + (try negated(signature[32...])))
        )
    }

    /// n − s, where n is the order of P-256 (SEC 2, section 2.4.2).
    private static func negated(_ number: ArraySlice<UInt8>) throws -> [UInt8] {
        var digits = try #require(Hex.decode("FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551"))
        var borrow = 0
        for (index, byte) in zip(digits.indices, number).reversed() {
            let digit = Int(digits[index]) - Int(byte) - borrow
            borrow = digit < 0 ? 1 : 0
            digits[index] = UInt8(digit & 0xFF)
        }
        return digits
    }
}
