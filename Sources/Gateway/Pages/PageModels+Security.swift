extension AccountPage {
    /// What protects the account beside the ways in.
    struct Security: Sendable, Hashable {
        let factors: [Factor]
        let canAddPasskey: Bool
        /// Whether codes can be texted.
        let canAddPhone: Bool
        /// Nil where there is no second factor that they would stand in for.
        let recoveryCodesLeft: String?
        let minimumPasswordLength: Int
        let remembered: [RememberedDevice]
        /// When an operator's removal of the second factors is done, as RFC 3339; nil where none waits.
        var removalDue: String?
    }

    /// A second factor, or a passkey.
    struct Factor: Sendable, Hashable {
        let id: String
        /// A ``ChoiceKind``.
        let kind: String
        /// The name that its owner gave it, or where codes go.
        let detail: String?
        /// RFC 3339.
        let addedAt: String
        let isPreferred: Bool
    }

    /// A mailbox or number of the account's own.
    struct Address: Sendable, Hashable {
        enum Kind: String, Sendable {
            case email, phone
        }

        let kind: Kind
        let text: String
        let isProved: Bool
        /// The one that the account is shown by.
        let isMain: Bool
        /// Passes mail on; nobody signs in with it.
        let isRelay: Bool
        /// What was sent there last came back.
        let isUndeliverable: Bool
    }

    /// A device on which the second factor isn't asked.
    struct RememberedDevice: Sendable, Hashable {
        let id: String
        let name: String?
        /// RFC 3339.
        let expiresAt: String
    }
}
