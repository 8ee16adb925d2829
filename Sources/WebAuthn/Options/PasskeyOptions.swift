package import JSON

/// Options for a browser or system in their JSON form (WebAuthn Level 3 §5.1.9, §5.1.10).
package struct PasskeyOptions: Sendable, Equatable {
    package let json: JSON

    package init(_ json: JSON) { self.json = json }

    package init(_ object: JSONObject) { json = .object(object) }
}

extension RequestOptions {
    /// The options for signing in with a passkey of the relying party.
    package func options(for relyingParty: RelyingParty) -> PasskeyOptions {
        PasskeyOptions(json(for: relyingParty))
    }
}

extension CreationOptions {
    /// The options for a new passkey of the relying party.
    package func options(for relyingParty: RelyingParty) -> PasskeyOptions {
        PasskeyOptions(json(for: relyingParty))
    }
}
