/// The trust in an authenticator's model.
package enum AttestationTrust: Equatable, Sendable {
    /// None: without a statement, or it was not checked.
    case unattested
    /// The statement is signed with the credential itself, which proves its private key.
    case selfSigned
    /// The statement is signed with a maker's key.
    ///
    /// The maker is known if the certificates lead to a configured root.
    case certified(rootKnown: Bool)
}
