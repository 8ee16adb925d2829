/// A new credential, verified: what the relying party stores of it.
package struct RegisteredCredential: Equatable, Sendable {
    package let id: [UInt8]
    /// As a COSE key.
    package let publicKey: [UInt8]
    package let algorithm: COSEAlgorithm
    package let signCount: UInt32
    /// The model of the authenticator, 16 bytes; all zero when it is not told.
    package let aaguid: [UInt8]
    package let transports: [String]
    package let isUserVerified: Bool
    /// Whether copies of the private key may leave the authenticator; it never changes.
    package let isBackupEligible: Bool
    package let isBackedUp: Bool
    package let attestationFormat: String
    package let attestationTrust: AttestationTrust
}
