import Foundation

/// Creates and uses passkeys: the system's dialogue, or a test.
public protocol PasskeyAuthenticator: Sendable {
    /// Signs the challenge with a passkey of the user; takes and returns WebAuthn JSON.
    func assertion(for options: JSONValue) async throws -> JSONValue
    /// Creates a passkey; takes and returns WebAuthn JSON.
    func registration(for options: JSONValue) async throws -> JSONValue
}

extension GatewayClient {
    /// Signs in with a passkey; the passkey names the user.
    public func signIn(with passkeys: some PasskeyAuthenticator) async throws -> SignInResult {
        let result = try await signIn(.passkey)
        guard case .next(let step) = result else { return result }
        return try await step.answer(with: passkeys)
    }
}

extension Step {
    /// Answers a passkey step, or creates the passkey that it asks for.
    public func answer(with passkeys: some PasskeyAuthenticator, name: String? = nil) async throws -> SignInResult {
        switch self {
        case .passkey(let question):
            return try await answer(.passkey(try await passkeys.assertion(for: question.options)))
        case .setUpPasskey(let setUp):
            return try await answer(.passkey(try await passkeys.registration(for: setUp.options), name: name))
        default: throw GatewayError.unanswerable("The step does not ask for a passkey.")
        }
    }
}

/// The members of WebAuthn options that an authenticator needs.
struct PasskeyOptions {
    let challenge: Data
    let domain: String
    /// The passkeys that may answer; empty for any.
    let allowed: [Data]
    /// The passkeys that the user has already.
    let excluded: [Data]
    let userVerification: String?
    let user: (id: Data, name: String)?

    init(_ options: JSONValue) throws {
        guard let challenge = options["challenge"]?.string.flatMap(Base64URL.decode),
            let domain = options["rpId"]?.string ?? options["rp"]?["id"]?.string
        else { throw GatewayError.unanswerable("The server sent passkey options that this app does not understand.") }
        (self.challenge, self.domain) = (challenge, domain)
        allowed = Self.ids(options["allowCredentials"])
        excluded = Self.ids(options["excludeCredentials"])
        userVerification =
            options["userVerification"]?.string ?? options["authenticatorSelection"]?["userVerification"]?.string
        user = options["user"].flatMap { user in
            guard let id = user["id"]?.string.flatMap(Base64URL.decode), let name = user["name"]?.string else {
                return nil
            }
            return (id, name)
        }
    }

    private static func ids(_ list: JSONValue?) -> [Data] {
        (list?.array ?? []).compactMap { $0["id"]?.string.flatMap(Base64URL.decode) }
    }
}

/// The answers of an authenticator as WebAuthn JSON (`PublicKeyCredential.toJSON()`).
enum PasskeyJSON {
    static func assertion(
        id: Data, clientData: Data, authenticatorData: Data, signature: Data, userHandle: Data?
    ) -> JSONValue {
        var response: [String: JSONValue] = [
            "clientDataJSON": .string(Base64URL.encode(clientData)),
            "authenticatorData": .string(Base64URL.encode(authenticatorData)),
            "signature": .string(Base64URL.encode(signature)),
        ]
        if let userHandle { response["userHandle"] = .string(Base64URL.encode(userHandle)) }
        return credential(id, response)
    }

    static func registration(id: Data, clientData: Data, attestation: Data) -> JSONValue {
        credential(
            id,
            [
                "clientDataJSON": .string(Base64URL.encode(clientData)),
                "attestationObject": .string(Base64URL.encode(attestation)),
                "transports": ["internal", "hybrid"],
            ])
    }

    private static func credential(_ id: Data, _ response: [String: JSONValue]) -> JSONValue {
        let name = JSONValue.string(Base64URL.encode(id))
        return [
            "id": name, "rawId": name, "type": "public-key", "response": .object(response),
            "clientExtensionResults": [:], "authenticatorAttachment": "platform",
        ]
    }
}
