/// One screen of a sign-in: everything that a user interface has to draw.
///
/// It has no types of SwiftUI, so that Linux tests it and other toolkits can draw it.
public struct SignInScreen: Sendable {
    /// The heading.
    public var title: SignInWord
    /// A sentence below the heading.
    public var explanation: SignInWord?
    /// An address, number or question that belongs to the sentence.
    public var detail: String?
    /// The fields, from top to bottom.
    public var fields: [Field] = []
    /// A secret to copy into an authenticator app.
    public var authenticator: Authenticator?
    /// Codes to save.
    public var recoveryCodes: [String] = []
    /// Whether the user can skip the second factor on this device from now on.
    public var offersToRemember = false
    /// Whether the app waits for the server.
    public var isWaiting = false
    /// The main button.
    public var main: Button?
    /// Further buttons, from top to bottom.
    public var others: [Button] = []

    /// The secret of an authenticator app.
    public struct Authenticator: Sendable, Equatable {
        /// The secret, to type.
        public let secret: String
        /// The address to show as a QR code, or to open on this device.
        public let uri: String
    }

    /// An entry of the user.
    public struct Field: Sendable, Hashable, Identifiable {
        /// The name in the API, such as `new_password`.
        public let id: String
        /// The label.
        public let label: SignInWord?
        /// The label of an attribute, which only the provider knows.
        public let name: String?
        /// The kind of text.
        public let kind: Kind

        /// The kind of text: it decides keyboard and autofill.
        public enum Kind: Sendable {
            case username, password, newPassword, code, email, phone, name, text
        }

        init(_ id: String, _ label: SignInWord, _ kind: Kind) {
            (self.id, self.label, self.kind) = (id, label, kind)
            name = nil
        }

        /// A field for an attribute of a provider.
        init(attribute: String) { (id, label, name, kind) = (Self.prefix + attribute, nil, attribute, .text) }

        static let prefix = "attributes/"
    }

    /// A button.
    public struct Button: Sendable, Identifiable {
        /// The effect of the button.
        public let action: Action
        /// The title.
        public let title: SignInWord
        /// A name or masked destination that belongs to the title.
        public let detail: String?

        init(_ action: Action, _ title: SignInWord, detail: String? = nil) {
            (self.action, self.title, self.detail) = (action, title, detail)
        }

        /// Different for each button of a screen.
        public var id: String { "\(action)" }
    }

    /// The effect of a button.
    public enum Action: Sendable, Equatable {
        /// Sends the entries.
        case submit
        /// Switches to another factor.
        case factor(FactorOption)
        /// Begins with a provider, in the browser.
        case provider(String)
        /// Begins with Sign in with Apple.
        case apple
        /// Begins with a passkey, or answers with one.
        case passkey
        /// Asks for a recovery code.
        case recoveryCode
        /// Sends another code.
        case resend
        /// Shows the form of a new account.
        case signUp
        /// Shows the form of a forgotten password.
        case forgotPassword
        /// Goes on in the browser.
        case browser
        /// Declines a link.
        case separateAccount
        /// Back to the beginning.
        case startAgain
    }

    init(_ title: SignInWord, _ explanation: SignInWord? = nil, detail: String? = nil) {
        (self.title, self.explanation, self.detail) = (title, explanation, detail)
    }
}

/// The ways to begin that an app offers.
public struct SignInOptions: Sendable {
    /// A provider that is reached through the browser.
    public struct Provider: Sendable, Hashable {
        /// The provider's id at the gateway.
        public let id: String
        /// The name to show.
        public let name: String

        /// A provider with a name to show.
        public init(id: String, name: String) { (self.id, self.name) = (id, name) }
    }

    /// Name and password; a name alone leads to a choice.
    public var offersPassword: Bool
    /// New accounts.
    public var offersSignUp: Bool
    /// Sign in with Apple.
    public var offersApple: Bool
    /// Passkeys.
    public var offersPasskeys: Bool
    /// Providers through the browser, in this order.
    public var providers: [Provider]

    /// These ways to begin.
    public init(
        offersPassword: Bool = true, offersSignUp: Bool = true, offersApple: Bool = true, offersPasskeys: Bool = true,
        providers: [Provider] = []
    ) {
        (self.offersPassword, self.offersSignUp) = (offersPassword, offersSignUp)
        (self.offersApple, self.offersPasskeys, self.providers) = (offersApple, offersPasskeys, providers)
    }
}
