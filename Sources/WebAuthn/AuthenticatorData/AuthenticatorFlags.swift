/// The flags of authenticator data (WebAuthn §6.1); reserved bits are ignored.
struct AuthenticatorFlags: OptionSet, Sendable {
    let rawValue: UInt8

    static let userPresent = AuthenticatorFlags(rawValue: 1 << 0)
    static let userVerified = AuthenticatorFlags(rawValue: 1 << 2)
    static let backupEligible = AuthenticatorFlags(rawValue: 1 << 3)
    static let backedUp = AuthenticatorFlags(rawValue: 1 << 4)
    static let attestedCredential = AuthenticatorFlags(rawValue: 1 << 6)
    static let extensions = AuthenticatorFlags(rawValue: 1 << 7)
}
