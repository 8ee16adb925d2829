/// What is known of an authenticator's make.
package enum AttestationTrust: Equatable, Sendable {
    /// Nothing: it made no statement, or one that was not checked.
    case unattested
    /// The statement is signed with the credential itself, which shows that the authenticator has its private key.
    case selfSigned
    /// The statement is signed with a maker's key.
    ///
    /// Whose it is, is known when the certificates lead to one of the configured roots.
    case certified(rootKnown: Bool)
}
