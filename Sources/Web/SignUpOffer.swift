import Clients
import HTTPServer
import SignIn
import Vocabulary

/// The fields that an app's sign-up page shows.
///
/// It decides only the display. The core decides whether the form creates an account.
struct SignUpOffer: Sendable {
    let client: Client
    /// The kind of name for this sign-up.
    let kind: SignInName.Kind
    /// The other kinds that the user can choose.
    let others: [SignInName.Kind]
    private let sendsTexts: Bool

    /// Nil if the client allows no sign-up.
    ///
    /// - Parameters:
    ///   - asked: the chosen kind, by the name of its field.
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

    /// Whether the client allows an account without a password.
    var allowsCode: Bool { Self.allowsCode(client, kind, sendsTexts) }

    /// The fields for the name and for the contact addresses of a user name, with whether each is required.
    var contacts: [(kind: SignInName.Kind, isRequired: Bool)] {
        guard kind == .userName else { return [(kind, true)] }
        let reachable = [SignInName.Kind.email, .phone].filter { kind in
            (kind != .phone || sendsTexts) && (asksForPassword || Self.allowsCode(client, kind, sendsTexts))
        }
        return [(.userName, true)] + reachable.map { ($0, !asksForPassword && reachable.count == 1) }
    }

    /// Whether a form asks for an account without a password.
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
    /// The form field for this kind of name.
    var field: SignInNames.Kind {
        switch self {
        case .email: .email
        case .phone: .phone
        case .userName: .username
        }
    }
}

extension SignInNames {
    /// The kinds of names that an app's users have.
    init(_ client: Client) { self.init(client.signUpNames.map(\.field)) }
}
