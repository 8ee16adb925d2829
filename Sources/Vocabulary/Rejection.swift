package import Cryptography
package import Foundation
package import WebAuthn

/// A refusal by the core.
///
/// The enum is closed, so that a new case does not compile until every front door handles it.
///
/// Associated values are facts; the front doors write the sentences. ``code`` is the same in the answer, in the audit
/// log and in `docs/errors.md`.
package enum Rejection: Error, Equatable, Sendable {
    /// A part of the request is missing or has the wrong form.
    case invalidField(RequestField, FieldFault)
    /// Every invalid attribute of the request.
    case attributesInvalid([AttributeFault])
    case clientUnknown(SentText? = nil)
    /// - Parameter offered: the sign-in methods of the client.
    case providerUnknown(SentText? = nil, offered: [String] = [])
    /// - Parameter offered: the sign-in methods of the client.
    case providerNotAllowed(SentText? = nil, offered: [String] = [])
    /// The client allows no sign-in without a credential.
    case guestsNotAllowed
    case credential(TokenRefusal)
    case nonceUnknown, nonceExpired, nonceUsed
    case tokenReplayed
    case providerUnavailable(retryAfter: Int)
    case providerMisconfigured
    case accountDisabled
    /// - Parameter account: the account of the name, for its history only: no answer reveals it.
    case invalidCredentials(account: UUID? = nil)
    case throttled(retryAfter: Int)
    case overloaded(retryAfter: Int)
    case databaseUnavailable(retryAfter: Int)
    /// The outcome of the change is unknown: the commit's answer was lost, or a required standby did not confirm.
    case outcomeUnknown(retryAfter: Int)
    /// The claims service gives no answer.
    case claimsUnavailable
    /// The operator's custom challenge gives no answer.
    case challengeUnavailable
    case deliveryUnavailable
    /// The mail server or the SMS service refuses the address permanently.
    case deliveryRefused
    /// The service sends no text messages to the number's country.
    case countryNotServed
    /// A delivery report has an invalid signature or one from another time.
    case reportNotSigned, reportOutOfTime
    case flowExpired
    /// - Parameter account: as in ``invalidCredentials(account:)``.
    case codeWrong(triesLeft: Int, account: UUID? = nil)
    /// The value was valid once.
    case codeExpired
    case tooManyTries
    case resendTooSoon(retryAfter: Int)
    case tooManyResends
    case linkSubjectChanged
    /// Contains a ticket if the identity owner is proved too and may be merged into this account.
    case identityInUse(mergeTicket: String? = nil)
    /// The accounts changed since the preview.
    case accountsChanged
    /// The deletion of one of the accounts is pending.
    case deletionWaits
    case undoOver
    /// The link of a notice is expired, forged, or about a session that is no longer stored.
    case disownLinkInvalid
    /// The link of an invitation is unknown, expired or used.
    case invitationInvalid
    /// A later change blocks the undo; the value names the parts that differ.
    case undoBlocked([String])
    /// A user of another team's app has another account here.
    case accountConflict
    case lastCredential
    /// Every second factor of the account depends on the first proof.
    case noSecondFactorLeft
    /// The account already has this second factor.
    case factorExists
    /// The factor depends on an existing sign-in method.
    case factorNotIndependent
    case noSecondFactor
    /// The app asks for a bot check, by this widget.
    case botCheckRequired(BotWidget)
    /// The token of the bot check is invalid or was used.
    case botCheckFailed(BotWidget)
    /// The pending step sends nothing.
    case nothingToResend
    case passkeyRefused(WebAuthnError)
    case secondFactorDemanded
    case stepUpRequired
    case userNameTaken
    /// Another account has proved the address.
    case addressInUse
    case reauthRequired
    /// The account has an operator role, which must be removed first.
    case operatorAccount
    /// An operator who acts for the user may change nothing.
    case operatorActs
    case notFound
    case passwordTooShort(minimum: Int)
    case passwordTooLong, passwordCommon, passwordContainsAddress, passwordUnchanged
    /// A provider refused, for these reasons.
    case passwordRejected([String])
    case attributesRejected([String])
    case temporaryPasswordExpired
    /// The operator's rule at the provider refused.
    case providerDeclined
    case tokenMissing, tokenInvalid, tokenExpired
    /// The DPoP proof is missing where the client must send one, or is no proof for this request.
    case keyProofInvalid
    /// The DPoP proof needs this nonce.
    case keyProofNonceDue(String)
    /// A token of ours that can't be revoked: an ID token.
    case tokenTypeUnsupported
    /// - Parameter reason: nil if it is not known.
    case sessionEnded(SessionEnd? = nil)
    /// The token, or the session's client, is not meant for this front door.
    case audienceNotAllowed
    /// A credential that this server did not issue; the answer does not distinguish it from an invalid one.
    case tokenMalformed, cookieMalformed, refreshTokenMalformed
    case refreshTokenInvalid, refreshTokenExpired, refreshTokenReused
    case clientAuthenticationFailed
    // Sign-in in a browser
    case stateInvalid, stateNotBound, stateUsed
    /// One provider's answer arrived at another's address, or names another issuer.
    case mixup
    /// The flow began with something that is no longer configured.
    case providerDisabled
    case providerCancelled, providerFailed
    /// - Parameter registered: the addresses of the client, for pages in development only.
    case redirectNotAllowed(SentText? = nil, registered: [String] = [])
    case codeChallengeRequired
    case handoverCodeInvalid
    /// A resource that is unknown, or that the client or the grant does not reach (RFC 8707 §2).
    case targetInvalid(SentText? = nil)
    /// An app describes itself by a document that can't be used; the reason is for its maker.
    case clientDocumentRefused(String)
    /// A token to exchange that is not live, or not for this client (RFC 8693 §2.2.2).
    case subjectTokenInvalid
    /// An identity assertion that begins no session; the reason is for the maker of the app.
    case assertionInvalid(String)
    /// A refresh asks for a scope that was not granted (RFC 6749 §6).
    case scopeInvalid(SentText? = nil)
    /// The answer to a device that asks for its session, or to its user.
    case device(DeviceRefusal)
    /// A fault of this service; the log has the details.
    case internalError

    /// The stable code of the catalogue.
    package var code: String {
        switch self {
        case .invalidField, .attributesInvalid: "invalid_request"
        case .clientUnknown: "client_unknown"
        case .providerUnknown: "provider_unknown"
        case .providerNotAllowed: "provider_not_allowed"
        case .guestsNotAllowed: "guests_not_allowed"
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
        case .disownLinkInvalid: "disown_link_invalid"
        case .invitationInvalid: "invitation_invalid"
        case .undoBlocked: "undo_blocked"
        case .accountConflict: "account_conflict"
        case .lastCredential: "last_credential"
        case .noSecondFactorLeft: "no_second_factor_left"
        case .factorExists: "factor_exists"
        case .factorNotIndependent: "factor_not_independent"
        case .noSecondFactor: "no_second_factor"
        case .botCheckRequired: "bot_check_required"
        case .botCheckFailed: "bot_check_failed"
        case .nothingToResend: "nothing_to_resend"
        case .passkeyRefused: "passkey_refused"
        case .secondFactorDemanded: "second_factor_demanded"
        case .stepUpRequired: "step_up_required"
        case .userNameTaken: "user_name_taken"
        case .addressInUse: "address_in_use"
        case .reauthRequired: "reauth_required"
        case .operatorAccount: "operator_account"
        case .operatorActs: "operator_acts"
        case .notFound: "not_found"
        case .passwordTooShort: "password_too_short"
        case .passwordTooLong: "password_too_long"
        case .passwordCommon: "password_common"
        case .passwordContainsAddress: "password_contains_address"
        case .passwordUnchanged: "password_unchanged"
        case .tokenMissing: "access_token_missing"
        case .tokenInvalid, .tokenMalformed: "access_token_invalid"
        case .tokenExpired: "access_token_expired"
        case .keyProofInvalid: "invalid_dpop_proof"
        case .keyProofNonceDue: "use_dpop_nonce"
        case .tokenTypeUnsupported: "unsupported_token_type"
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
        case .targetInvalid: "invalid_target"
        case .subjectTokenInvalid: "subject_token_invalid"
        case .assertionInvalid: "assertion_invalid"
        case .clientDocumentRefused: "client_document_refused"
        case .scopeInvalid: "invalid_scope"
        case .device(let refusal): refusal.rawValue
        case .internalError: "internal_error"
        }
    }

    /// Whether it is only counted, without a row in the audit log.
    ///
    /// Any caller can send such requests in any number, and they do not indicate an attack.
    package var isOnlyCounted: Bool {
        switch self {
        case .tokenMissing, .tokenMalformed, .cookieMalformed, .refreshTokenMalformed, .botCheckRequired: true
        // Every waiting device gets them again and again.
        case .device(.pending), .device(.tooSoon): true
        // The usual beginning of a call with a key proof.
        case .keyProofNonceDue: true
        default: false
        }
    }

    /// Whether the code is wrong, or no code at all.
    package var isWrongCode: Bool {
        if case .codeWrong = self { return true }
        return self == .invalidField(.code, .notACode)
    }

    /// Whether it asks for a bot check.
    package var asksForBotCheck: Bool {
        switch self {
        case .botCheckRequired, .botCheckFailed: true
        default: false
        }
    }

    /// The account that a wrong answer was given for; nil if it is unknown or the refusal is another one.
    package var account: UUID? {
        switch self {
        case .invalidCredentials(let account), .codeWrong(_, let account): account
        default: nil
        }
    }

    /// The same refusal of a wrong answer, with the account.
    package func about(_ account: UUID?) -> Rejection {
        switch self {
        case .invalidCredentials: .invalidCredentials(account: account)
        case .codeWrong(let triesLeft, _): .codeWrong(triesLeft: triesLeft, account: account)
        default: self
        }
    }
}
