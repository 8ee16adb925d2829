/// Finds out at the provider whether the user withdrew the consent for this app.
///
/// The gateway ends the session then, with the same refusal as for any other end.
public protocol ConsentCheck: Sendable {
    /// Whether the consent for this identity is withdrawn; false if it can't be found out.
    func isWithdrawn(_ identity: SignedInIdentity) async -> Bool
}

/// Asks no one; every end is ``SessionEnd/Reason-swift.enum/endedElsewhere``.
public struct NoConsentCheck: ConsentCheck {
    /// A check that knows nothing.
    public init() {}

    /// Always false.
    public func isWithdrawn(_ identity: SignedInIdentity) async -> Bool { false }
}

/// Apple's own state of the consent where the system has it.
public func defaultConsentCheck() -> any ConsentCheck {
    #if canImport(AuthenticationServices) && canImport(CryptoKit)
        AppleConsentCheck()
    #else
        NoConsentCheck()
    #endif
}
