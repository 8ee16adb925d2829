/// What an operator may be about to do: the raw value stands in refusals' audit rows.
package enum AdminDeed: String, Sendable, CaseIterable {
    // Looking
    case searchAccounts = "search_accounts"
    case showAccount = "show_account"
    case showHistory = "show_history"
    case previewChange = "preview_change"
    case showClients = "show_clients"
    case showProviders = "show_providers"
    case showOverview = "show_overview"
    case showAudit = "show_audit"
    case showOperators = "show_operators"
    case showEvents = "show_events"
    // Helping
    case endSessions = "end_sessions"
    case requireReset = "require_reset"
    case requireProof = "require_proof"
    case unlinkIdentity = "operator_unlink"
    case disableAccount = "disable_account"
    case enableAccount = "enable_account"
    // What decides whose an account is
    case linkIdentity = "operator_link"
    case removeFactors = "remove_factors"
    case moveIdentity = "move_identity"
    case mergeAccounts = "merge_accounts"
    case splitAccount = "split_account"
    case undoChange = "undo_change"
    case deleteAccount = "delete_account"
    case exportAccount = "export_account"
    case exportAudit = "export_audit"
    case changeClient = "change_client"
    case changeEvents = "change_events"
    // Who is trusted
    case trustClient = "trust_client"
    case changeRole = "change_role"

    /// The least role that may do it.
    package var least: OperatorRole {
        switch self {
        case .searchAccounts, .showAccount, .showHistory, .previewChange, .showClients, .showProviders, .showOverview,
            .showAudit, .showOperators, .showEvents:
            .viewer
        case .endSessions, .requireReset, .requireProof, .unlinkIdentity, .disableAccount, .enableAccount: .support
        // Who links or moves an identity, or removes a factor, decides who gets into an account, as who merges does.
        case .linkIdentity, .removeFactors, .moveIdentity, .mergeAccounts, .splitAccount, .undoChange, .deleteAccount,
            .exportAccount,
            .exportAudit, .changeClient, .changeEvents:
            .admin
        // Who decides where an app's sessions go, or what they may do, could let an owner's session come to them.
        case .trustClient, .changeRole: .owner
        }
    }

    /// Whether it wants a session that was proved less than ten minutes ago: whatever changes something does, and
    /// whatever takes data away.
    package var needsStepUp: Bool { least > .viewer }
}
