/// The reasons for refusing an authenticator's response.
///
/// The raw value is the reason code for clients and logs; it never changes.
package enum WebAuthnError: String, Error, Sendable, CaseIterable {
    // Shape of the response
    case responseMalformed = "response_malformed"
    case credentialTypeInvalid = "credential_type_invalid"
    /// Two members with the credential id differ.
    case credentialIDMismatch = "credential_id_mismatch"
    case credentialIDTooLong = "credential_id_too_long"
    // Client data
    case clientDataMalformed = "client_data_malformed"
    case clientDataTypeInvalid = "client_data_type_invalid"
    case challengeMismatch = "challenge_mismatch"
    case originMismatch = "origin_mismatch"
    case crossOriginRefused = "cross_origin_refused"
    case topOriginMismatch = "top_origin_mismatch"
    case tokenBindingUnsupported = "token_binding_unsupported"
    // Authenticator data
    case authenticatorDataMalformed = "authenticator_data_malformed"
    case relyingPartyMismatch = "relying_party_mismatch"
    case userNotPresent = "user_not_present"
    case userNotVerified = "user_not_verified"
    /// Backed up, but not eligible for backup.
    case backupStateInvalid = "backup_state_invalid"
    case backupEligibilityChanged = "backup_eligibility_changed"
    case attestedCredentialMissing = "attested_credential_missing"
    case attestedCredentialUnexpected = "attested_credential_unexpected"
    // Public key
    case publicKeyMalformed = "public_key_malformed"
    case algorithmNotAllowed = "algorithm_not_allowed"
    /// A kind or curve that doesn't match the algorithm, a point off the curve, unsafe numbers.
    case publicKeyUnsuitable = "public_key_unsuitable"
    // Attestation
    case attestationObjectMalformed = "attestation_object_malformed"
    case attestationFormatUnsupported = "attestation_format_unsupported"
    case attestationStatementMalformed = "attestation_statement_malformed"
    case attestationECDAAUnsupported = "attestation_ecdaa_unsupported"
    case attestationAlgorithmMismatch = "attestation_algorithm_mismatch"
    case attestationSignatureInvalid = "attestation_signature_invalid"
    case attestationCertificateMalformed = "attestation_certificate_malformed"
    case attestationCertificateVersion = "attestation_certificate_version"
    case attestationCertificateSubject = "attestation_certificate_subject"
    case attestationCertificateAuthority = "attestation_certificate_authority"
    case attestationCertificateModel = "attestation_certificate_model"
    case attestationUntrusted = "attestation_untrusted"
    // Assertion
    case credentialNotAllowed = "credential_not_allowed"
    case userHandleMissing = "user_handle_missing"
    case userHandleMismatch = "user_handle_mismatch"
    case signatureInvalid = "signature_invalid"
    /// Everything else is valid: two copies of the private key may be in use.
    case counterWentBack = "counter_went_back"
}
