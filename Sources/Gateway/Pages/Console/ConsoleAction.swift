/// What an operator may do on the console; the raw value stands in addresses, forms and the keys of messages.
enum ConsoleAction: String, CaseIterable, Sendable {
    case disable, enable
    case requireReset = "require_reset"
    case requireProof = "require_proof"
    case endSession = "end_session"
    case endSessions = "end_sessions"
    case unlink, move, link, merge, split, undo, grant, withdraw
    case exportAccount = "export_account"
    case deleteAccount = "delete_account"
    case cancelDeletion = "cancel_deletion"
    case removeFactors = "remove_factors"
    case keepFactors = "keep_factors"

    /// Whether it leaves a change that can be taken back.
    var canBeUndone: Bool {
        switch self {
        case .unlink, .move, .link, .merge, .split: true
        case .disable, .enable, .requireReset, .requireProof, .endSession, .endSessions, .undo, .grant, .withdraw,
            .exportAccount, .deleteAccount, .cancelDeletion, .removeFactors, .keepFactors:
            false
        }
    }

    /// Whether another one does the opposite.
    var hasOpposite: Bool {
        [.disable, .enable, .grant, .withdraw, .deleteAccount, .cancelDeletion, .keepFactors].contains(self)
    }

    /// Those that are told in one sentence of before and one of after.
    static let told: [ConsoleAction] = allCases.filter { ![.merge, .split, .undo].contains($0) }

    /// Those that begin with a button of their own on the page of an account, beside what belongs to one of its parts.
    static let ofAccount: [ConsoleAction] = [
        .merge, .split, .link, .requireReset, .removeFactors, .keepFactors, .disable, .enable, .exportAccount,
        .cancelDeletion, .deleteAccount,
    ]
}
