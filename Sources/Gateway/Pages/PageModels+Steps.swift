/// What a sign-in, or a change of one's own account, asks next.
struct StepPage: Sendable, Hashable {
    /// The messages `step.<kind>.heading` and `step.<kind>.lead`, and which fields there are.
    enum Kind: String, Sendable, CaseIterable {
        case chooseFirstFactor = "choose_first_factor"
        case chooseSecondFactor = "choose_second_factor"
        case chooseSetUp = "choose_set_up"
        case mailedCode = "mailed_code"
        case textedCode = "texted_code"
        case authenticatorCode = "authenticator_code"
        case recoveryCode = "recovery_code"
        case password
        case newPassword = "new_password"
        case resetPassword = "reset_password"
        case authenticatorSetUp = "authenticator_set_up"
        case mailSetUp = "mail_set_up"
        case textSetUp = "text_set_up"
        /// An address or a number that is to be the account's.
        case newAddress = "new_address"
        case newNumber = "new_number"
        case passkey
        case passkeySetUp = "passkey_set_up"
        /// A question of a provider's own, or of a service of the operator's.
        case challenge
        /// What a provider wants to know before it makes an account.
        case attributes
        /// It goes on at the provider's own pages.
        case elsewhere
        /// A provider isn't done yet.
        case waiting
    }

    /// Whose handlers the forms lead to.
    enum Door: String, Sendable {
        case signIn = "/login/step"
        case newFactor = "/account/factors"
        case account = "/account/factors/confirm"
        case newAddress = "/account/addresses"
        case address = "/account/addresses/confirm"

        /// Where another code is asked for.
        var resendAddress: String { self == .signIn ? "/login/resend" : "/account/resend" }
    }

    /// Something that can be done instead.
    struct Choice: Sendable, Hashable {
        let id: String
        /// A ``ChoiceKind``, if it is one.
        let kind: String
        /// A masked destination, or the name that the person gave.
        let hint: String?
    }

    /// What goes into an authenticator app.
    struct Authenticator: Sendable, Hashable {
        /// In groups of four, to type.
        let secret: String
        /// `otpauth:`, for an app on the same device.
        let address: String
        /// Of the QR code.
        let side: Int
        let path: String
    }

    /// Something that a provider wants to know, in its own word for it.
    struct Attribute: Sendable, Hashable {
        let name: String
        let value: String

        /// What its field is called: no name of a provider's meets one of ours.
        static let prefix = "attribute."
    }

    let clientName: String
    let kind: Kind
    let door: Door
    /// For every form of the page.
    let hidden: [HiddenField]
    /// Where a code went, masked; nil where it is not known.
    let destination: String?
    let codeLength: Int
    let minimumLength: Int
    let choices: [Choice]
    let authenticator: Authenticator?
    /// Options for the browser (WebAuthn Level 3 §5.1.9, §5.1.10), as JSON.
    let passkeyOptions: String
    /// What a provider asks, in its own words.
    let question: String
    /// The name that the sign-in began with, for password managers; empty where there was none.
    let username: String
    let attributes: [Attribute]
    /// Where a link leads on: to the provider, or round to this page.
    let onwardAddress: String?
    /// In how many seconds the page goes there by itself.
    let refreshAfter: Int?
    /// What was typed and can stay.
    let code: String
    let email: String
    let phone: String
    let wasResent: Bool
    let offersRemembering: Bool
    /// Whether the box for it was ticked, on a form that comes again.
    let isRemembering: Bool
    /// Where to begin anew.
    let backAddress: String
    let problem: PageProblem?
}

/// The codes for the day when no second factor is at hand: shown this once.
struct RecoveryCodesPage: Sendable, Hashable {
    let clientName: String
    let codes: [String]
    /// For every form of the page, the codes among it.
    let hidden: [HiddenField]
    /// Where a link leads on; nil where the sign-in goes on by a form.
    let onwardAddress: String?
    let problem: PageProblem?
}
