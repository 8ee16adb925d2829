import Pages

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
