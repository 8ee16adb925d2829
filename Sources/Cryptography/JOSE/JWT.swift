package import JSON

/// A signed token taken apart (RFC 7515 §3.1, RFC 7519).
///
/// Nothing in it is trusted yet: ``JWTVerifier`` decides that.
///
/// Everything that can be refused without cryptography is refused here, cheapest check first.
package struct JWT: Sendable {
    private static let maximumHeaderLength = 2048

    /// `alg` as it is written; whether it is allowed is not known yet.
    package let algorithmName: String
    /// `kid`, any string; `nil` where it is absent or no string.
    package let keyID: String?
    package let header: JSONObject
    package let claims: JSONObject
    private let signedBytes: [UInt8]
    private let signature: [UInt8]

    /// Takes the compact form only: three parts of canonical base64url, JSON objects in the first two.
    ///
    /// The third may be empty, so that an unsigned token is refused for its algorithm and not for its looks.
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

    /// Where the two dots stand; `nil` where there are fewer or more.
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

    /// Whether the signature is the key's.
    ///
    /// The algorithm comes from the caller's rules, never from the token.
    package func isSigned(by key: PublicKey, _ algorithm: SignatureAlgorithm) -> Bool {
        key.verify(signature, of: signedBytes.span, algorithm: algorithm)
    }

    /// SHA-256 of header and claims as they were signed: names this very token in a record of tokens seen before.
    ///
    /// They have one spelling, being signed. A signature has several: of an ECDSA signature (r, s), (r, n − s) is another
    /// that anybody can make.
    package var signedDigest: [UInt8] { SHA256.hash(signedBytes) }
}
