extension AccountPage {
    /// Two accounts that were joined, which can be taken back.
    struct Merge: Sendable, Hashable {
        let id: String
        /// RFC 3339; shown as a date.
        let madeAt: String
        /// RFC 3339; shown as a date.
        let until: String
    }
}

/// `GET /account/merge`: what comes along when another account goes into this one, and the button for it.
struct OwnMergePage: Sendable, Hashable {
    struct Identity: Sendable, Hashable {
        let provider: String
        let name: String
        let email: String?
    }

    let clientName: String
    /// The account that stays, by name or address.
    let who: String?
    let identities: [Identity]
    let emails: [String]
    let phones: [String]
    /// How many passkeys and second factors; nil for none.
    let protections: String?
    let movesPassword: Bool
    /// Whether both have a password, of which the other account's goes.
    let losesPassword: Bool
    /// Devices that are signed out; nil for none.
    let endsSessions: String?
    /// With the ticket, and the digest of what is shown.
    let hidden: [HiddenField]
    let problem: PageProblem?
}
