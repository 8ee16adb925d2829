extension AccountPage {
    /// Second factors and passkeys of the account.
    struct Security: Sendable, Hashable {
        let factors: [Factor]
        let canAddPasskey: Bool
        /// Whether text messages are available.
        let canAddPhone: Bool
        /// Nil without a second factor that they could replace.
        let recoveryCodesLeft: String?
        let minimumPasswordLength: Int
        let remembered: [RememberedDevice]
        /// When an operator's removal of the second factors happens, as RFC 3339; nil without one.
        var removalDue: String?
    }

    /// A second factor, or a passkey.
    struct Factor: Sendable, Hashable {
        let id: String
        /// A ``ChoiceKind``.
        let kind: String
        /// The name that the user gave it, or the destination of codes.
        let detail: String?
        /// RFC 3339.
        let addedAt: String
        let isPreferred: Bool
    }

    /// A mailbox or number of the account.
    struct Address: Sendable, Hashable {
        enum Kind: String, Sendable {
            case email, phone
        }

        let kind: Kind
        let text: String
        let isProved: Bool
        /// The main one.
        let isMain: Bool
        /// Forwards mail; not usable for sign-in.
        let isRelay: Bool
        /// Its newest message bounced.
        let isUndeliverable: Bool
    }

    /// A remembered device.
    struct RememberedDevice: Sendable, Hashable {
        let id: String
        let name: String?
        /// RFC 3339.
        let expiresAt: String
    }
}

/// `GET /not-me`: the reported sign-in, and a button that ends every session.
struct DisownPage: Sendable, Hashable {
    let clientName: String
    /// RFC 3339.
    let at: String
    /// Nil for an unknown device.
    let device: String?
    let address: String?
    /// Whether the next page asks for a new password.
    let hasPassword: Bool
    let hidden: [HiddenField]
}
