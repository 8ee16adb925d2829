/// Whether the authenticator shall make sure who is there, by a code or a finger (WebAuthn §5.8.6).
package enum UserVerification: String, Sendable, CaseIterable {
    case required, preferred, discouraged
}
