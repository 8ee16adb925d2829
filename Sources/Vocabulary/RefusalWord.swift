import Postgres

/// The shared refusals of functions called by users.
///
/// Refusals of a single function, and those with a number, are in that function's own enum.
package enum RefusalWord: String, OutcomeWord {
    package static let functions = ["may_change_account"]

    case accountDisabled = "account_disabled"
    case accountsChanged = "accounts_changed"
    case addressInUse = "address_in_use"
    case deletionWaits = "deletion_waits"
    case factorExists = "factor_exists"
    case flowExpired = "flow_expired"
    case identityInUse = "identity_in_use"
    case lastCredential = "last_credential"
    case linkSubjectChanged = "link_subject_changed"
    case noSecondFactor = "no_second_factor"
    case notFound = "not_found"
    case operatorAccount = "operator_account"
    case reauthRequired = "reauth_required"
    case secondFactorDemanded = "second_factor_demanded"
    case sessionEnded = "session_ended"
    case stepUpRequired = "step_up_required"
    case tooManyResends = "too_many_resends"
    case tooManyTries = "too_many_tries"
    case undoOver = "undo_over"
    case userNameTaken = "user_name_taken"
}
