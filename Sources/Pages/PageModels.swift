/// View models of the pages: plain text, escaped when rendered. Our own texts come from the message catalogue; the
/// models contain names, addresses, links and message keys.

/// A hidden field that a form returns unchanged.
struct HiddenField: Sendable, Hashable {
    let name: String
    let value: String
}

/// A link to a provider.
struct ProviderButton: Sendable, Hashable {
    /// The provider's id; it selects the icon and the brand's style, with a plain one for unknown ids.
    let id: String
    let name: String
    /// The target of the link.
    let address: String
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

/// The form for the sent code; a second form resends it.
struct ConfirmPage: Sendable, Hashable {
    let clientName: String
    /// For both forms: `/sign-up/confirm` and `/sign-up/resend`.
    let hidden: [HiddenField]
    /// `a•••@e•••.com`, `+49•••••12`.
    let destination: String
    /// Whether it is a number, and the code a text message.
    let isText: Bool
    let codeLength: Int
    /// Whether to say that a code was sent again.
    let wasResent: Bool
    /// The target for entering another address.
    let backAddress: String
    let problem: PageProblem?
}

/// `GET /forgot`: alternatives to the password.
struct ForgotPage: Sendable, Hashable {
    let clientName: String
    let ways: SignInWays
    /// The form for the sign-in name; nil if passwords are not allowed.
    let nameForm: NameForm?
    let loginAddress: String
    let problem: PageProblem?

    struct NameForm: Sendable, Hashable {
        let hidden: [HiddenField]
        let names: SignInNames
        let username: String
    }
}

/// An account with this address exists: sign in to it to link the identity, or continue without linking.
struct LinkPage: Sendable, Hashable {
    let clientName: String
    /// The provider of the identity, by name.
    let providerName: String
    let maskedEmail: String
    /// For the forms with the link flow: the password's (to `/login`) and the decline's (to `/login/decline`).
    ///
    /// The providers' links contain it sealed.
    let hidden: [HiddenField]
    let providers: [ProviderButton]
    let allowsPassword: Bool
    /// Whether a code sent to the entered name may prove the account.
    let offersCode: Bool
    let names: SignInNames
    let username: String
    let problem: PageProblem?
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
