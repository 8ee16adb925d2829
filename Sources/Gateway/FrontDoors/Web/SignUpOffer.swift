import Accounts
import Sessions

/// What the sign-up page asks of an app's people.
///
/// It only says what to show: whether what comes back makes an account, the core decides.
struct SignUpOffer: Sendable {
    let client: Client
    /// What somebody signs up with here.
    let kind: SignInName.Kind
    /// What can be chosen in its place.
    let others: [SignInName.Kind]
    private let sendsTexts: Bool

    /// Nil where nobody can sign up.
    ///
    /// - Parameters:
    ///   - asked: the kind that was chosen, by the name of its field.
    ///   - sendsTexts: whether text messages can be sent at all.
    init?(_ client: Client, asked: String?, sendsTexts: Bool) {
        self.client = client
        self.sendsTexts = sendsTexts
        let kinds = client.signUpNames.filter {
            ($0 != .phone || sendsTexts)
                && (Self.allowsPassword(client) || Self.allowsCode(client, $0, sendsTexts))
        }
        guard let kind = kinds.first(where: { $0.field.rawValue == asked }) ?? kinds.first else { return nil }
        (self.kind, others) = (kind, kinds.filter { $0 != kind })
    }

    var asksForPassword: Bool { Self.allowsPassword(client) }

    /// Whether an account that is opened by codes may be made.
    var allowsCode: Bool { Self.allowsCode(client, kind, sendsTexts) }

    /// The fields for the name and for what reaches somebody who has a user name, with whether they must be filled in.
    var contacts: [(kind: SignInName.Kind, isRequired: Bool)] {
        guard kind == .userName else { return [(kind, true)] }
        let reachable = [SignInName.Kind.email, .phone].filter { kind in
            (kind != .phone || sendsTexts) && (asksForPassword || Self.allowsCode(client, kind, sendsTexts))
        }
        return [(.userName, true)] + reachable.map { ($0, !asksForPassword && reachable.count == 1) }
    }

    /// Whether a form asks for an account that is opened by codes.
    func isWithoutPassword(_ form: FormBody) -> Bool { form["without"] == "password" || !asksForPassword }

    private static func allowsPassword(_ client: Client) -> Bool {
        client.allows(provider: PasswordSignInService.provider)
    }

    private static func allowsCode(_ client: Client, _ kind: SignInName.Kind, _ sendsTexts: Bool) -> Bool {
        let (mails, texts) = (client.allows(provider: "email_otp"), sendsTexts && client.allows(provider: "sms_otp"))
        return switch kind {
        case .email: mails
        case .phone: texts
        case .userName: mails || texts
        }
    }
}

extension SignInName.Kind {
    /// The field of a form that takes it.
    var field: SignInNames.Kind {
        switch self {
        case .email: .email
        case .phone: .phone
        case .userName: .username
        }
    }
}

extension SignInNames {
    /// What an app's people call themselves.
    init(_ client: Client) { self.init(client.signUpNames.map(\.field)) }
}
