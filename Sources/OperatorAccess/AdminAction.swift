/// An action of an operator; the raw value appears in refusals' audit rows.
package enum AdminAction: String, Sendable, CaseIterable {
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
    case showMessages = "show_messages"
    case showRole = "show_role"
    // Helping
    case endSessions = "end_sessions"
    case requireReset = "require_reset"
    case requireProof = "require_proof"
    case unlinkIdentity = "operator_unlink"
    case disableAccount = "disable_account"
    case enableAccount = "enable_account"
    // Changes of identity owners
    case linkIdentity = "operator_link"
    case removeFactors = "remove_factors"
    case demandFactor = "demand_second_factor"
    case moveIdentity = "move_identity"
    case mergeAccounts = "merge_accounts"
    case splitAccount = "split_account"
    case undoChange = "undo_change"
    case deleteAccount = "delete_account"
    case exportAccount = "export_account"
    case exportAudit = "export_audit"
    case changeClient = "change_client"
    case changeEvents = "change_events"
    case changeMessages = "change_messages"
    case createAccount = "create_account"
    case inviteAccount = "invite_account"
    case changeProfile = "change_profile"
    case setPassword = "set_password"
    case impersonate
    // Trust
    case trustClient = "trust_client"
    case changeRole = "change_role"
    case changeAccessKeys = "change_access_keys"

    /// The lowest role that may perform it.
    package var least: OperatorRole {
        switch self {
        case .searchAccounts, .showAccount, .showHistory, .previewChange, .showClients, .showProviders, .showOverview,
            .showAudit, .showOperators, .showEvents, .showMessages, .showRole:
            .viewer
        case .endSessions, .requireReset, .requireProof, .unlinkIdentity, .disableAccount, .enableAccount: .support
        // Linking or moving an identity and removing factors decide who can sign in, as merging does.
        case .linkIdentity, .removeFactors, .demandFactor, .moveIdentity, .mergeAccounts, .splitAccount, .undoChange,
            .deleteAccount,
            .exportAccount,
            .exportAudit, .changeClient, .changeEvents, .changeMessages, .createAccount, .inviteAccount,
            .changeProfile, .setPassword,
            .impersonate:
            .admin
        // Changing where an app's sessions go, or their permissions, could capture an owner's session. So could a link in
        // the mails that owners get.
        // A back end with a key can set passwords.
        case .trustClient, .changeRole, .changeAccessKeys: .owner
        }
    }

    /// The reach that an access key needs for it.
    package enum Reach: String, Sendable {
        /// It reads or changes accounts only, each of which the key must reach.
        case accounts
        /// It reads or changes the whole service.
        case gateway
        /// It is about operators, so no key performs it.
        case people
    }

    package var reach: Reach {
        switch self {
        case .searchAccounts, .showAccount, .showHistory, .previewChange, .showRole, .endSessions, .requireReset,
            .requireProof, .unlinkIdentity, .disableAccount, .enableAccount, .linkIdentity, .removeFactors,
            .demandFactor, .moveIdentity, .mergeAccounts, .splitAccount, .undoChange, .deleteAccount, .exportAccount,
            .createAccount, .inviteAccount, .changeProfile, .setPassword:
            .accounts
        case .showClients, .showProviders, .showOverview, .showAudit, .showEvents, .showMessages, .exportAudit,
            .changeClient, .changeEvents, .changeMessages:
            .gateway
        case .showOperators, .impersonate, .trustClient, .changeRole, .changeAccessKeys: .people
        }
    }

    /// Whether it needs a proof younger than ten minutes: every change does, and every export.
    package var needsStepUp: Bool { least > .viewer }
}
