import Pages

/// View models of the hosted pages.

/// A link to a provider.
struct ProviderButton: Sendable, Hashable {
    /// The provider's id; it selects the icon and the brand's style, with a plain one for unknown ids.
    let id: String
    let name: String
    /// The target of the link.
    let address: String
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
