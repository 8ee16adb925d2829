/// Whether the authenticator should verify the user, by PIN or biometrics (WebAuthn §5.8.6).
package enum UserVerification: String, Sendable, CaseIterable {
    case required, preferred, discouraged
}
