/// An operator's action on the console; the raw value appears in URLs, forms and message keys.
package enum ConsoleAction: String, CaseIterable, Sendable {
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
    case demandFactor = "demand_second_factor"
    case waiveFactor = "waive_second_factor"

    /// Whether its change can be undone.
    var canBeUndone: Bool {
        switch self {
        case .unlink, .move, .link, .merge, .split: true
        case .disable, .enable, .requireReset, .requireProof, .endSession, .endSessions, .undo, .grant, .withdraw,
            .exportAccount, .deleteAccount, .cancelDeletion, .removeFactors, .keepFactors,
            .demandFactor, .waiveFactor:
            false
        }
    }

    /// Whether another action reverses it.
    var hasOpposite: Bool {
        [
            .disable, .enable, .grant, .withdraw, .deleteAccount, .cancelDeletion, .keepFactors, .demandFactor,
            .waiveFactor,
        ]
        .contains(self)
    }

    /// Actions described by one sentence before and one after.
    static let told: [ConsoleAction] = allCases.filter { ![.merge, .split, .undo].contains($0) }

    /// Actions with a button on the account page, in addition to those of its items.
    static let ofAccount: [ConsoleAction] = [
        .merge, .split, .link, .requireReset, .demandFactor, .waiveFactor, .removeFactors, .keepFactors, .disable,
        .enable, .exportAccount,
        .cancelDeletion, .deleteAccount,
    ]
}
