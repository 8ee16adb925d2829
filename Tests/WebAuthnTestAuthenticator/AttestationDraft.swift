package import Cryptography

/// The attestation statement before its encoding.
package enum AttestationDraft: Sendable {
    case none
    /// Signed with the credential's own key.
    case packedSelf(algorithm: Int)
    /// Signed with a maker's key; the certificates in DER, the maker's first.
    case packedCertified(key: PrivateKey, certificates: [[UInt8]], algorithm: Int)
    /// Any other format with any other statement.
    case other(format: String, statement: CBORItem)

    var format: String {
        switch self {
        case .none: "none"
        case .packedSelf, .packedCertified: "packed"
        case .other(let format, _): format
        }
    }

    func statement(over message: [UInt8], credentialKey: PrivateKey) throws -> CBORItem {
        switch self {
        case .none: return .map([])
        case .packedSelf(let algorithm):
            return .map([
                (.text("alg"), .integer(algorithm)),
                (.text("sig"), .bytes(try credentialKey.webAuthnSignature(message))),
            ])
        case .packedCertified(let key, let certificates, let algorithm):
            return .map([
                (.text("alg"), .integer(algorithm)), (.text("sig"), .bytes(try key.webAuthnSignature(message))),
                (.text("x5c"), .array(certificates.map(CBORItem.bytes))),
            ])
        case .other(_, let statement): return statement
        }
    }
}

extension PrivateKey {
    /// A signature as authenticators write it: DER for P-256, raw for RSA.
    package func webAuthnSignature(_ message: [UInt8]) throws -> [UInt8] {
        do {
            return DERItem.signature(raw: try sign(message, algorithm: .ES256))
        } catch {
            return try sign(message, algorithm: .RS256)
        }
    }
}
