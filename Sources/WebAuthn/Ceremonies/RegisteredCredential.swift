/// A verified new credential: the values that the relying party stores.
package struct RegisteredCredential: Equatable, Sendable {
    package let id: [UInt8]
    /// As a COSE key.
    package let publicKey: [UInt8]
    package let algorithm: COSEAlgorithm
    package let signCount: UInt32
    /// The model of the authenticator, 16 bytes; all zero if not stated.
    package let aaguid: [UInt8]
    package let transports: [String]
    package let isUserVerified: Bool
    /// Whether the private key may be backed up; it may become so later.
    package let isBackupEligible: Bool
    package let isBackedUp: Bool
    package let attestationFormat: String
    package let attestationTrust: AttestationTrust
}
