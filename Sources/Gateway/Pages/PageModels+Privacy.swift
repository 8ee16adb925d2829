extension AccountPage {
    /// An event of the account.
    struct Event: Sendable, Hashable {
        /// The message `account.event.<it>`; its text after masking.
        let what: String
        /// The message `account.by_<it>`, and its text; nil for the user.
        let author: String?
        /// The affected kind of factor: the message `choice.<it>`.
        let choice: String?
        /// The affected provider, by name; the text of the choice after masking.
        let means: String?
        /// The device and its network address.
        let place: String?
        /// RFC 3339.
        let at: String
    }

    /// Personal data: viewing and deleting it.
    struct Privacy: Sendable, Hashable {
        /// Newest first.
        let events: [Event]
        /// RFC 3339; nil without a pending deletion.
        let deletionDue: String?
    }
}

/// `GET /account/delete`: the effects and date of a deletion, with a button.
struct DeletePage: Sendable, Hashable {
    let clientName: String
    /// The account by name or address.
    let who: String?
    /// The delay in days, during which it can be cancelled; nil for an immediate deletion.
    let days: String?
    let hidden: [HiddenField]
    let problem: PageProblem?
}
