public import GatewayClient

/// The system's dialogues, whose user agrees at once.
public struct FakeDialogues: AppleAuthorizer, PasskeyAuthenticator {
    /// Dialogues that agree.
    public init() {}

    /// A token that only a ``FakeGateway`` takes.
    public func appleCredential(nonce: Nonce) async throws -> Credential {
        .apple(idToken: "identity-token-1", nonce: nonce)
    }

    /// A passkey's answer that only a ``FakeGateway`` takes.
    public func assertion(for options: JSONValue) async throws -> JSONValue { ["id": "passkey-1"] }

    /// A new passkey that only a ``FakeGateway`` takes.
    public func registration(for options: JSONValue) async throws -> JSONValue { ["id": "passkey-1"] }
}
