package import Cryptography
package import WebAuthn

/// Why the core refused.
///
/// Closed, so that every front door has to find its own word for a new one.
///
/// Associated values are facts; sentences are made at the door. ``code`` is the same everywhere: in the answer, in the
/// audit log, in `docs/errors.md`.
package enum Rejection: Error, Equatable, Sendable {
    /// A part of the request is missing or has the wrong form.
    case invalidField(RequestField, FieldFault)
    case clientUnknown
    case providerUnknown
    case providerNotAllowed
    case credential(TokenRefusal)
    case nonceUnknown, nonceExpired, nonceUsed
    case tokenReplayed
    case providerUnavailable(retryAfter: Int)
    case providerMisconfigured
    case accountDisabled
    case invalidCredentials
    case throttled(retryAfter: Int)
    case overloaded(retryAfter: Int)
    case databaseUnavailable(retryAfter: Int)
    /// The change may have been made or not: the answer of the commit was lost, or a standby it needs was not heard.
    case outcomeUnknown(retryAfter: Int)
    /// The service that tells what the client's tokens carry gives no answer.
    case claimsUnavailable
    /// The operator's custom challenge gives no answer.
    case challengeUnavailable
    case deliveryUnavailable
    /// The mail server, or whoever sends text messages, refuses the address for good.
    case deliveryRefused
    /// No text messages go to the number's country.
    case countryNotServed
    /// A report of a message's fate whose signature doesn't hold, or that was signed at another time.
    case reportNotSigned, reportOutOfTime
    case flowExpired
    case codeWrong(triesLeft: Int)
    /// It was right once.
    case codeExpired
    case tooManyTries
    case resendTooSoon(retryAfter: Int)
    case tooManyResends
    case linkSubjectChanged
    /// With a ticket where the account that has it is proved too, and may go into this one.
    case identityInUse(mergeTicket: String? = nil)
    /// The accounts are no longer as the preview showed them.
    case accountsChanged
    /// The deletion of one of the accounts waits.
    case deletionWaits
    case undoOver
    /// What was changed since stands in the way; the names of the parts that differ.
    case undoBlocked([String])
    /// Somebody who came with an app from another team is somebody else here already.
    case accountConflict
    case lastCredential
    /// Every second factor of the account hangs on what was proved first.
    case noSecondFactorLeft
    /// The account has this second factor already.
    case factorExists
    /// It hangs on what lets the person in already.
    case factorNotIndependent
    case noSecondFactor
    /// The step that waits sends nothing.
    case nothingToResend
    case passkeyRefused(WebAuthnError)
    case secondFactorDemanded
    case stepUpRequired
    case userNameTaken
    /// Another account has proved it.
    case addressInUse
    case reauthRequired
    /// The account is an operator's: the role goes first.
    case operatorAccount
    case notFound
    case passwordTooShort(minimum: Int)
    case passwordTooLong, passwordCommon, passwordContainsAddress, passwordUnchanged
    /// By a provider, for these reasons.
    case passwordRejected([String])
    case attributesRejected([String])
    case temporaryPasswordExpired
    /// A rule of the operator's at the provider said no.
    case providerDeclined
    case tokenMissing, tokenInvalid, tokenExpired, sessionEnded
    /// The token, or the session's client, is not meant for this door.
    case audienceNotAllowed
    /// Nothing that this server could have issued; nobody is told it apart from one that doesn't hold.
    case tokenMalformed, cookieMalformed, refreshTokenMalformed
    case refreshTokenInvalid, refreshTokenExpired, refreshTokenReused
    case clientAuthenticationFailed
    // Sign-in in a browser
    case stateInvalid, stateNotBound, stateUsed
    /// The answer of one provider came back to another's address, or names another issuer.
    case mixup
    /// What the flow was begun with is no longer configured.
    case providerDisabled
    case providerCancelled, providerFailed
    case redirectNotAllowed, codeChallengeRequired
    case handoverCodeInvalid
    /// Something that can only be our own mistake; the log has it.
    case internalError

    /// The stable code of the catalogue.
    package var code: String {
        switch self {
        case .invalidField: "invalid_request"
        case .clientUnknown: "client_unknown"
        case .providerUnknown: "provider_unknown"
        case .providerNotAllowed: "provider_not_allowed"
        case .credential(let refusal): refusal.rawValue
        case .nonceUnknown: "nonce_unknown"
        case .nonceExpired: "nonce_expired"
        case .nonceUsed: "nonce_used"
        case .tokenReplayed: "token_replayed"
        case .providerUnavailable: "provider_unavailable"
        case .providerMisconfigured: "provider_misconfigured"
        case .accountDisabled: "account_disabled"
        case .invalidCredentials: "invalid_credentials"
        case .throttled: "throttled"
        case .overloaded: "overloaded"
        case .databaseUnavailable: "database_unavailable"
        case .outcomeUnknown: "outcome_unknown"
        case .claimsUnavailable: "claims_unavailable"
        case .challengeUnavailable: "challenge_unavailable"
        case .deliveryUnavailable: "delivery_unavailable"
        case .deliveryRefused: "delivery_refused"
        case .countryNotServed: "country_not_served"
        case .reportNotSigned: "report_not_signed"
        case .reportOutOfTime: "report_out_of_time"
        case .flowExpired: "flow_expired"
        case .codeWrong: "code_wrong"
        case .codeExpired: "code_expired"
        case .passwordRejected: "password_rejected"
        case .attributesRejected: "attributes_rejected"
        case .temporaryPasswordExpired: "temporary_password_expired"
        case .providerDeclined: "provider_declined"
        case .tooManyTries: "too_many_tries"
        case .resendTooSoon: "resend_too_soon"
        case .tooManyResends: "too_many_resends"
        case .linkSubjectChanged: "link_subject_changed"
        case .identityInUse: "identity_in_use"
        case .accountsChanged: "accounts_changed"
        case .deletionWaits: "deletion_waits"
        case .undoOver: "undo_over"
        case .undoBlocked: "undo_blocked"
        case .accountConflict: "account_conflict"
        case .lastCredential: "last_credential"
        case .noSecondFactorLeft: "no_second_factor_left"
        case .factorExists: "factor_exists"
        case .factorNotIndependent: "factor_not_independent"
        case .noSecondFactor: "no_second_factor"
        case .nothingToResend: "nothing_to_resend"
        case .passkeyRefused: "passkey_refused"
        case .secondFactorDemanded: "second_factor_demanded"
        case .stepUpRequired: "step_up_required"
        case .userNameTaken: "user_name_taken"
        case .addressInUse: "address_in_use"
        case .reauthRequired: "reauth_required"
        case .operatorAccount: "operator_account"
        case .notFound: "not_found"
        case .passwordTooShort: "password_too_short"
        case .passwordTooLong: "password_too_long"
        case .passwordCommon: "password_common"
        case .passwordContainsAddress: "password_contains_address"
        case .passwordUnchanged: "password_unchanged"
        case .tokenMissing: "access_token_missing"
        case .tokenInvalid, .tokenMalformed: "access_token_invalid"
        case .tokenExpired: "access_token_expired"
        case .sessionEnded, .cookieMalformed: "session_ended"
        case .audienceNotAllowed: "audience_not_allowed"
        case .refreshTokenInvalid, .refreshTokenMalformed: "refresh_token_invalid"
        case .refreshTokenExpired: "refresh_token_expired"
        case .refreshTokenReused: "refresh_token_reused"
        case .clientAuthenticationFailed: "invalid_client"
        case .stateInvalid: "state_invalid"
        case .stateNotBound: "state_not_bound"
        case .stateUsed: "state_used"
        case .mixup: "mixup"
        case .providerDisabled: "provider_disabled"
        case .providerCancelled: "provider_cancelled"
        case .providerFailed: "provider_failed"
        case .redirectNotAllowed: "redirect_not_allowed"
        case .codeChallengeRequired: "code_challenge_required"
        case .handoverCodeInvalid: "invalid_grant"
        case .internalError: "internal_error"
        }
    }

    /// Whether it is counted and leaves no row in the audit log: anybody can send nothing, or nonsense, as often as they like,
    /// and neither tells anything of an attack.
    package var isOnlyCounted: Bool {
        switch self {
        case .tokenMissing, .tokenMalformed, .cookieMalformed, .refreshTokenMalformed: true
        default: false
        }
    }
}
