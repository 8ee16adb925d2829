/// The stable name of a refusal.
///
/// A server that is newer than this library may send others: they are values of this type too.
public struct ErrorCode: RawRepresentable, Hashable, Sendable, Codable {
    /// The name as in `docs/errors.md`.
    public let rawValue: String

    /// Any name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension ErrorCode {
    /// `malformed_request`.
    public static let malformedRequest = ErrorCode(rawValue: "malformed_request")
    /// `invalid_request`.
    public static let invalidRequest = ErrorCode(rawValue: "invalid_request")
    /// `bad_request`.
    public static let badRequest = ErrorCode(rawValue: "bad_request")
    /// `headers_too_large`.
    public static let headersTooLarge = ErrorCode(rawValue: "headers_too_large")
    /// `body_too_large`.
    public static let bodyTooLarge = ErrorCode(rawValue: "body_too_large")
    /// `body_too_slow`.
    public static let bodyTooSlow = ErrorCode(rawValue: "body_too_slow")
    /// `unsupported_media_type`.
    public static let unsupportedMediaType = ErrorCode(rawValue: "unsupported_media_type")
    /// `transfer_coding_unsupported`.
    public static let transferCodingUnsupported = ErrorCode(rawValue: "transfer_coding_unsupported")
    /// `not_found`.
    public static let notFound = ErrorCode(rawValue: "not_found")
    /// `method_not_allowed`.
    public static let methodNotAllowed = ErrorCode(rawValue: "method_not_allowed")
    /// `origin_not_allowed`.
    public static let originNotAllowed = ErrorCode(rawValue: "origin_not_allowed")
    /// `speculative_request`.
    public static let speculativeRequest = ErrorCode(rawValue: "speculative_request")
    /// `client_unknown`.
    public static let clientUnknown = ErrorCode(rawValue: "client_unknown")
    /// `invalid_client`.
    public static let invalidClient = ErrorCode(rawValue: "invalid_client")
    /// `report_not_signed`.
    public static let reportNotSigned = ErrorCode(rawValue: "report_not_signed")
    /// `report_out_of_time`.
    public static let reportOutOfTime = ErrorCode(rawValue: "report_out_of_time")
    /// `algorithm_not_allowed`.
    public static let algorithmNotAllowed = ErrorCode(rawValue: "algorithm_not_allowed")
    /// `header_unsupported`.
    public static let headerUnsupported = ErrorCode(rawValue: "header_unsupported")
    /// `wrong_token_type`.
    public static let wrongTokenType = ErrorCode(rawValue: "wrong_token_type")
    /// `key_id_malformed`.
    public static let keyIdMalformed = ErrorCode(rawValue: "key_id_malformed")
    /// `key_unknown`.
    public static let keyUnknown = ErrorCode(rawValue: "key_unknown")
    /// `signature_invalid`.
    public static let signatureInvalid = ErrorCode(rawValue: "signature_invalid")
    /// `issuer_not_allowed`.
    public static let issuerNotAllowed = ErrorCode(rawValue: "issuer_not_allowed")
    /// `audience_mismatch`.
    public static let audienceMismatch = ErrorCode(rawValue: "audience_mismatch")
    /// `audience_flow_mismatch`.
    public static let audienceFlowMismatch = ErrorCode(rawValue: "audience_flow_mismatch")
    /// `authorized_party_mismatch`.
    public static let authorizedPartyMismatch = ErrorCode(rawValue: "authorized_party_mismatch")
    /// `claim_type`.
    public static let claimType = ErrorCode(rawValue: "claim_type")
    /// `expired`.
    public static let expired = ErrorCode(rawValue: "expired")
    /// `issued_at_invalid`.
    public static let issuedAtInvalid = ErrorCode(rawValue: "issued_at_invalid")
    /// `not_yet_valid`.
    public static let notYetValid = ErrorCode(rawValue: "not_yet_valid")
    /// `too_old`.
    public static let tooOld = ErrorCode(rawValue: "too_old")
    /// `lifetime_too_long`.
    public static let lifetimeTooLong = ErrorCode(rawValue: "lifetime_too_long")
    /// `subject_invalid`.
    public static let subjectInvalid = ErrorCode(rawValue: "subject_invalid")
    /// `tenant_not_allowed`.
    public static let tenantNotAllowed = ErrorCode(rawValue: "tenant_not_allowed")
    /// `domain_not_allowed`.
    public static let domainNotAllowed = ErrorCode(rawValue: "domain_not_allowed")
    /// `app_mismatch`.
    public static let appMismatch = ErrorCode(rawValue: "app_mismatch")
    /// `subject_mismatch`.
    public static let subjectMismatch = ErrorCode(rawValue: "subject_mismatch")
    /// `code_invalid`.
    public static let codeInvalid = ErrorCode(rawValue: "code_invalid")
    /// `code_token_mismatch`.
    public static let codeTokenMismatch = ErrorCode(rawValue: "code_token_mismatch")
    /// `upstream_invalid_token`.
    public static let upstreamInvalidToken = ErrorCode(rawValue: "upstream_invalid_token")
    /// `token_replayed`.
    public static let tokenReplayed = ErrorCode(rawValue: "token_replayed")
    /// `nonce_missing`.
    public static let nonceMissing = ErrorCode(rawValue: "nonce_missing")
    /// `nonce_mismatch`.
    public static let nonceMismatch = ErrorCode(rawValue: "nonce_mismatch")
    /// `nonce_absent`.
    public static let nonceAbsent = ErrorCode(rawValue: "nonce_absent")
    /// `nonce_unknown`.
    public static let nonceUnknown = ErrorCode(rawValue: "nonce_unknown")
    /// `nonce_expired`.
    public static let nonceExpired = ErrorCode(rawValue: "nonce_expired")
    /// `nonce_used`.
    public static let nonceUsed = ErrorCode(rawValue: "nonce_used")
    /// `provider_unknown`.
    public static let providerUnknown = ErrorCode(rawValue: "provider_unknown")
    /// `provider_not_allowed`.
    public static let providerNotAllowed = ErrorCode(rawValue: "provider_not_allowed")
    /// `guests_not_allowed`.
    public static let guestsNotAllowed = ErrorCode(rawValue: "guests_not_allowed")
    /// `provider_unavailable`.
    public static let providerUnavailable = ErrorCode(rawValue: "provider_unavailable")
    /// `provider_misconfigured`.
    public static let providerMisconfigured = ErrorCode(rawValue: "provider_misconfigured")
    /// `account_disabled`.
    public static let accountDisabled = ErrorCode(rawValue: "account_disabled")
    /// `identity_in_use`.
    public static let identityInUse = ErrorCode(rawValue: "identity_in_use")
    /// `account_conflict`.
    public static let accountConflict = ErrorCode(rawValue: "account_conflict")
    /// `link_subject_changed`.
    public static let linkSubjectChanged = ErrorCode(rawValue: "link_subject_changed")
    /// `last_credential`.
    public static let lastCredential = ErrorCode(rawValue: "last_credential")
    /// `reauth_required`.
    public static let reauthRequired = ErrorCode(rawValue: "reauth_required")
    /// `operator_account`.
    public static let operatorAccount = ErrorCode(rawValue: "operator_account")
    /// `operator_acts`.
    public static let operatorActs = ErrorCode(rawValue: "operator_acts")
    /// `flow_expired`.
    public static let flowExpired = ErrorCode(rawValue: "flow_expired")
    /// `access_token_missing`.
    public static let accessTokenMissing = ErrorCode(rawValue: "access_token_missing")
    /// `access_token_invalid`.
    public static let accessTokenInvalid = ErrorCode(rawValue: "access_token_invalid")
    /// `access_token_expired`.
    public static let accessTokenExpired = ErrorCode(rawValue: "access_token_expired")
    /// `session_ended`.
    public static let sessionEnded = ErrorCode(rawValue: "session_ended")
    /// `refresh_token_invalid`.
    public static let refreshTokenInvalid = ErrorCode(rawValue: "refresh_token_invalid")
    /// `refresh_token_expired`.
    public static let refreshTokenExpired = ErrorCode(rawValue: "refresh_token_expired")
    /// `refresh_token_reused`.
    public static let refreshTokenReused = ErrorCode(rawValue: "refresh_token_reused")
    /// `invalid_credentials`.
    public static let invalidCredentials = ErrorCode(rawValue: "invalid_credentials")
    /// `password_too_short`.
    public static let passwordTooShort = ErrorCode(rawValue: "password_too_short")
    /// `password_too_long`.
    public static let passwordTooLong = ErrorCode(rawValue: "password_too_long")
    /// `password_common`.
    public static let passwordCommon = ErrorCode(rawValue: "password_common")
    /// `password_contains_address`.
    public static let passwordContainsAddress = ErrorCode(rawValue: "password_contains_address")
    /// `password_unchanged`.
    public static let passwordUnchanged = ErrorCode(rawValue: "password_unchanged")
    /// `code_wrong`.
    public static let codeWrong = ErrorCode(rawValue: "code_wrong")
    /// `too_many_tries`.
    public static let tooManyTries = ErrorCode(rawValue: "too_many_tries")
    /// `resend_too_soon`.
    public static let resendTooSoon = ErrorCode(rawValue: "resend_too_soon")
    /// `too_many_resends`.
    public static let tooManyResends = ErrorCode(rawValue: "too_many_resends")
    /// `throttled`.
    public static let throttled = ErrorCode(rawValue: "throttled")
    /// `claims_unavailable`.
    public static let claimsUnavailable = ErrorCode(rawValue: "claims_unavailable")
    /// `challenge_unavailable`.
    public static let challengeUnavailable = ErrorCode(rawValue: "challenge_unavailable")
    /// `delivery_unavailable`.
    public static let deliveryUnavailable = ErrorCode(rawValue: "delivery_unavailable")
    /// `delivery_refused`.
    public static let deliveryRefused = ErrorCode(rawValue: "delivery_refused")
    /// `bot_check_required`.
    public static let botCheckRequired = ErrorCode(rawValue: "bot_check_required")
    /// `bot_check_failed`.
    public static let botCheckFailed = ErrorCode(rawValue: "bot_check_failed")
    /// `country_not_served`.
    public static let countryNotServed = ErrorCode(rawValue: "country_not_served")
    /// `passkey_refused`.
    public static let passkeyRefused = ErrorCode(rawValue: "passkey_refused")
    /// `no_second_factor_left`.
    public static let noSecondFactorLeft = ErrorCode(rawValue: "no_second_factor_left")
    /// `step_up_required`.
    public static let stepUpRequired = ErrorCode(rawValue: "step_up_required")
    /// `factor_exists`.
    public static let factorExists = ErrorCode(rawValue: "factor_exists")
    /// `factor_not_independent`.
    public static let factorNotIndependent = ErrorCode(rawValue: "factor_not_independent")
    /// `no_second_factor`.
    public static let noSecondFactor = ErrorCode(rawValue: "no_second_factor")
    /// `second_factor_demanded`.
    public static let secondFactorDemanded = ErrorCode(rawValue: "second_factor_demanded")
    /// `nothing_to_resend`.
    public static let nothingToResend = ErrorCode(rawValue: "nothing_to_resend")
    /// `code_expired`.
    public static let codeExpired = ErrorCode(rawValue: "code_expired")
    /// `password_rejected`.
    public static let passwordRejected = ErrorCode(rawValue: "password_rejected")
    /// `attributes_rejected`.
    public static let attributesRejected = ErrorCode(rawValue: "attributes_rejected")
    /// `temporary_password_expired`.
    public static let temporaryPasswordExpired = ErrorCode(rawValue: "temporary_password_expired")
    /// `provider_declined`.
    public static let providerDeclined = ErrorCode(rawValue: "provider_declined")
    /// `address_in_use`.
    public static let addressInUse = ErrorCode(rawValue: "address_in_use")
    /// `user_name_taken`.
    public static let userNameTaken = ErrorCode(rawValue: "user_name_taken")
    /// `state_invalid`.
    public static let stateInvalid = ErrorCode(rawValue: "state_invalid")
    /// `state_not_bound`.
    public static let stateNotBound = ErrorCode(rawValue: "state_not_bound")
    /// `state_used`.
    public static let stateUsed = ErrorCode(rawValue: "state_used")
    /// `mixup`.
    public static let mixup = ErrorCode(rawValue: "mixup")
    /// `provider_disabled`.
    public static let providerDisabled = ErrorCode(rawValue: "provider_disabled")
    /// `provider_cancelled`.
    public static let providerCancelled = ErrorCode(rawValue: "provider_cancelled")
    /// `provider_failed`.
    public static let providerFailed = ErrorCode(rawValue: "provider_failed")
    /// `redirect_not_allowed`.
    public static let redirectNotAllowed = ErrorCode(rawValue: "redirect_not_allowed")
    /// `code_challenge_required`.
    public static let codeChallengeRequired = ErrorCode(rawValue: "code_challenge_required")
    /// `login_required`.
    public static let loginRequired = ErrorCode(rawValue: "login_required")
    /// `insecure_transport`.
    public static let insecureTransport = ErrorCode(rawValue: "insecure_transport")
    /// `disown_link_invalid`.
    public static let disownLinkInvalid = ErrorCode(rawValue: "disown_link_invalid")
    /// `invitation_invalid`.
    public static let invitationInvalid = ErrorCode(rawValue: "invitation_invalid")
    /// `form_not_bound`.
    public static let formNotBound = ErrorCode(rawValue: "form_not_bound")
    /// `invalid_grant`.
    public static let invalidGrant = ErrorCode(rawValue: "invalid_grant")
    /// `unsupported_grant_type`.
    public static let unsupportedGrantType = ErrorCode(rawValue: "unsupported_grant_type")
    /// `unsupported_token_type`.
    public static let unsupportedTokenType = ErrorCode(rawValue: "unsupported_token_type")
    /// `not_an_operator`.
    public static let notAnOperator = ErrorCode(rawValue: "not_an_operator")
    /// `audience_not_allowed`.
    public static let audienceNotAllowed = ErrorCode(rawValue: "audience_not_allowed")
    /// `too_many_streams`.
    public static let tooManyStreams = ErrorCode(rawValue: "too_many_streams")
    /// `role_too_low`.
    public static let roleTooLow = ErrorCode(rawValue: "role_too_low")
    /// `access_key_invalid`.
    public static let accessKeyInvalid = ErrorCode(rawValue: "access_key_invalid")
    /// `access_key_expired`.
    public static let accessKeyExpired = ErrorCode(rawValue: "access_key_expired")
    /// `network_not_allowed`.
    public static let networkNotAllowed = ErrorCode(rawValue: "network_not_allowed")
    /// `out_of_reach`.
    public static let outOfReach = ErrorCode(rawValue: "out_of_reach")
    /// `idempotency_key_reused`.
    public static let idempotencyKeyReused = ErrorCode(rawValue: "idempotency_key_reused")
    /// `idempotency_key_busy`.
    public static let idempotencyKeyBusy = ErrorCode(rawValue: "idempotency_key_busy")
    /// `own_account`.
    public static let ownAccount = ErrorCode(rawValue: "own_account")
    /// `last_owner`.
    public static let lastOwner = ErrorCode(rawValue: "last_owner")
    /// `last_administration_client`.
    public static let lastAdministrationClient = ErrorCode(rawValue: "last_administration_client")
    /// `role_needs_factor`.
    public static let roleNeedsFactor = ErrorCode(rawValue: "role_needs_factor")
    /// `change_not_settled`.
    public static let changeNotSettled = ErrorCode(rawValue: "change_not_settled")
    /// `nothing_to_change`.
    public static let nothingToChange = ErrorCode(rawValue: "nothing_to_change")
    /// `accounts_changed`.
    public static let accountsChanged = ErrorCode(rawValue: "accounts_changed")
    /// `deletion_waits`.
    public static let deletionWaits = ErrorCode(rawValue: "deletion_waits")
    /// `undo_over`.
    public static let undoOver = ErrorCode(rawValue: "undo_over")
    /// `undo_blocked`.
    public static let undoBlocked = ErrorCode(rawValue: "undo_blocked")
    /// `overloaded`.
    public static let overloaded = ErrorCode(rawValue: "overloaded")
    /// `deadline_exceeded`.
    public static let deadlineExceeded = ErrorCode(rawValue: "deadline_exceeded")
    /// `database_unavailable`.
    public static let databaseUnavailable = ErrorCode(rawValue: "database_unavailable")
    /// `clock_wrong`.
    public static let clockWrong = ErrorCode(rawValue: "clock_wrong")
    /// `outcome_unknown`.
    public static let outcomeUnknown = ErrorCode(rawValue: "outcome_unknown")
    /// `client_document_refused`.
    public static let clientDocumentRefused = ErrorCode(rawValue: "client_document_refused")
    /// `app_request_refused`.
    public static let appRequestRefused = ErrorCode(rawValue: "app_request_refused")
    /// `invalid_client_metadata`.
    public static let invalidClientMetadata = ErrorCode(rawValue: "invalid_client_metadata")
    /// `invalid_redirect_uri`.
    public static let invalidRedirectURI = ErrorCode(rawValue: "invalid_redirect_uri")
    /// `subject_token_invalid`.
    public static let subjectTokenInvalid = ErrorCode(rawValue: "subject_token_invalid")
    /// `assertion_invalid`.
    public static let assertionInvalid = ErrorCode(rawValue: "assertion_invalid")
    /// `invalid_target`.
    public static let invalidTarget = ErrorCode(rawValue: "invalid_target")
    /// `invalid_scope`.
    public static let invalidScope = ErrorCode(rawValue: "invalid_scope")
    /// `authorization_pending`.
    public static let authorizationPending = ErrorCode(rawValue: "authorization_pending")
    /// `slow_down`.
    public static let slowDown = ErrorCode(rawValue: "slow_down")
    /// `access_denied`.
    public static let accessDenied = ErrorCode(rawValue: "access_denied")
    /// `expired_token`.
    public static let expiredToken = ErrorCode(rawValue: "expired_token")
    /// `unauthorized_client`.
    public static let unauthorizedClient = ErrorCode(rawValue: "unauthorized_client")
    /// `user_code_invalid`.
    public static let userCodeInvalid = ErrorCode(rawValue: "user_code_invalid")
    /// `internal_error`.
    public static let internalError = ErrorCode(rawValue: "internal_error")
    /// `invalid_dpop_proof` (RFC 9449 section 5).
    public static let invalidDPoPProof = ErrorCode(rawValue: "invalid_dpop_proof")
    /// `use_dpop_nonce` (RFC 9449 section 8).
    public static let useDPoPNonce = ErrorCode(rawValue: "use_dpop_nonce")

    /// Every code that this library knows: those of `docs/openapi.yaml`.
    static let known: [ErrorCode] = [
        .malformedRequest, .invalidRequest, .badRequest, .headersTooLarge, .bodyTooLarge, .bodyTooSlow,
        .unsupportedMediaType, .transferCodingUnsupported, .notFound, .methodNotAllowed, .originNotAllowed,
        .speculativeRequest, .clientUnknown, .invalidClient,
        .reportNotSigned, .reportOutOfTime, .algorithmNotAllowed, .headerUnsupported, .wrongTokenType,
        .keyIdMalformed, .keyUnknown, .signatureInvalid, .issuerNotAllowed, .audienceMismatch, .audienceFlowMismatch,
        .authorizedPartyMismatch, .claimType, .expired, .issuedAtInvalid, .notYetValid, .tooOld, .lifetimeTooLong,
        .subjectInvalid, .tenantNotAllowed, .domainNotAllowed, .appMismatch, .subjectMismatch, .codeInvalid,
        .codeTokenMismatch, .upstreamInvalidToken, .tokenReplayed, .nonceMissing, .nonceMismatch, .nonceAbsent,
        .nonceUnknown, .nonceExpired, .nonceUsed, .providerUnknown, .providerNotAllowed, .guestsNotAllowed,
        .providerUnavailable,
        .providerMisconfigured, .accountDisabled, .identityInUse, .accountConflict, .linkSubjectChanged,
        .lastCredential, .reauthRequired, .operatorAccount, .operatorActs, .flowExpired, .accessTokenMissing,
        .accessTokenInvalid,
        .accessTokenExpired, .sessionEnded, .refreshTokenInvalid, .refreshTokenExpired, .refreshTokenReused,
        .invalidCredentials, .passwordTooShort, .passwordTooLong, .passwordCommon, .passwordContainsAddress,
        .passwordUnchanged, .codeWrong, .tooManyTries, .resendTooSoon, .tooManyResends, .throttled,
        .claimsUnavailable, .challengeUnavailable, .deliveryUnavailable, .deliveryRefused, .countryNotServed,
        .passkeyRefused, .noSecondFactorLeft, .stepUpRequired, .factorExists, .factorNotIndependent, .noSecondFactor,
        .botCheckRequired, .botCheckFailed,
        .secondFactorDemanded, .nothingToResend, .codeExpired, .passwordRejected, .attributesRejected,
        .temporaryPasswordExpired, .providerDeclined, .addressInUse, .userNameTaken, .stateInvalid, .stateNotBound,
        .stateUsed, .mixup, .providerDisabled, .providerCancelled, .providerFailed, .redirectNotAllowed,
        .codeChallengeRequired, .loginRequired, .insecureTransport, .disownLinkInvalid,
        .invitationInvalid, .formNotBound, .invalidGrant,
        .unsupportedGrantType, .unsupportedTokenType,
        .notAnOperator, .audienceNotAllowed, .tooManyStreams, .roleTooLow,
        .accessKeyInvalid, .accessKeyExpired, .networkNotAllowed, .outOfReach,
        .idempotencyKeyReused, .idempotencyKeyBusy, .ownAccount, .lastOwner,
        .lastAdministrationClient, .roleNeedsFactor, .changeNotSettled, .nothingToChange, .accountsChanged,
        .deletionWaits, .undoOver, .undoBlocked, .overloaded, .deadlineExceeded, .databaseUnavailable, .clockWrong,
        .outcomeUnknown, .internalError, .invalidDPoPProof, .useDPoPNonce,
        .clientDocumentRefused, .appRequestRefused, .invalidClientMetadata, .invalidRedirectURI, .subjectTokenInvalid,
        .assertionInvalid, .invalidTarget, .invalidScope, .authorizationPending, .slowDown, .accessDenied,
        .expiredToken, .unauthorizedClient, .userCodeInvalid,
    ]
}
