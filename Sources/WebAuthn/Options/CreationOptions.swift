package import JSON

/// The options for creating a credential.
package struct CreationOptions: Sendable {
    /// Whether the authenticator must find the credential without its id.
    package enum ResidentKey: String, Sendable, CaseIterable {
        case preferred, required
    }

    package var user: UserEntity
    package var challenge: Challenge
    package var residentKey: ResidentKey
    /// The account's credentials: an authenticator with one of them refuses to create another.
    package var excludedCredentials: [CredentialDescriptor]
    /// `nil` for the relying party's default.
    package var userVerification: UserVerification?
    package var hints: [ClientHint]
    package var timeout: Duration

    package init(
        user: UserEntity, challenge: Challenge, residentKey: ResidentKey = .required,
        excludedCredentials: [CredentialDescriptor] = [], userVerification: UserVerification? = nil,
        hints: [ClientHint] = [], timeout: Duration = .seconds(300)
    ) {
        self.user = user
        self.challenge = challenge
        self.residentKey = residentKey
        self.excludedCredentials = excludedCredentials
        self.userVerification = userVerification
        self.hints = hints
        self.timeout = timeout
    }

    /// The options as a `PublicKeyCredentialCreationOptionsJSON` (WebAuthn level 3 §5.1.9).
    package func json(for relyingParty: RelyingParty) -> JSON {
        var members: JSONObject = [
            "rp": ["id": .string(relyingParty.id), "name": .string(relyingParty.name)],
            "user": user.json,
            "challenge": .string(challenge.encoded),
            "pubKeyCredParams": .array(COSEAlgorithm.preferred.map(\.json)),
            "timeout": .integer(timeout.milliseconds),
            "excludeCredentials": .array(excludedCredentials.map(\.json)),
            "authenticatorSelection": [
                "residentKey": .string(residentKey.rawValue),
                // Level 1 clients know only this member.
                "requireResidentKey": .bool(residentKey == .required),
                "userVerification": .string((userVerification ?? relyingParty.userVerification).rawValue),
            ],
            "attestation": .string(relyingParty.attestation.preference),
        ]
        if !hints.isEmpty { members["hints"] = .array(hints.map { .string($0.rawValue) }) }
        if case .direct = relyingParty.attestation { members["attestationFormats"] = ["packed"] }
        return .object(members)
    }
}

extension COSEAlgorithm {
    /// All of them, in order of preference.
    static let preferred: [COSEAlgorithm] = [.es256, .edDSA, .rs256]

    fileprivate var json: JSON { ["type": "public-key", "alg": .integer(rawValue)] }
}

extension RelyingParty.Attestation {
    fileprivate var preference: String {
        switch self {
        case .none: "none"
        case .direct: "direct"
        }
    }
}
