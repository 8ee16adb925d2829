/// The reason why a token was refused.
///
/// The raw value is the reason code for clients and logs; it never changes.
package enum TokenRefusal: String, Error, Sendable, CaseIterable {
    // Shape
    case tokenMissing = "token_missing"
    case tokenTooLarge = "token_too_large"
    case tokenMalformed = "token_malformed"
    case jsonMalformed = "json_malformed"
    // Header and signature
    case algorithmNotAllowed = "algorithm_not_allowed"
    case headerUnsupported = "header_unsupported"
    case wrongTokenType = "wrong_token_type"
    case keyIDMalformed = "key_id_malformed"
    case keyUnknown = "key_unknown"
    case signatureInvalid = "signature_invalid"
    // Claims
    case issuerNotAllowed = "issuer_not_allowed"
    case audienceMismatch = "audience_mismatch"
    case audienceFlowMismatch = "audience_flow_mismatch"
    case authorizedPartyMismatch = "authorized_party_mismatch"
    case claimType = "claim_type"
    case expired
    case issuedAtInvalid = "issued_at_invalid"
    case notYetValid = "not_yet_valid"
    case tooOld = "too_old"
    case lifetimeTooLong = "lifetime_too_long"
    case subjectInvalid = "subject_invalid"
    case nonceMissing = "nonce_missing"
    case nonceMismatch = "nonce_mismatch"
    case nonceAbsent = "nonce_absent"
    case tokenReplayed = "token_replayed"
    // Statements of a provider, and contradictions between its answers
    case tenantNotAllowed = "tenant_not_allowed"
    case domainNotAllowed = "domain_not_allowed"
    case appMismatch = "app_mismatch"
    case subjectMismatch = "subject_mismatch"
    case codeInvalid = "code_invalid"
    case codeTokenMismatch = "code_token_mismatch"
    case upstreamInvalidToken = "upstream_invalid_token"
}
