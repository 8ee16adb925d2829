/// A question that the user has to answer before the session begins.
///
/// Show it by its case, send the input with ``answer(_:rememberDevice:)``, and show the result, until it is
/// ``SignInResult/signedIn(_:)``.
public enum Step: Sendable {
    /// Choose the first factor: password, code or passkey.
    case chooseFirstFactor(FactorChoice)
    /// The password.
    case password(PasswordQuestion)
    /// A code by mail or text message.
    case code(CodeQuestion)
    /// The code of the authenticator app.
    case authenticatorCode(AuthenticatorQuestion)
    /// A passkey: hand the options to the system.
    case passkey(PasskeyQuestion)
    /// A recovery code, the question of a provider or of your own service.
    case challenge(ChallengeQuestion)
    /// Choose the second factor.
    case chooseSecondFactor(FactorChoice)
    /// A second factor is required and missing: choose one to set up.
    case chooseFactorToSetUp(FactorChoice)
    /// Set up an authenticator app; its first code proves it.
    case setUpAuthenticator(AuthenticatorSetUp)
    /// Enter the mailbox that is to be the second factor.
    case setUpEmail(ContactSetUp)
    /// Enter the number that is to be the second factor.
    case setUpPhone(ContactSetUp)
    /// Create a passkey as a second factor.
    case setUpPasskey(PasskeySetUp)
    /// Attributes that a provider needs to create the account.
    case attributes(AttributeQuestion)
    /// A new password in place of a temporary one.
    case newPassword(AttributeQuestion)
    /// A code that was sent, together with a new password.
    case resetPassword(CodeQuestion)
    /// A provider is still setting the new password: answer ``StepAnswer/waited`` after some seconds.
    case waitForPasswordReset(Waiting)
    /// The provider requires its own pages: continue with ``GatewayClient/browserSignIn(continuing:redirectURI:hasher:)``.
    case continueInBrowser(BrowserVisit)
    /// The code of a sign-up.
    case confirmSignUp(CodeQuestion)
    /// Another account has the address: sign in to it with `signIn(_:linking:)`, or answer
    /// ``StepAnswer/createAccount``.
    case linkAccount(LinkQuestion)
    /// A step of a newer server: send the user to the gateway's hosted page.
    case unsupported(UnsupportedStep)

    /// The flow that the step belongs to; nil if it has ended.
    public var flow: Flow? { parts.flow }

    /// Other factors that answer the question: send ``StepAnswer/factor(_:)`` to switch.
    public var alternatives: [FactorOption] { parts.alternatives }

    /// The code that was sent, if the step asks for one.
    public var sentCode: CodeQuestion? {
        switch self {
        case .code(let question), .resetPassword(let question), .confirmSignUp(let question): question
        default: nil
        }
    }

    private var parts: (flow: Flow?, alternatives: [FactorOption]) {
        switch self {
        case .chooseFirstFactor(let step), .chooseSecondFactor(let step), .chooseFactorToSetUp(let step):
            (step.flow, step.options)
        case .password(let step): (step.flow, step.alternatives)
        case .code(let step), .resetPassword(let step), .confirmSignUp(let step): (step.flow, step.alternatives)
        case .authenticatorCode(let step): (step.flow, step.alternatives)
        case .passkey(let step): (step.flow, step.alternatives)
        case .challenge(let step): (step.flow, step.alternatives)
        case .setUpAuthenticator(let step): (step.flow, [])
        case .setUpEmail(let step), .setUpPhone(let step): (step.flow, [])
        case .setUpPasskey(let step): (step.flow, [])
        case .attributes(let step), .newPassword(let step): (step.flow, [])
        case .waitForPasswordReset(let step): (step.flow, [])
        case .continueInBrowser: (nil, [])
        case .linkAccount(let step): (step.flow, [])
        case .unsupported(let step): (step.flow, [])
        }
    }
}
