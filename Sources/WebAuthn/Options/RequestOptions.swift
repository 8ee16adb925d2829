package import JSON

/// What a client needs to use a credential.
package struct RequestOptions: Sendable {
    package var challenge: Challenge
    /// The credentials of an account that is known already; none lets the person choose among all that they have here.
    package var allowedCredentials: [CredentialDescriptor]
    /// `nil` for what the relying party asks for in general.
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
    /// Whole milliseconds, as clients count their time.
    var milliseconds: Int { Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000) }
}
