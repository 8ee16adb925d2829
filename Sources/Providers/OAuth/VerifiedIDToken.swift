import Cryptography
import FoundationEssentials
import JSON

/// An ID token that passed every check.
struct VerifiedIDToken: Sendable {
    let verified: VerifiedClaims
    let algorithm: SignatureAlgorithm
    /// The posted nonce that the token proved.
    let nonce: String?

    init(_ verified: VerifiedClaims, algorithm: SignatureAlgorithm, nonce: String?) {
        self.verified = verified
        self.algorithm = algorithm
        self.nonce = nonce
    }

    var claims: JSONObject { verified.claims }
    var subject: String { verified.subject }
    /// The client of the token.
    var audience: String { verified.audiences.first ?? "" }
    var replayDigest: [UInt8] { verified.signedDigest }

    /// The time of the user's last proof at the issuer (`auth_time`), if plausible.
    var authenticatedAt: Date? {
        guard let seconds = claims["auth_time"]?.double, (0...1e11).contains(seconds) else { return nil }
        return Date(timeIntervalSince1970: seconds)
    }

    /// The time of issue (`iat`).
    var issuedAt: Date { verified.issuedAt }

    /// The token's expiry with the allowed skew, which is the same at each use.
    var replayEnd: ReplayEnd { .itsOwn(verified.expiresAt.addingTimeInterval(60)) }

    /// Whether `at_hash` or `c_hash` belongs to `text` (OpenID Connect Core §3.1.3.6, §3.3.2.11); nil when absent.
    func hashFits(_ claim: String, of text: String) -> Bool? {
        guard let value = claims[claim] else { return nil }
        guard let hash = value.string else { return false }
        let digest = digest(of: Array(text.utf8))
        let expected = Base64URL.encode(Array(digest.prefix(digest.count / 2)))
        return ConstantTime.equal(Array(hash.utf8), Array(expected.utf8))
    }

    private func digest(of bytes: [UInt8]) -> [UInt8] {
        switch algorithm {
        case .RS256, .PS256, .ES256: SHA256.hash(bytes)
        case .RS384, .PS384, .ES384: SHA384.hash(bytes)
        case .RS512, .PS512, .ES512: SHA512.hash(bytes)
        }
    }
}
