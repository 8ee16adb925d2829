import Cryptography
import JSON

/// The relation between a posted nonce and the `nonce` claim of its token.
struct NonceRule: Sendable {
    enum Encoding: Sendable {
        /// The claim is the nonce.
        case exact
        /// The claim is the lower-case hexadecimal SHA-256 of the nonce: a stolen token does not reveal the nonce.
        case sha256Hex
    }

    let encoding: Encoding
    /// Whether a token without a nonce is refused.
    let isRequired: Bool

    /// The posted nonce if the token proves it, or nil if neither has one.
    func proved(posted: String?, claims: JSONObject) throws(ProviderError) -> String? {
        let claim = claims["nonce"]
        if let claim, claim.string == nil { throw .refused(.claimType) }
        guard let posted else {
            guard claim == nil, !isRequired else { throw .refused(.nonceMissing) }
            return nil
        }
        guard let claimed = claim?.string else { throw .refused(.nonceAbsent) }
        let expected = encoding == .exact ? posted : Hex.encode(SHA256.hash(posted))
        guard ConstantTime.equal(Array(claimed.utf8), Array(expected.utf8)) else { throw .refused(.nonceMismatch) }
        return posted
    }
}
