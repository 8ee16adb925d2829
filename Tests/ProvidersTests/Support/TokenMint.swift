import Cryptography
import JSON

/// Makes tokens by hand, valid and invalid.
struct TokenMint {
    enum Signing: Sendable {
        case sound, none, hs256WithPublicKey, otherKey, empty
        /// One bit of the payload is changed after signing.
        case tampered
        /// Signed by ``TestKeys/factorable``.
        case factorableKey
    }

    /// A token with members of header and claims replaced; JSON null removes one.
    static func token(
        _ claims: JSONObject, replacing: JSONObject = [:], header: JSONObject = [:], signing: Signing = .sound
    ) throws -> String {
        let head = merged(["alg": "RS256", "kid": "key-1", "typ": "JWT"], header)
        return try token(header: .object(head), payload: JSON.object(merged(claims, replacing)).bytes(), signing)
    }

    /// A token with any payload bytes.
    static func token(header: JSON, payload: [UInt8], _ signing: Signing = .sound) throws -> String {
        let head = Base64URL.encode(header.bytes()) + "."
        let signed = head + Base64URL.encode(payload)
        let signature = try signature(of: Array(signed.utf8), signing)
        guard signing == .tampered, let last = payload.lastIndex(of: UInt8(ascii: "a")) else {
            return signed + "." + Base64URL.encode(signature)
        }
        var changed = payload
        changed[last] = UInt8(ascii: "b")
        return head + Base64URL.encode(changed) + "." + Base64URL.encode(signature)
    }

    static func merged(_ object: JSONObject, _ changes: JSONObject) -> JSONObject {
        var object = object
        for change in changes.members {
            object[change.name] = change.value.isNull ? JSON?.none : change.value
        }
        return object
    }

    private static func signature(of message: [UInt8], _ signing: Signing) throws -> [UInt8] {
        switch signing {
        case .none, .empty: []
        case .hs256WithPublicKey:
            HMACSHA256.code(message, key: try TestKeys.issuer.publicKey.jwk(id: "key-1", algorithm: .RS256).bytes())
        case .otherKey: try TestKeys.other.sign(message, algorithm: .RS256)
        case .factorableKey: try TestKeys.factorable.sign(message, algorithm: .RS256)
        case .sound, .tampered: try TestKeys.issuer.sign(message, algorithm: .RS256)
        }
    }
}
