extension AccountPage {
    /// Something that happened to the account.
    struct Event: Sendable, Hashable {
        /// The message `account.event.<it>`; those words themselves once the page is masked.
        let what: String
        /// The message `account.by_<it>`, and those words; nil where it was the person.
        let author: String?
        /// The kind of factor that it is about: the message `choice.<it>`.
        let choice: String?
        /// The provider that it is about, by name; those words of the choice once the page is masked.
        let means: String?
        /// The device and its network address.
        let place: String?
        /// RFC 3339.
        let at: String
    }

    /// What the person has a right to know, and to end.
    struct Privacy: Sendable, Hashable {
        /// Newest first.
        let events: [Event]
        /// RFC 3339; nil where no deletion waits.
        let deletionDue: String?
    }
}

/// `GET /account/delete`: what a deletion does and when, and the button for it.
struct DeletePage: Sendable, Hashable {
    let clientName: String
    /// The account by name or address.
    let who: String?
    /// Days until it is done, in which it can be taken back; nil where it is done at once.
    let days: String?
    let hidden: [HiddenField]
    let problem: PageProblem?
}
