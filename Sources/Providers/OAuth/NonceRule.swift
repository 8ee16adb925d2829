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

    /// The nonce of the token, or nil if neither side has one.
    ///
    /// The caller decides about a foreign one. A hash could be that of our own nonce, so it is never foreign.
    func proved(posted: String?, claims: JSONObject) throws(ProviderError) -> TokenNonce? {
        let claim = claims["nonce"]
        if let claim, claim.string == nil { throw .refused(.claimType) }
        guard let posted else {
            guard !isRequired, claim == nil || encoding == .exact else { throw .refused(.nonceMissing) }
            return claim?.string.map(TokenNonce.foreign)
        }
        guard let claimed = claim?.string else { throw .refused(.nonceAbsent) }
        let expected = encoding == .exact ? posted : Hex.encode(SHA256.hash(posted))
        guard ConstantTime.equal(Array(claimed.utf8), Array(expected.utf8)) else { throw .refused(.nonceMismatch) }
        return .posted(posted)
    }
}
