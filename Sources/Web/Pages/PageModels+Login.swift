import Pages

/// `GET /login`: the field for a name, the most likely other sign-in method, and the rest.
struct LoginPage: Sendable, Hashable {
    let clientName: String
    /// Nil if no sign-in by name is allowed.
    let nameForm: NameForm?
    let ways: SignInWays
    let problem: PageProblem?
    /// The signed-in user, and the target of "continue"; nil without a session.
    let signedInAs: SignedInAs?

    struct NameForm: Sendable, Hashable {
        let hidden: [HiddenField]
        /// The kinds of sign-in names.
        let names: SignInNames
        let username: String
        /// If false, only the name is asked here, and the factor on the next page.
        let asksForPassword: Bool
        /// Nil without sign-up.
        let signUpAddress: String?
        /// Whether a password can be forgotten.
        let offersReset: Bool
    }

    struct SignedInAs: Sendable, Hashable {
        let name: String
        let continueAddress: String
        let hidden: [HiddenField]
    }
}

/// The button for a passkey that names its account itself.
struct PasskeyOffer: Sendable, Hashable {
    /// With the flow of the challenge.
    let hidden: [HiddenField]
    /// Options for the browser (WebAuthn Level 3 §5.1.10), as JSON.
    let options: String
    /// Whether the browser may suggest passkeys in the name field.
    let isSuggested: Bool
}

/// The password of a typed name.
struct PasswordPage: Sendable, Hashable {
    let clientName: String
    /// With the name.
    let hidden: [HiddenField]
    let username: String
    /// Whether a code can replace the password.
    let offersCode: Bool
    /// Nil without passkeys.
    let passkey: PasskeyOffer?
    let forgotAddress: String
    /// The target for entering another name.
    let backAddress: String
    let problem: PageProblem?
}
