import COpenSSL

extension PublicKey {
    /// Whether the private half made an ES… signature in the DER form of X.509 (RFC 3279 §2.2.3).
    ///
    /// Only the single shortest encoding is accepted. With other encodings or trailing bytes, one signature would have
    /// many spellings.
    package func verify(der signature: [UInt8], of message: [UInt8], algorithm: SignatureAlgorithm) -> Bool {
        defer { ERR_clear_error() }
        guard case .ecdsa(let curve) = algorithm.family,
            let raw = ECDSASignature.raw(der: signature, curve: curve),
            ECDSASignature.der(raw: raw, curve: curve) == signature
        else { return false }
        return verify(raw, of: message, algorithm: algorithm)
    }
}
