package import Cryptography
import JSON

/// A public key as a credential's COSE key.
package enum COSEKeyItem {
    /// The entries for an elliptic curve or RSA key, in canonical order.
    package static func entries(_ key: PublicKey) -> [(CBORItem, CBORItem)] {
        let jwk = key.jwk(id: "", algorithm: .ES256)
        func bytes(_ name: String) -> CBORItem { .bytes(jwk[name]?.string.flatMap { Base64URL.decode($0) } ?? []) }
        if jwk["kty"] == "RSA" {
            return [
                (.integer(1), .integer(3)), (.integer(3), .integer(-257)), (.integer(-1), bytes("n")),
                (.integer(-2), bytes("e")),
            ]
        }
        return [
            (.integer(1), .integer(2)), (.integer(3), .integer(-7)), (.integer(-1), .integer(1)),
            (.integer(-2), bytes("x")), (.integer(-3), bytes("y")),
        ]
    }
}
