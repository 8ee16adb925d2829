package import JSON

/// The options for using a credential.
package struct RequestOptions: Sendable {
    package var challenge: Challenge
    /// The credentials of a known account; an empty list lets the user choose among all on the device.
    package var allowedCredentials: [CredentialDescriptor]
    /// `nil` for the relying party's default.
    package var userVerification: UserVerification?
    package var hints: [ClientHint]
    package var timeout: Duration

    package init(
        challenge: Challenge, allowedCredentials: [CredentialDescriptor] = [],
        userVerification: UserVerification? = nil, hints: [ClientHint] = [], timeout: Duration = .seconds(300)
    ) {
        self.challenge = challenge
        self.allowedCredentials = allowedCredentials
        self.userVerification = userVerification
        self.hints = hints
        self.timeout = timeout
    }

    /// The options as a `PublicKeyCredentialRequestOptionsJSON` (WebAuthn level 3 §5.1.10).
    package func json(for relyingParty: RelyingParty) -> JSON {
        var members: JSONObject = [
            "challenge": .string(challenge.encoded),
            "timeout": .integer(timeout.milliseconds),
            "rpId": .string(relyingParty.id),
            "allowCredentials": .array(allowedCredentials.map(\.json)),
            "userVerification": .string((userVerification ?? relyingParty.userVerification).rawValue),
        ]
        if !hints.isEmpty { members["hints"] = .array(hints.map { .string($0.rawValue) }) }
        return .object(members)
    }
}

extension Duration {
    /// Whole milliseconds, the unit of clients.
    var milliseconds: Int { Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000) }
}
