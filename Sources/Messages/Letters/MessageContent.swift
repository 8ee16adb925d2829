package import JSON

/// The purpose of a code.
package enum CodePurpose: String, Sendable, CaseIterable {
    case signUp = "sign_up"
    case signIn = "sign_in"
    case secondFactor = "second_factor"
    case reset
    /// An address or number is being added to an account.
    case addressProof = "address_proof"
}

/// The content of a message; its text is chosen at sending, in the reader's language.
package enum MessageContent: Sendable, Equatable {
    case code(CodePurpose, String, lifeSeconds: Int)
    /// A sign-up used an address that has an account.
    case accountExists
    /// A code was requested for an address without an account.
    case noAccount
    /// A back end made the account, with a temporary password.
    case invitation(name: String, password: String)
    /// An operator or a back end made the account; the link leads to its first sign-in method.
    case invitationLink(token: String)
    /// The account was changed.
    case notice(kind: String, detail: JSONObject)

    /// The name in the outbox.
    var kind: String {
        switch self {
        case .code(let purpose, _, _): "code.\(purpose.rawValue)"
        case .accountExists: "account_exists"
        case .noAccount: "no_account"
        case .invitation: "invitation"
        case .invitationLink: "invitation_link"
        case .notice(let kind, _): "notice.\(kind)"
        }
    }

    /// The useful life of a notice, in seconds: a later one would only confuse.
    package static let usualLife = 86_400

    /// The useful life of the message: a code's own lifetime, otherwise ``usualLife``.
    var lifeSeconds: Int {
        if case .code(_, _, let seconds) = self { seconds } else { Self.usualLife }
    }

    /// The stored data in addition to ``kind``.
    var detail: JSONObject {
        switch self {
        case .code(_, let code, let seconds): ["code": .string(code), "life": .integer(seconds)]
        case .accountExists, .noAccount: [:]
        case .invitation(let name, let password): ["name": .string(name), "password": .string(password)]
        case .invitationLink(let token): ["token": .string(token)]
        case .notice(_, let detail): detail
        }
    }

    /// Reads the stored data; nil for a kind that this version does not know.
    init?(kind: String, detail: JSONObject) {
        let parts = kind.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts[0], parts.count) {
        case ("code", 2):
            guard let purpose = CodePurpose(rawValue: parts[1]), let code = detail["code"]?.string,
                let seconds = detail["life"]?.integer
            else { return nil }
            self = .code(purpose, code, lifeSeconds: seconds)
        case ("account_exists", 1): self = .accountExists
        case ("no_account", 1): self = .noAccount
        case ("invitation", 1):
            guard let name = detail["name"]?.string, let password = detail["password"]?.string else { return nil }
            self = .invitation(name: name, password: password)
        case ("invitation_link", 1):
            guard let token = detail["token"]?.string else { return nil }
            self = .invitationLink(token: token)
        case ("notice", 2): self = .notice(kind: parts[1], detail: detail)
        default: return nil
        }
    }
}

extension MessageContent: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Describes the message without its code.
    package var description: String { kind }
    package var debugDescription: String { kind }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
