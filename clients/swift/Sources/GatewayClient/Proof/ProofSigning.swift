public import Foundation

/// Makes and uses the key of proofs, for the option `proofOfPossession` (DPoP, RFC 9449).
///
/// Apple systems have `CryptoKitSigner`. Foundation on Linux has no signatures, and this library has no dependency.
/// Pass one of your own there, such as with swift-crypto.
public protocol ProofSigning: SHA256Hashing {
    /// A new P-256 private key, in the form that the client keeps in its ``TokenStore``.
    func newKey() throws -> Data
    /// The public key of a private key: x and y, 32 bytes each. It throws if the key does not work here.
    func publicKey(of key: Data) throws -> Data
    /// The ECDSA signature with SHA-256: r and s, 32 bytes each (ES256, RFC 7518 section 3.4).
    func signature(for bytes: Data, with key: Data) throws -> Data
}
