import Pages

/// The next step of a sign-in, or of a change of the account.
struct StepPage: Sendable, Hashable {
    /// The messages `step.<kind>.heading` and `step.<kind>.lead`, and the fields.
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
        /// A code and a new password at once, as a provider takes them.
        case resetPassword = "reset_password"
        /// The code of a reset alone: the new password comes after it.
        case resetCode = "reset_code"
        case authenticatorSetUp = "authenticator_set_up"
        case mailSetUp = "mail_set_up"
        case textSetUp = "text_set_up"
        /// A new address or number of the account.
        case newAddress = "new_address"
        case newNumber = "new_number"
        case passkey
        case passkeySetUp = "passkey_set_up"
        /// A custom question of a provider or of the operator's service.
        case challenge
        /// Attributes that a provider needs to create an account.
        case attributes
        /// Continues on the provider's own pages.
        case elsewhere
        /// Waits for a provider.
        case waiting
    }

    /// The handlers of the forms.
    enum Door: String, Sendable {
        case signIn = "/login/step"
        case newFactor = "/account/factors"
        case account = "/account/factors/confirm"
        case newAddress = "/account/addresses"
        case address = "/account/addresses/confirm"

        /// The form's target for another code.
        var resendAddress: String { self == .signIn ? "/login/resend" : "/account/resend" }
    }

    /// An alternative factor.
    struct Choice: Sendable, Hashable {
        let id: String
        /// A ``ChoiceKind``, if it is one.
        let kind: String
        /// A masked destination, or the user's name for it.
        let hint: String?
    }

    /// The secret of an authenticator app.
    struct Authenticator: Sendable, Hashable {
        /// In groups of four, for typing.
        let secret: String
        /// `otpauth:`, for an app on the same device.
        let address: String
        /// The size of the QR code.
        let side: Int
        let path: String
    }

    /// An attribute of a provider, by its own name.
    struct Attribute: Sendable, Hashable {
        let name: String
        let label: AttributeLabel
        let value: String

        /// The field's name, which can't collide with one of ours.
        static let prefix = "attribute."
    }

    let clientName: String
    let kind: Kind
    let door: Door
    /// For every form of the page.
    let hidden: [HiddenField]
    /// The destination of a code, masked unless this browser typed it; nil if unknown.
    let destination: String?
    let codeLength: Int
    let minimumLength: Int
    let choices: [Choice]
    let authenticator: Authenticator?
    /// Options for the browser (WebAuthn Level 3 §5.1.9, §5.1.10), as JSON.
    let passkeyOptions: String
    /// A provider's question, as given.
    let question: String
    /// The name at the start of the sign-in, for password managers; empty without one.
    let username: String
    let attributes: [Attribute]
    /// The target of the link: the provider, or this page.
    let onwardAddress: String?
    /// The seconds until the page follows it automatically.
    let refreshAfter: Int?
    /// The entries that may stay.
    let code: String
    let email: String
    let phone: String
    /// Whether ``destination`` is not masked, because this browser typed it.
    let isTyped: Bool
    let wasResent: Bool
    let offersRemembering: Bool
    /// Whether its box was ticked, on a repeated form.
    let isRemembering: Bool
    /// Whether the page says what a user without any second factor can do.
    let helps: Bool
    /// The target of "Start again".
    let backAddress: String
    let problem: PageProblem?
}

/// The recovery codes, shown once.
struct RecoveryCodesPage: Sendable, Hashable {
    let clientName: String
    let codes: [String]
    /// For every form of the page, including the codes.
    let hidden: [HiddenField]
    /// The target of the link; nil if the sign-in continues by a form.
    let onwardAddress: String?
    let problem: PageProblem?
}
