package import JSON

/// What a code is good for.
package enum CodePurpose: String, Sendable, CaseIterable {
    case signUp = "sign_up"
    case signIn = "sign_in"
    case secondFactor = "second_factor"
    case reset
    /// An address or number is being added to an account.
    case addressProof = "address_proof"
}

/// What a message says; the words are found when it is sent, in the language of whoever reads it.
package enum MessageContent: Sendable, Equatable {
    case code(CodePurpose, String, lifeSeconds: Int)
    /// Somebody tried to sign up with an address that has an account.
    case accountExists
    /// Somebody asked for a code where no account has the address.
    case noAccount
    /// Something about the account was changed.
    case notice(kind: String, detail: JSONObject)

    /// What the outbox calls it.
    var kind: String {
        switch self {
        case .code(let purpose, _, _): "code.\(purpose.rawValue)"
        case .accountExists: "account_exists"
        case .noAccount: "no_account"
        case .notice(let kind, _): "notice.\(kind)"
        }
    }

    /// How long a notice is worth sending, in seconds: later it would only puzzle.
    static let usualLife = 86_400

    /// For how long it is worth sending: a code as long as it is good, everything else for ``usualLife``.
    var lifeSeconds: Int {
        if case .code(_, _, let seconds) = self { seconds } else { Self.usualLife }
    }

    /// What has to be kept beside ``kind``.
    var detail: JSONObject {
        switch self {
        case .code(_, let code, let seconds): ["code": .string(code), "life": .integer(seconds)]
        case .accountExists, .noAccount: [:]
        case .notice(_, let detail): detail
        }
    }

    /// Reads what the outbox kept; nil for a kind that this version doesn't know.
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
        case ("notice", 2): self = .notice(kind: parts[1], detail: detail)
        default: return nil
        }
    }
}

extension MessageContent: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says nothing of a code.
    package var description: String { kind }
    package var debugDescription: String { kind }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
