import Cryptography
import JSON

/// The signature of a minted token: valid, or invalid in a way that a verifier must refuse.
enum SigningMode: String, Sendable, CaseIterable {
    case normal
    /// `alg` is `none` and the signature is empty (RFC 8725 §2.1).
    case none
    /// HMAC keyed with the text of the provider's public key (RFC 8725 §2.1).
    case hs256WithPublicKey = "hs256-with-public-key"
    /// A valid signature by a key that no set contains.
    case unpublishedKey = "unpublished-key"
    /// A member was added to the claims after signing.
    case tampered
    /// The usual header with an empty signature.
    case empty

    /// The algorithm name in the header of a token by a key.
    func algorithmName(of key: SigningKey) -> String {
        switch self {
        case .none: "none"
        case .hs256WithPublicKey: "HS256"
        case .normal, .unpublishedKey, .tampered, .empty: key.algorithm.rawValue
        }
    }
}

/// Builds tokens by hand, since a proper signer would refuse most of these forms.
struct TokenForge: Sendable {
    let keys: KeyRing
    /// The `typ` of the header; nil omits it, as Apple and Cognito do.
    let type: String?

    /// A compact JWS; members of `header` replace those of the usual header, and null removes one.
    func token(_ claims: JSONObject, header: JSONObject = [:], signing: SigningMode = .normal) throws -> String {
        let key = try signing == .unpublishedKey ? keys.unpublished() : keys.signing()
        let head = self.header(of: key, signing: signing).overridden(by: header)
        let start = Base64URL.encode(JSON.object(head).bytes()) + "."
        let signed = start + Base64URL.encode(JSON.object(claims).bytes())
        guard signing == .tampered else { return try signed + "." + signature(of: signed, by: key, signing) }
        let tampered = start + Base64URL.encode(JSON.object(claims.overridden(by: ["tampered": true])).bytes())
        return try tampered + "." + signature(of: signed, by: key, signing)
    }

    private func header(of key: SigningKey, signing: SigningMode) -> JSONObject {
        var header: JSONObject = [:]
        if let type { header["typ"] = .string(type) }
        header["kid"] = .string(key.id)
        header["alg"] = .string(signing.algorithmName(of: key))
        return header
    }

    private func signature(of text: String, by key: SigningKey, _ signing: SigningMode) throws -> String {
        let message = Array(text.utf8)
        return switch signing {
        case .none, .empty: ""
        case .hs256WithPublicKey: Base64URL.encode(HMACSHA256.code(message, key: Array(key.publicPEM.utf8)))
        case .normal, .unpublishedKey, .tampered: Base64URL.encode(try key.key.sign(message, algorithm: key.algorithm))
        }
    }
}
