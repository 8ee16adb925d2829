import COpenSSL

extension PublicKey {
    /// Whether an ES… signature, in the DER form of X.509 (RFC 3279 §2.2.3), was made over the message by the private half.
    ///
    /// Only the one shortest encoding is taken: with others, or with bytes behind it, one signature would have many
    /// spellings.
    package func verify(der signature: [UInt8], of message: [UInt8], algorithm: SignatureAlgorithm) -> Bool {
        defer { ERR_clear_error() }
        guard case .ecdsa(let curve) = algorithm.family,
            let raw = ECDSASignature.raw(der: signature, curve: curve),
            ECDSASignature.der(raw: raw, curve: curve) == signature
        else { return false }
        return verify(raw, of: message, algorithm: algorithm)
    }
}
