package import Postgres

/// The shared refusals of functions called by operators.
enum AdminWord: String, OutcomeWord {
    static let functions = [
        "access_key_refusal",
        "invite_account",
        "issue_access_key",
        "operator_end_sessions",
        "operator_refusal",
        "replace_client_secret",
        "require_proof",
        "revoke_access_key",
        "withdraw_role",
    ]

    case accountDisabled = "account_disabled"
    case accountsChanged = "accounts_changed"
    case audienceNotAllowed = "audience_not_allowed"
    case changeNotSettled = "change_not_settled"
    case deletionWaits = "deletion_waits"
    case identityInUse = "identity_in_use"
    case lastAdministrationClient = "last_administration_client"
    case lastCredential = "last_credential"
    case lastOwner = "last_owner"
    case notAnOperator = "not_an_operator"
    case notFound = "not_found"
    case nothingToChange = "nothing_to_change"
    case operatorAccount = "operator_account"
    case outOfReach = "out_of_reach"
    case ownAccount = "own_account"
    case reauthRequired = "reauth_required"
    case roleNeedsFactor = "role_needs_factor"
    case roleTooLow = "role_too_low"
    case sessionEnded = "session_ended"
    case stepUpRequired = "step_up_required"
    case undoOver = "undo_over"
}

extension AdminRefusal {
    init(_ word: AdminWord) {
        self =
            switch word {
            case .accountDisabled: .accountDisabled
            case .accountsChanged: .accountsChanged
            case .audienceNotAllowed: .audienceNotAllowed
            case .changeNotSettled: .changeNotSettled
            case .deletionWaits: .deletionWaits
            case .identityInUse: .identityInUse
            case .lastAdministrationClient: .lastAdministrationClient
            case .lastCredential: .lastCredential
            case .lastOwner: .lastOwner
            case .notAnOperator: .notAnOperator
            case .notFound: .notFound
            case .nothingToChange: .nothingToChange
            case .operatorAccount: .operatorAccount
            case .outOfReach: .outOfReach
            case .ownAccount: .ownAccount
            case .reauthRequired: .reauthRequired
            case .roleNeedsFactor: .roleNeedsFactor
            case .roleTooLow: .roleTooLow
            case .sessionEnded: .sessionEnded
            case .stepUpRequired: .stepUpRequired
            case .undoOver: .undoOver
            }
    }
}

extension Row {
    /// The function's own outcome.
    ///
    /// - Throws: an ``AdminRefusal`` for a refusal; ``PostgresError/decoding(column:)`` for an unknown word.
    package func operatorAnswer<Own: OutcomeWord>(_ column: Int = 0, as own: Own.Type = Own.self) throws -> Own {
        switch try outcome(column, own, AdminWord.self) {
        case .own(let word): return word
        case .refused(let word): throw AdminRefusal(word)
        }
    }

    /// The function's own outcome; nil if the function returns null.
    package func optionalOperatorAnswer<Own: OutcomeWord>(_ column: Int = 0, as own: Own.Type = Own.self) throws -> Own?
    {
        switch try optionalOutcome(column, own, AdminWord.self) {
        case nil: return nil
        case .own(let word): return word
        case .refused(let word): throw AdminRefusal(word)
        }
    }

    /// Throws the refusal of a function that returns nothing else; null is no refusal.
    package func throwRefusal(_ column: Int = 0) throws {
        guard let word = try value(column, as: AdminWord?.self) else { return }
        throw AdminRefusal(word)
    }
}
