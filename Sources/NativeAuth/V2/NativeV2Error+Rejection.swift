import HTTPServer
import JSON
import SignIn
import Vocabulary

/// THE TABLE of the core's refusals in the errors of version 2; exhaustive.
///
/// Numbers and descriptions are those of version 1, unless SDKs search for others.
extension NativeV2Error {
    /// - Parameter step: the call that was refused: a sign-up names refused values as attributes.
    init(_ rejection: Rejection, at step: Continuation.Step) {
        self = Self.error(rejection, isSignUp: step == .attributes)
        retryAfter = rejection.retryAfter
    }

    private static func error(_ rejection: Rejection, isSignUp: Bool) -> NativeV2Error {
        let shared = NativeAuthError(rejection)
        let code = rejection.code
        func attributes(_ names: [String], _ fault: String) -> NativeV2Error {
            .attributes(names.map { Detail(code: fault, attribute: $0) }, logged: code)
        }
        switch rejection {
        case .codeWrong, .codeExpired, .invalidField(.code, .notACode):
            return NativeV2Error(shared, code: "invalidGrant", inner: "invalidOneTimeCode", number: 50_181)
        case .invalidCredentials: return NativeV2Error(shared, inner: "invalidUserNameOrPassword")
        case .flowExpired, .handoverCodeInvalid, .tooManyTries, .tokenMalformed, .tokenInvalid, .tokenMissing,
            .tokenExpired, .cookieMalformed, .audienceNotAllowed, .keyProofNonceDue:
            return NativeV2Error(
                "invalidGrant", "invalidContinuationToken", 55_200,
                "The continuation token is not valid for this request.", logged: code)

        // Values
        case .passwordTooShort, .passwordTooLong, .passwordCommon, .passwordContainsAddress, .passwordUnchanged,
            .passwordRejected:
            guard !isSignUp else { return attributes(["password"], "passwordPolicyViolation") }
            return NativeV2Error(shared, code: "invalidRequest", inner: "passwordTooWeak", number: 120_002)
        case .invalidField(let field, _):
            return isSignUp ? attributes([field.attribute], "invalidValue") : NativeV2Error(shared)
        case .attributesInvalid, .attributesRejected:
            return attributes(shared.members["invalid_attributes"]?.attributeNames ?? [], "invalidValue")
        case .userNameTaken, .addressInUse, .accountConflict, .identityInUse:
            return attributes([NativeAuthAttributes.email], "userAlreadyExists")

        // Limits
        case .throttled, .resendTooSoon, .tooManyResends, .overloaded:
            return NativeV2Error(shared, code: "tooManyRequests", number: 90_033)

        // The same as in version 1
        case .clientUnknown, .clientAuthenticationFailed, .providerNotAllowed, .providerUnknown, .guestsNotAllowed,
            .keyProofInvalid,
            .accountDisabled, .temporaryPasswordExpired, .deliveryRefused, .countryNotServed, .factorNotIndependent,
            .factorExists, .refreshTokenInvalid, .refreshTokenMalformed, .refreshTokenExpired, .refreshTokenReused,
            .sessionEnded, .providerUnavailable, .databaseUnavailable, .outcomeUnknown, .claimsUnavailable,
            .challengeUnavailable, .deliveryUnavailable, .internalError, .providerMisconfigured, .providerDisabled,
            .credential, .nonceUnknown, .nonceExpired, .nonceUsed, .tokenReplayed, .linkSubjectChanged,
            .providerDeclined, .passkeyRefused, .nothingToResend, .noSecondFactorLeft, .noSecondFactor,
            .secondFactorDemanded, .stepUpRequired, .reauthRequired, .operatorAccount, .operatorActs, .notFound,
            .lastCredential,
            .accountsChanged, .deletionWaits, .undoOver, .undoBlocked, .disownLinkInvalid, .invitationInvalid,
            .reportNotSigned,
            .reportOutOfTime, .stateInvalid, .stateNotBound, .stateUsed, .mixup, .providerCancelled, .providerFailed,
            .redirectNotAllowed, .codeChallengeRequired, .tokenTypeUnsupported, .targetInvalid, .scopeInvalid,
            .clientDocumentRefused, .subjectTokenInvalid, .assertionInvalid, .device:
            return NativeV2Error(shared)
        // The caller answers with the way to a browser before it comes here.
        case .botCheckRequired, .botCheckFailed: return NativeV2Error(shared)
        }
    }
}

extension JSON {
    /// The names in `invalid_attributes` of version 1.
    fileprivate var attributeNames: [String] { array?.compactMap { $0["name"]?.string } ?? [] }
}

extension RequestField {
    /// The attribute of a sign-up that holds the field.
    fileprivate var attribute: String {
        switch self {
        case .password, .newPassword: "password"
        case .displayName: NativeAuthAttributes.displayName
        default: NativeAuthAttributes.email
        }
    }
}
