/// Input errors: the messages `problem.<code>`.
package enum ProblemCode: String, CaseIterable, Sendable {
    case invalidCredentials = "invalid_credentials"
    case invalidNameCredentials = "invalid_name_credentials"
    case throttled
    case overloaded
    case codeWrong = "code_wrong"
    case codeRequired = "code_required"
    case codeMalformed = "code_malformed"
    case authenticatorCodeWrong = "authenticator_code_wrong"
    case recoveryCodeWrong = "recovery_code_wrong"
    case answerWrong = "answer_wrong"
    case passwordWrong = "password_wrong"
    case passkeyRefused = "passkey_refused"
    case factorExists = "factor_exists"
    case factorNotIndependent = "factor_not_independent"
    case noSecondFactor = "no_second_factor"
    case nothingToResend = "nothing_to_resend"
    case secondFactorDemanded = "second_factor_demanded"
    case tooManyTries = "too_many_tries"
    case resendTooSoon = "resend_too_soon"
    case tooManyResends = "too_many_resends"
    case flowExpired = "flow_expired"
    case passwordTooShort = "password_too_short"
    case passwordTooLong = "password_too_long"
    case passwordCommon = "password_common"
    case passwordContainsAddress = "password_contains_address"
    case passwordUnchanged = "password_unchanged"
    case passwordRejected = "password_rejected"
    case codeExpired = "code_expired"
    case userCodeInvalid = "user_code_invalid"
    case attributesRejected = "attributes_rejected"
    case emailInvalid = "email_invalid"
    case phoneInvalid = "phone_invalid"
    case emailRequired = "email_required"
    case nameInvalid = "name_invalid"
    case userNameInvalid = "user_name_invalid"
    case userNameTaken = "user_name_taken"
    case addressInUse = "address_in_use"
    case attributeRequired = "attribute_required"
    case attributeTooLong = "attribute_too_long"
    case attributeNoNumber = "attribute_no_number"
    case attributeNoDate = "attribute_no_date"
    case passwordRequired = "password_required"
    case identityInUse = "identity_in_use"
    case lastCredential = "last_credential"
    case reauthRequired = "reauth_required"
    case deliveryUnavailable = "delivery_unavailable"
    case deliveryRefused = "delivery_refused"
    case countryNotServed = "country_not_served"
    case botCheckRequired = "bot_check_required"
    case botCheckFailed = "bot_check_failed"
    case displayNameInvalid = "display_name_invalid"
    case formNotBound = "form_not_bound"
    case operatorAccount = "operator_account"
    case confirmationRequired = "confirmation_required"
    case accountsChanged = "accounts_changed"
    case deletionWaits = "deletion_waits"
    case undoOver = "undo_over"
    case undoBlocked = "undo_blocked"
    case generic

    /// The invalid field, which is marked and focused.
    package var field: FormField? {
        switch self {
        case .codeWrong, .codeRequired, .codeMalformed, .codeExpired, .userCodeInvalid, .authenticatorCodeWrong,
            .recoveryCodeWrong:
            .code
        case .passwordTooShort, .passwordTooLong, .passwordCommon, .passwordContainsAddress, .passwordUnchanged,
            .passwordRejected, .passwordRequired:
            .password
        case .emailInvalid, .emailRequired, .factorNotIndependent: .email
        case .phoneInvalid: .phone
        case .nameInvalid, .userNameInvalid, .userNameTaken: .username
        case .passwordWrong: .currentPassword
        case .displayNameInvalid: .displayName
        case .confirmationRequired: .confirm
        default: nil
        }
    }
}

/// A field of a form, by its name.
package enum FormField: String, Sendable {
    case email, username
    case password
    case currentPassword = "current_password"
    case displayName = "display_name"
    case code, phone, confirm
}

/// Subjects of notices: the messages `notice.<code>.title` and `notice.<code>.text`.
package enum NoticeCode: String, CaseIterable, Sendable {
    case providerCancelled = "provider_cancelled"
    case providerFailed = "provider_failed"
    case providerUnavailable = "provider_unavailable"
    case credentialRefused = "credential_refused"
    case providerDisabled = "provider_disabled"
    case providerUnknown = "provider_unknown"
    case stateNotBound = "state_not_bound"
    case stateUsed = "state_used"
    case stateInvalid = "state_invalid"
    case flowExpired = "flow_expired"
    case mixUp = "mixup"
    case callbackMalformed = "callback_malformed"
    case redirectNotAllowed = "redirect_not_allowed"
    case clientUnknown = "client_unknown"
    case clientDocumentRefused = "client_document_refused"
    case appRequestRefused = "app_request_refused"
    case codeChallengeRequired = "code_challenge_required"
    case userNameTaken = "user_name_taken"
    case insecureTransport = "insecure_transport"
    case accountDisabled = "account_disabled"
    case temporaryPasswordExpired = "temporary_password_expired"
    case providerDeclined = "provider_declined"
    case accountConflict = "account_conflict"
    case deletionWaits = "deletion_waits"
    case identityInUse = "identity_in_use"
    case linkSubjectChanged = "link_subject_changed"
    case reauthRequired = "reauth_required"
    case audienceNotAllowed = "audience_not_allowed"
    case operatorActs = "operator_acts"
    case formNotBound = "form_not_bound"
    case tooManyTries = "too_many_tries"
    case noSecondFactorLeft = "no_second_factor_left"
    case deliveryUnavailable = "delivery_unavailable"
    case deliveryRefused = "delivery_refused"
    case countryNotServed = "country_not_served"
    case throttled
    case overloaded
    case outcomeUnknown = "outcome_unknown"
    case headersTooLarge = "headers_too_large"
    case bodyTooLarge = "body_too_large"
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case internalError = "internal_error"
    case welcome
    case signedOut = "signed_out"
    case signedOutEverywhere = "signed_out_everywhere"
    case deletionRequested = "deletion_requested"
    case accountDeleted = "account_deleted"
    case mergeUndone = "merge_undone"
    case disownLinkInvalid = "disown_link_invalid"
    case invitationInvalid = "invitation_invalid"
    case invitationAccepted = "invitation_accepted"
    case deviceAllowed = "device_allowed"
    case returnToApp = "return_to_app"
    case deviceDeclined = "device_declined"
    case sessionDisowned = "session_disowned"
    case sessionDisownedBefore = "session_disowned_before"
    case sessionDisownedMerged = "session_disowned_merged"
}

/// Kinds of choice: the messages `choice.<kind>`.
package enum ChoiceKind: String, CaseIterable, Sendable {
    case password, totp, email, sms, passkey, other
    case emailCode = "email_otp"
    case smsCode = "sms_otp"
    case recoveryCode = "recovery_code"
    case challenge = "custom_challenge"
    /// An operator who acts for the user.
    case impersonation = "operator"
}

/// The links of a notice: the messages `action.<key>`.
package enum ActionKey: String, CaseIterable, Sendable {
    case tryAgain = "try_again"
    case signIn = "sign_in"
    case signInAnotherWay = "sign_in_another_way"
    case toAccount = "to_account"
    case toStart = "to_start"
    case back
}
