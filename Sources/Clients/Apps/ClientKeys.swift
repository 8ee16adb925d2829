package import Cryptography

/// The public keys with which a client signs its assertions (RFC 7591 §2).
package enum ClientKeys: Sendable {
    case listed(JWKSet)
    /// The address of the key set.
    case published(String)
}
