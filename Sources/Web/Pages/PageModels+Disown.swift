import Accounts
import Pages

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

/// `POST /not-me`: what was removed with the sessions, and a button for everything else that came since.
struct DisownedPage: Sendable, Hashable {
    let clientName: String
    let removed: [DisownedMethod]
    let kept: [DisownedMethod]
    /// Whether a new password is due.
    let resets: Bool
    /// With the ticket of the follow-up.
    let hidden: [HiddenField]
    let problem: PageProblem?
}
