import JSON

/// Passkeys of an authenticator that the driver plays (WebAuthn Level 3 §11).
extension Browser {
    /// An authenticator within the device that keeps passkeys and knows its owner.
    func addAuthenticator() async throws -> JSON {
        try await session.post(
            "webauthn/authenticator",
            [
                "protocol": "ctap2", "transport": "internal", "hasResidentKey": true, "hasUserVerification": true,
                "isUserVerified": true, "isUserConsenting": true,
            ])
    }

    /// Whether its owner touches it when it asks.
    func setPresence(_ isPresent: Bool, at authenticator: JSON) async throws {
        try await session.tools(
            "WebAuthn.setAutomaticPresenceSimulation",
            ["authenticatorId": authenticator, "enabled": .bool(isPresent)])
    }
}
