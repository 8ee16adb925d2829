/// What can be wrong with something typed: the messages `problem.<code>`.
enum ProblemCode: String, CaseIterable, Sendable {
    case invalidCredentials = "invalid_credentials"
    case throttled
    case overloaded
    case codeWrong = "code_wrong"
    case tooManyTries = "too_many_tries"
    case resendTooSoon = "resend_too_soon"
    case tooManyResends = "too_many_resends"
    case flowExpired = "flow_expired"
    case passwordTooShort = "password_too_short"
    case passwordTooLong = "password_too_long"
    case passwordCommon = "password_common"
    case passwordContainsAddress = "password_contains_address"
    case emailInvalid = "email_invalid"
    case emailRequired = "email_required"
    case passwordRequired = "password_required"
    case identityInUse = "identity_in_use"
    case lastCredential = "last_credential"
    case reauthRequired = "reauth_required"
    case deliveryUnavailable = "delivery_unavailable"
    case deliveryRefused = "delivery_refused"
    case displayNameInvalid = "display_name_invalid"
    case formNotBound = "form_not_bound"
    case generic

    /// The one field to mend, which is marked and gets the focus.
    var field: FormField? {
        switch self {
        case .codeWrong: .code
        case .passwordTooShort, .passwordTooLong, .passwordCommon, .passwordContainsAddress, .passwordRequired:
            .password
        case .emailInvalid, .emailRequired: .email
        case .displayNameInvalid: .displayName
        default: nil
        }
    }
}

/// A field of a form by the name that it is posted under.
enum FormField: String, Sendable {
    case email
    case password
    case displayName = "display_name"
    case code
}

/// What a notice can be about: the messages `notice.<code>.title` and `notice.<code>.text`.
enum NoticeCode: String, CaseIterable, Sendable {
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
    case codeChallengeRequired = "code_challenge_required"
    case insecureTransport = "insecure_transport"
    case accountDisabled = "account_disabled"
    case identityInUse = "identity_in_use"
    case linkSubjectChanged = "link_subject_changed"
    case reauthRequired = "reauth_required"
    case formNotBound = "form_not_bound"
    case throttled
    case overloaded
    case bodyTooLarge = "body_too_large"
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case internalError = "internal_error"
    case signedOut = "signed_out"
    case signedOutEverywhere = "signed_out_everywhere"
}

/// What was just done on the account page: the messages `account.done.<it>`.
enum AccountDeed: String, CaseIterable, Sendable {
    case linked, unlinked, ended, saved
}

/// The ways on from a notice: the messages `action.<key>`.
enum ActionKey: String, CaseIterable, Sendable {
    case tryAgain = "try_again"
    case signIn = "sign_in"
    case signInAnotherWay = "sign_in_another_way"
    case toAccount = "to_account"
    case back
}
