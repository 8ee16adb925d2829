/// What pages show, as values: everything here is plain text, escaped when it is rendered. Words of our own come from
/// the message catalogue; what stands here is a name, an address, a link, or the key of a message.

/// A field that a form sends back as it is.
struct HiddenField: Sendable, Hashable {
    let name: String
    let value: String
}

/// A way to a provider: a link.
struct ProviderButton: Sendable, Hashable {
    /// The provider's id; it chooses the icon and the brand's look, of which there is a plain one for unknown ids.
    let id: String
    let name: String
    /// Where the link leads.
    let address: String
}

/// Something that went wrong with what was typed, above the form that it belongs to.
///
/// `code` names the message `problem.<code>`; `arguments` fill its places.
struct PageProblem: Sendable, Hashable {
    let code: String
    let arguments: [String: String]
    /// The one field to mend, which is marked and gets the focus.
    let field: FormField?

    /// - Parameter field: nil for the one that the code is always about.
    init(_ code: String, _ arguments: [String: String] = [:], about field: FormField? = nil) {
        (self.code, self.arguments) = (code, arguments)
        self.field = field ?? ProblemCode(rawValue: code)?.field
    }
}

/// `GET /login`: a button for each provider, and the password form.
struct LoginPage: Sendable, Hashable {
    let clientName: String
    let providers: [ProviderButton]
    /// Nil where nothing that begins with a name is allowed.
    let nameForm: NameForm?
    /// Nil where passkeys can't be used.
    let passkey: Passkey?
    let problem: PageProblem?
    /// Set where somebody is signed in already: who, and where "continue" leads.
    let signedInAs: SignedInAs?

    struct NameForm: Sendable, Hashable {
        let hidden: [HiddenField]
        /// What people call themselves here.
        let names: SignInNames
        let username: String
        /// Else the name comes alone, and what proves it is asked on the next page.
        let asksForPassword: Bool
        /// Whether a code can take the password's place.
        let offersCode: Bool
        /// Nil where nobody can sign up.
        let signUpAddress: String?
        let forgotAddress: String
    }

    struct Passkey: Sendable, Hashable {
        /// With the flow of the challenge.
        let hidden: [HiddenField]
        /// Options for the browser (WebAuthn Level 3 §5.1.10), as JSON.
        let options: String
        /// Whether the browser may suggest passkeys among the names by itself.
        let isSuggested: Bool
    }

    struct SignedInAs: Sendable, Hashable {
        let name: String
        let continueAddress: String
        let hidden: [HiddenField]
    }
}

/// The code that was sent, typed in; a second form on the page sends it again.
struct ConfirmPage: Sendable, Hashable {
    let clientName: String
    /// For both forms: `/sign-up/confirm` and `/sign-up/resend`.
    let hidden: [HiddenField]
    /// `a•••@e•••.com`, `+49•••••12`.
    let destination: String
    /// Whether it is a number, and the code a text message.
    let isText: Bool
    let codeLength: Int
    /// Says that a code was sent again.
    let wasResent: Bool
    /// Where another address can be typed.
    let backAddress: String
    let problem: PageProblem?
}

/// `GET /forgot`: how to get in without the password.
struct ForgotPage: Sendable, Hashable {
    let clientName: String
    let providers: [ProviderButton]
    /// Asks whose password is to be another; nil where passwords are not allowed.
    let nameForm: NameForm?
    let loginAddress: String
    let problem: PageProblem?

    struct NameForm: Sendable, Hashable {
        let hidden: [HiddenField]
        let names: SignInNames
        let username: String
    }
}

/// An account with this address exists: sign in to it to join the two, or go on without joining.
struct LinkPage: Sendable, Hashable {
    let clientName: String
    /// The provider just used, by name.
    let providerName: String
    let maskedEmail: String
    /// For the forms that post the link flow along: the password's (to `/login`) and the decline's (to
    /// `/login/decline`).
    ///
    /// The providers' links carry it sealed.
    let hidden: [HiddenField]
    let providers: [ProviderButton]
    let allowsPassword: Bool
    /// Whether the account may be proved by a code that is sent to the typed name.
    let offersCode: Bool
    let names: SignInNames
    let username: String
    let problem: PageProblem?
}

/// `GET /account`: who am I, the ways in, the devices.
struct AccountPage: Sendable, Hashable {
    struct Identity: Sendable, Hashable {
        let id: String
        let provider: String
        let providerName: String
        /// The address that the provider tells, if any.
        let email: String?
        /// RFC 3339; shown as a date.
        let linkedAt: String
    }

    struct Device: Sendable, Hashable {
        let id: String
        /// "Chrome on Windows", or what the app called itself.
        let name: String
        let clientName: String
        let address: String?
        /// RFC 3339.
        let lastUsedAt: String
        let isCurrent: Bool
    }

    let name: String?
    let email: String?
    let accountID: String
    let hasPassword: Bool
    let identities: [Identity]
    /// Providers that may still be linked; links that this browser alone can follow.
    let linkable: [ProviderButton]
    let addresses: [Address]
    let security: Security
    let devices: [Device]
    /// What can be taken back.
    let merges: [Merge]
    let privacy: Privacy
    /// For every form of the page.
    let hidden: [HiddenField]
    /// What was just done (`linked`, `unlinked`, …): the message `account.done.<it>`.
    let done: String?
    let problem: PageProblem?
}

/// The answer to a cross-site form post: a form that posts itself, same-site, to `action`; by script, or by its button.
struct RepostPage: Sendable, Hashable {
    let action: String
    let hidden: [HiddenField]
}

/// Something to tell, and the way on: a refusal, a cancelled sign-in, signed out.
struct NoticePage: Sendable, Hashable {
    /// The messages `notice.<code>.title` and `notice.<code>.text`.
    let code: String
    let arguments: [String: String]
    /// For support; nil where nothing went wrong.
    let requestID: String?
    let actions: [Action]

    struct Action: Sendable, Hashable {
        /// The message `action.<key>`.
        let key: String
        let address: String
        let isMain: Bool
    }
}
