/// The refusals of operator actions.
package enum AdminRefusal: Error, Equatable, Sendable {
    /// A member of the request is missing or of the wrong shape. `pointer` is an RFC 6901 pointer into the body.
    ///
    /// `accepted` lists the values, forms or members that the place may have, where they are few.
    case invalidMember(pointer: String, reason: String, accepted: [String] = [])
    case notAnOperator, roleTooLow, ownAccount, operatorAccount, lastOwner
    /// No other client for administration is enabled.
    case lastAdministrationClient
    /// A role needs a second factor enrolled earlier.
    case roleNeedsFactor
    /// An operator's change of the account can still be undone.
    case changeNotSettled
    case sessionEnded, stepUpRequired, reauthRequired
    /// The session's client is not for administration.
    case audienceNotAllowed
    case notFound, nothingToChange, lastCredential, identityInUse, accountDisabled, deletionWaits
    /// The access key is unknown, wrong or revoked.
    case accessKeyInvalid
    case accessKeyExpired
    /// The access key works from other networks only.
    case networkNotAllowed
    /// The action is about more than the accounts that the access key reaches.
    case outOfReach
    /// The `Idempotency-Key` belongs to another request.
    case idempotencyKeyReused
    /// The first call with the `Idempotency-Key` still runs, or its answer was lost.
    case idempotencyKeyBusy
    /// The operator exceeds the read limit; the wait is in seconds.
    case throttled(retryAfter: Int)
    /// The accounts differ from the preview.
    case accountsChanged

    /// It was already undone, or its time is over.
    case undoOver
    /// Later changes block it; the names of the differing parts.
    case undoBlocked([String])

    /// The stable code of the catalogue.
    package var code: String {
        switch self {
        case .invalidMember: "invalid_request"
        case .notAnOperator: "not_an_operator"
        case .roleTooLow: "role_too_low"
        case .ownAccount: "own_account"
        case .operatorAccount: "operator_account"
        case .lastOwner: "last_owner"
        case .lastAdministrationClient: "last_administration_client"
        case .roleNeedsFactor: "role_needs_factor"
        case .changeNotSettled: "change_not_settled"
        case .sessionEnded: "session_ended"
        case .audienceNotAllowed: "audience_not_allowed"
        case .stepUpRequired: "step_up_required"
        case .reauthRequired: "reauth_required"
        case .notFound: "not_found"
        case .nothingToChange: "nothing_to_change"
        case .lastCredential: "last_credential"
        case .identityInUse: "identity_in_use"
        case .accountsChanged: "accounts_changed"
        case .accountDisabled: "account_disabled"
        case .deletionWaits: "deletion_waits"
        case .accessKeyInvalid: "access_key_invalid"
        case .accessKeyExpired: "access_key_expired"
        case .networkNotAllowed: "network_not_allowed"
        case .outOfReach: "out_of_reach"
        case .idempotencyKeyReused: "idempotency_key_reused"
        case .idempotencyKeyBusy: "idempotency_key_busy"
        case .throttled: "throttled"
        case .undoOver: "undo_over"
        case .undoBlocked: "undo_blocked"
        }
    }
}
