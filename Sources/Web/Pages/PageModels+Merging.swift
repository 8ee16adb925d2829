import Pages

/// `GET /account/merge`: the preview of merging another account into this one, with a button.
struct OwnMergePage: Sendable, Hashable {
    struct Identity: Sendable, Hashable {
        let provider: String
        let name: String
        let email: String?
    }

    let clientName: String
    /// The kept account, by name or address.
    let who: String?
    let identities: [Identity]
    let emails: [String]
    let phones: [String]
    /// The number of passkeys and second factors; nil for none.
    let protections: String?
    let movesPassword: Bool
    /// Whether both have a password; the other account's is dropped.
    let losesPassword: Bool
    /// The number of devices that are signed out; nil for none.
    let endsSessions: String?
    /// With the ticket, and the digest of the preview.
    let hidden: [HiddenField]
    let problem: PageProblem?
}
