/// A text of the sign-in screens; an app can replace each by a translation.
public enum SignInWord: String, Sendable, CaseIterable {
    case signIn, signUp, createAccount, forgotPassword, resetPassword
    case username, password, newPassword, displayName, code, email, phone, recoveryCode, answer
    case `continue`, send, resend, startAgain, openBrowser, usePasskey, createPasskey
    case continueWithApple, continueWithProvider, remember
    case chooseFactor, chooseSecondFactor, chooseSetUp
    case enterPassword, enterCode, codeWasSent, enterAppCode, confirmWithPasskey, enterRecoveryCode, answerQuestion
    case setUpApp, setUpAppHow, openApp, setUpEmail, setUpPhone, setUpPasskey
    case moreAboutYou, temporaryPassword, oneMoment, continueInBrowser, browserHow, confirmAddress
    case linkAccount, linkHow, separateAccount, updateApp, saveCodes, saveCodesHow
    case withPassword, withEmailCode, withTextMessage, withApp, withPasskey, withRecoveryCode, withOther

    /// The text in English.
    public var english: String {
        switch self {
        case .signIn: "Sign in"
        case .signUp: "Sign up"
        case .createAccount: "Create an account"
        case .forgotPassword: "Forgot password?"
        case .resetPassword: "Reset your password"
        case .username: "Email, phone or user name"
        case .password: "Password"
        case .newPassword: "New password"
        case .displayName: "Your name"
        case .code: "Code"
        case .email: "Email"
        case .phone: "Phone number"
        case .recoveryCode: "Recovery code"
        case .answer: "Your answer"
        case .continue: "Continue"
        case .send: "Send code"
        case .resend: "Send another code"
        case .startAgain: "Start again"
        case .openBrowser: "Open browser"
        case .usePasskey: "Use a passkey"
        case .createPasskey: "Create a passkey"
        case .continueWithApple: "Continue with Apple"
        case .continueWithProvider: "Continue with"
        case .remember: "Don't ask again on this device"
        default: sentence
        }
    }

    private var sentence: String {
        switch self {
        case .chooseFactor: "Choose how to sign in"
        case .chooseSecondFactor: "Choose your second step"
        case .chooseSetUp: "Add a second step"
        case .enterPassword: "Enter your password"
        case .enterCode: "Enter the code"
        case .codeWasSent: "We sent a code to"
        case .enterAppCode: "Enter the code of your authenticator app"
        case .confirmWithPasskey: "Confirm with your passkey"
        case .enterRecoveryCode: "Enter a recovery code"
        case .answerQuestion: "Answer the question"
        case .setUpApp: "Add an authenticator app"
        case .setUpAppHow: "Scan the QR code or enter the key in your app. Then enter its code."
        case .openApp: "Open your authenticator app"
        case .setUpEmail: "Add an email address for codes"
        case .setUpPhone: "Add a phone number for codes"
        case .setUpPasskey: "Add a passkey"
        case .moreAboutYou: "A few more details"
        case .temporaryPassword: "Choose a new password"
        case .oneMoment: "One moment, please"
        case .continueInBrowser: "Continue in the browser"
        case .browserHow: "This provider needs its own pages."
        case .confirmAddress: "Confirm your sign-up"
        case .linkAccount: "Is this account yours?"
        case .linkHow: "An account already has this address. Sign in to connect them:"
        case .separateAccount: "Not your account? Continue without it"
        case .updateApp: "This step needs the browser or a newer version of this app."
        case .saveCodes: "Save your recovery codes"
        case .saveCodesHow: "Each code works once if you lose your second step."
        case .withPassword: "Password"
        case .withEmailCode: "Code by email"
        case .withTextMessage: "Code by text message"
        case .withApp: "Authenticator app"
        case .withPasskey: "Passkey"
        case .withRecoveryCode: "Recovery code"
        case .withOther: "Another way"
        default: rawValue
        }
    }
}

/// The texts of the sign-in screens.
public struct SignInTexts: Sendable {
    /// The text of a label, a button or a sentence.
    public var word: @Sendable (SignInWord) -> String
    /// The sentence for an error.
    public var problem: @Sendable (GatewayError) -> String

    /// English texts, unless an app passes others.
    public init(
        word: @escaping @Sendable (SignInWord) -> String = { $0.english },
        problem: @escaping @Sendable (GatewayError) -> String = { SignInTexts.english($0) }
    ) {
        (self.word, self.problem) = (word, problem)
    }

    /// The gateway's sentence, with its detail such as the remaining attempts.
    public static func english(_ error: GatewayError) -> String {
        let text = error.errorDescription ?? "Something went wrong."
        guard let detail = error.problem?.detail else { return text }
        return text.hasSuffix(".") ? "\(text) \(detail)" : "\(text). \(detail)"
    }
}
