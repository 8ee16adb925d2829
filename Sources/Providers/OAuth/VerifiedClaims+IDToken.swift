import Cryptography
import FoundationEssentials
import JSON

/// The claims of an ID token.
extension VerifiedClaims {
    /// The client of the token.
    var audience: String { audiences.first ?? "" }

    /// The time of the user's last proof at the issuer (`auth_time`), if plausible.
    var authenticatedAt: Date? {
        guard let seconds = claims["auth_time"]?.double, (0...1e11).contains(seconds) else { return nil }
        return Date(timeIntervalSince1970: seconds)
    }

    /// The token's expiry with the allowed skew, which is the same at each use.
    var replayEnd: ReplayEnd { .itsOwn(expiresAt.addingTimeInterval(60)) }

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
