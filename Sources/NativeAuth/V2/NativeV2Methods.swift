import JSON
import SignIn
import Vocabulary

/// A method that the app can choose.
struct NativeV2Method: Equatable, Sendable {
    enum Kind: String { case password, email, sms }

    let id: String
    let kind: Kind
    /// The masked destination; nil for a password.
    let hint: String?
    /// Whether the flow waits for its answer already.
    var isOpen = false

    init(id: String, kind: Kind, hint: String?, isOpen: Bool = false) {
        (self.id, self.kind, self.hint, self.isOpen) = (id, kind, hint, isOpen)
    }

    init(_ method: NativeAuthMethod, isOpen: Bool) {
        self.init(
            id: method.id, kind: method.channel == .sms ? .sms : .email, hint: method.hint, isOpen: isOpen)
    }

    /// Its place below `/auth/methods/`, to which the token of its answer is bound.
    var path: String { "\(kind.rawValue)/\(id)" }

    static func password(isOpen: Bool) -> NativeV2Method {
        NativeV2Method(id: StepChoice.Kind.password.rawValue, kind: .password, hint: nil, isOpen: isOpen)
    }

    /// The mailbox or the telephone that a name is; the only method of a reset and of a sign-up.
    static func destination(of username: String) -> NativeV2Method {
        if let number = PhoneNumber(username) {
            return NativeV2Method(id: NativeAuthMethods.current, kind: .sms, hint: number.masked)
        }
        return NativeV2Method(id: NativeAuthMethods.current, kind: .email, hint: EmailAddress(username)?.masked)
    }

    func json(_ links: NativeV2Links) -> JSON {
        var json: JSONObject = ["id": .string(id), "type": .string(kind.rawValue)]
        json["hint"] = hint.map(JSON.string)
        json["_links"] = NativeV2Links.json(["challenge": links.method(self, "challenge")])
        return .object(json)
    }
}

/// The methods of a step, in the order of the core.
struct NativeV2Methods {
    /// `challengeContext.authenticationFactor`.
    enum Factor: String { case single = "singleFactor", multi = "multiFactor" }

    let factor: Factor
    let list: [NativeV2Method]

    /// Nil for a step that this API has no method for.
    ///
    /// The switch is exhaustive: a new step does not compile until it has its methods here, or is one for a browser.
    init?(_ step: SignInStep, of username: String) {
        switch step {
        case .firstFactorSelection(let choices):
            (factor, list) = (.single, choices.compactMap { Self.first($0, username) })
        case .firstFactorCode(let sent, let options):
            let open = NativeV2Method(sent.method(StepChoice.Kind.emailCode.rawValue), isOpen: true)
            (factor, list) = (.single, [open] + options.choices.compactMap { Self.first($0, username) })
        case .password(let options):
            let others = options.choices.compactMap { Self.first($0, username) }
            (factor, list) = (.single, [.password(isOpen: true)] + others)
        case .secondFactorSelection, .secondFactorCode:
            let methods = NativeAuthMethods.secondFactors(step) ?? []
            factor = .multi
            list = methods.map { NativeV2Method($0, isOpen: $0.id == NativeAuthMethods.current) }
        case .passwordProof, .passkey, .totpCode, .recoveryCode, .deviceProof, .customChallenge,
            .factorSetUpSelection, .totpSetUp, .emailSetUp, .phoneSetUp, .codeSetUp, .passkeySetUp, .recoveryCodes,
            .newPassword, .resetPassword, .resetUnderWay, .confirmSignUp, .attributes, .linkAccount,
            .continueInBrowser:
            return nil
        }
        if list.isEmpty { return nil }
    }

    /// A journey with one way to prove the user.
    init(only method: NativeV2Method) { (factor, list) = (.single, [method]) }

    private static func first(_ choice: StepChoice, _ username: String) -> NativeV2Method? {
        switch choice.kind {
        case .password: .password(isOpen: false)
        case .emailCode: NativeV2Method(id: choice.id, kind: .email, hint: EmailAddress(username)?.masked)
        // SDKs know no text message as first factor, and no other kind at all.
        case .smsCode, .totp, .sms, .email, .passkey, .recoveryCode, .customChallenge: nil
        }
    }
}
