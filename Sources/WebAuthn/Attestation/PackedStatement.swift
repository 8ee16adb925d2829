import Cryptography
import FoundationEssentials

/// An attestation statement of the format "packed" (WebAuthn §8.2).
struct PackedStatement {
    private static let mostCertificates = 8

    private let algorithm: Int
    private let signature: [UInt8]
    /// The maker's certificate first; `nil` for self attestation.
    private let certificates: [[UInt8]]?

    init(_ statement: CBOR) throws(WebAuthnError) {
        // Level 1 defined it; no authenticator used it, and the underlying schemes were broken.
        guard statement["ecdaaKeyId"] == nil else { throw .attestationECDAAUnsupported }
        guard let algorithm = statement["alg"]?.integer, let signature = statement["sig"]?.bytes else {
            throw .attestationStatementMalformed
        }
        self.algorithm = algorithm
        self.signature = signature
        certificates = try statement["x5c"].map(Self.certificates)
        guard statement.map?.count == (certificates == nil ? 2 : 3) else { throw .attestationStatementMalformed }
    }

    private static func certificates(_ value: CBOR) throws(WebAuthnError) -> [[UInt8]] {
        guard let elements = value.array, (1...mostCertificates).contains(elements.count) else {
            throw .attestationStatementMalformed
        }
        let certificates = elements.compactMap(\.bytes)
        guard certificates.count == elements.count else { throw .attestationStatementMalformed }
        return certificates
    }

    /// Follows the verification procedure of WebAuthn §8.2.
    func verify(
        over message: [UInt8], credential: AttestedCredential, roots: [Certificate], at now: Date
    ) throws(WebAuthnError) -> AttestationTrust {
        guard let certificates else {
            guard algorithm == credential.key.algorithm.rawValue else { throw .attestationAlgorithmMismatch }
            guard credential.key.verify(signature, of: message) else { throw .attestationSignatureInvalid }
            return .selfSigned
        }
        var chain: [Certificate] = []
        for der in certificates { chain.append(try Self.certificate(der)) }
        let leaf = chain.removeFirst()
        try checkSignature(over: message, key: try Self.publicKey(of: leaf))
        try AttestationCertificateRules.check(leaf, model: credential.model)
        return .certified(rootKnown: leaf.isTrusted(by: roots, over: chain, at: now))
    }

    private func checkSignature(over message: [UInt8], key: PublicKey) throws(WebAuthnError) {
        let isValid =
            switch COSEAlgorithm(rawValue: algorithm) {
            case .es256: key.verify(der: signature, of: message, algorithm: .ES256)
            case .rs256: key.verify(signature, of: message, algorithm: .RS256)
            case .edDSA, nil: throw WebAuthnError.attestationAlgorithmMismatch
            }
        guard isValid else { throw .attestationSignatureInvalid }
    }

    private static func certificate(_ der: [UInt8]) throws(WebAuthnError) -> Certificate {
        do throws(OpenSSLError) {
            return try Certificate(der: der)
        } catch {
            throw .attestationCertificateMalformed
        }
    }

    private static func publicKey(of certificate: Certificate) throws(WebAuthnError) -> PublicKey {
        do throws(OpenSSLError) {
            return try certificate.publicKey()
        } catch {
            throw .attestationCertificateMalformed
        }
    }
}
