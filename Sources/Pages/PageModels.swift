/// View models of the pages: plain text, escaped when rendered. Our own texts come from the message catalogue; the
/// models contain names, addresses, links and message keys.

/// A hidden field that a form returns unchanged.
struct HiddenField: Sendable, Hashable {
    let name: String
    let value: String
}

/// An input error, above its form.
///
/// `code` names the message `problem.<code>`; `arguments` fill its places.
struct PageProblem: Sendable, Hashable {
    let code: String
    let arguments: [String: String]
    /// The invalid field, which is marked and focused.
    let field: FormField?

    /// - Parameter field: nil for the default field of the code.
    init(_ code: String, _ arguments: [String: String] = [:], about field: FormField? = nil) {
        (self.code, self.arguments) = (code, arguments)
        self.field = field ?? ProblemCode(rawValue: code)?.field
    }
}

/// `GET /logout` by an app of another pool: a button that ends the session.
struct SignOutPage: Sendable, Hashable {
    /// The app of the session.
    let clientName: String
    let hidden: [HiddenField]
}

/// The answer to a cross-site form post: a form that reposts itself, same-site, to `action`; by script, or by its
/// button.
struct RepostPage: Sendable, Hashable {
    let action: String
    let hidden: [HiddenField]
}

/// A notice with a way forward: a refusal, a cancelled sign-in, a sign-out.
struct NoticePage: Sendable, Hashable {
    /// The messages `notice.<code>.title` and `notice.<code>.text`.
    let code: String
    let arguments: [String: String]
    /// For support; nil without an error.
    let requestID: String?
    let actions: [Action]

    struct Action: Sendable, Hashable {
        /// The message `action.<key>`.
        let key: String
        let address: String
        let isMain: Bool
    }
}
