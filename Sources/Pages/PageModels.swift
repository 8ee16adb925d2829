/// View models of the pages: plain text, escaped when rendered. Our own texts come from the message catalogue; the
/// models contain names, addresses, links and message keys.

/// A hidden field that a form returns unchanged.
package struct HiddenField: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
        (self.name, self.value) = (name, value)
    }
}

/// An input error, above its form.
///
/// `code` names the message `problem.<code>`; `arguments` fill its places.
package struct PageProblem: Sendable, Hashable {
    package let code: String
    package let arguments: [String: String]
    /// The invalid field, which is marked and focused.
    package let field: FormField?

    /// - Parameter field: nil for the default field of the code.
    package init(_ code: String, _ arguments: [String: String] = [:], about field: FormField? = nil) {
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
package struct RepostPage: Sendable, Hashable {
    let action: String
    let hidden: [HiddenField]

    package init(action: String, hidden: [HiddenField]) {
        (self.action, self.hidden) = (action, hidden)
    }
}

/// A notice with a way forward: a refusal, a cancelled sign-in, a sign-out.
package struct NoticePage: Sendable, Hashable {
    /// The messages `notice.<code>.title` and `notice.<code>.text`.
    let code: String
    let arguments: [String: String]
    /// For support; nil without an error.
    let requestID: String?
    let actions: [Action]
    /// What the app's developer needs, in English; mostly nil in production.
    let detail: String?

    package struct Action: Sendable, Hashable {
        /// The message `action.<key>`.
        let key: String
        let address: String
        let isMain: Bool

        package init(key: String, address: String, isMain: Bool) {
            (self.key, self.address, self.isMain) = (key, address, isMain)
        }
    }

    package init(
        code: String, arguments: [String: String], requestID: String?, actions: [Action], detail: String? = nil
    ) {
        (self.code, self.arguments, self.requestID, self.actions) = (code, arguments, requestID, actions)
        self.detail = detail
    }
}
