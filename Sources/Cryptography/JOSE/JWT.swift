package import JSON

/// A parsed signed token (RFC 7515 §3.1, RFC 7519).
///
/// Nothing in it is trusted yet: ``JWTVerifier`` decides that.
///
/// Every check without cryptography happens here, the cheapest first.
package struct JWT: Sendable {
    private static let maximumHeaderLength = 2048

    /// The text of `alg`; whether it is allowed is not known yet.
    package let algorithmName: String
    /// `kid`, any string; `nil` if it is absent or not a string.
    package let keyID: String?
    package let header: JSONObject
    package let claims: JSONObject
    private let signedBytes: [UInt8]
    private let signature: [UInt8]

    /// Accepts the compact form only: three parts of canonical base64url, JSON objects in the first two.
    ///
    /// The third may be empty, so that an unsigned token is refused for its algorithm and not for its form.
    package init(parsing token: String, maximumLength: Int = 16_384) throws(TokenRefusal) {
        guard !token.isEmpty else { throw .tokenMissing }
        guard token.utf8.count <= maximumLength else { throw .tokenTooLarge }
        var bytes = Array(token.utf8)
        guard let dots = Self.dots(bytes) else { throw .tokenMalformed }

        let headerBytes = try Self.part(bytes.span.extracting(..<dots.first))
        let claimBytes = try Self.part(bytes.span.extracting((dots.first + 1)..<dots.second))
        guard let signature = Base64URL.decode(bytes.span.extracting((dots.second + 1)...)),
            headerBytes.count <= Self.maximumHeaderLength
        else { throw .tokenMalformed }

        header = try Self.object(headerBytes)
        guard let algorithmName = header["alg"]?.string else { throw .algorithmNotAllowed }
        claims = try Self.object(claimBytes)
        self.algorithmName = algorithmName
        keyID = header["kid"]?.string
        bytes.removeSubrange(dots.second...)
        signedBytes = bytes
        self.signature = signature
    }

    /// The positions of the two dots; `nil` for fewer or more.
    private static func dots(_ bytes: [UInt8]) -> (first: Int, second: Int)? {
        let dot = UInt8(ascii: ".")
        guard let first = bytes.firstIndex(of: dot), let second = bytes[(first + 1)...].firstIndex(of: dot),
            !bytes[(second + 1)...].contains(dot)
        else { return nil }
        return (first, second)
    }

    private static func part(_ text: Span<UInt8>) throws(TokenRefusal) -> [UInt8] {
        guard !text.isEmpty, let bytes = Base64URL.decode(text) else { throw .tokenMalformed }
        return bytes
    }

    private static func object(_ bytes: [UInt8]) throws(TokenRefusal) -> JSONObject {
        guard let object = (try? JSON(parsing: bytes, limits: .token))?.object else { throw .jsonMalformed }
        return object
    }

    /// Whether the key made the signature.
    ///
    /// The algorithm comes from the caller's rules, never from the token.
    package func isSigned(by key: PublicKey, _ algorithm: SignatureAlgorithm) -> Bool {
        key.verify(signature, of: signedBytes.span, algorithm: algorithm)
    }

    /// The SHA-256 of the signed header and claims, which names this token in the replay ledger.
    ///
    /// Header and claims have only one spelling, because they are signed. A signature has several: anyone can turn an
    /// ECDSA signature (r, s) into (r, n − s).
    package var signedDigest: [UInt8] { SHA256.hash(signedBytes) }
}
