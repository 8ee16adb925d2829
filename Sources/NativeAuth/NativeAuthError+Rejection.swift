import JSON
import Vocabulary

/// THE TABLE of the core's refusals in the errors of native authentication; exhaustive.
extension NativeAuthError {
    init(_ rejection: Rejection) {
        self = Self.error(rejection)
    }

    private static func error(_ rejection: Rejection) -> NativeAuthError {
        let code = rejection.code
        func grant(_ number: Int, _ text: String) -> NativeAuthError {
            NativeAuthError("invalid_grant", [number], text, code: code)
        }
        func sub(_ suberror: String, _ number: Int, _ text: String, _ members: JSONObject = [:]) -> NativeAuthError {
            NativeAuthError("invalid_grant", suberror: suberror, [number], text, members: members, code: code)
        }
        func request(_ number: Int, _ text: String) -> NativeAuthError {
            NativeAuthError("invalid_request", [number], text, code: code)
        }
        func attributes(_ names: [String]) -> NativeAuthError {
            sub(
                "attribute_validation_failed", 55_107, "Attributes are not valid.",
                ["invalid_attributes": .array(names.map { ["name": .string(NativeAuthAttributes.name(of: $0))] })])
        }
        switch rejection {
        case .invalidField(.code, .notACode): return sub("invalid_oob_value", 50_181, "The one-time code is not valid.")
        case .invalidField(let field, _): return .parameter(field.nativeName)
        case .attributesInvalid(let faults): return attributes(faults.map(\.name))
        case .attributesRejected(let names): return attributes(names)
        case .clientUnknown: return .unknownClient
        case .clientAuthenticationFailed:
            return NativeAuthError("invalid_client", [7_000_215], "Invalid client secret.", code: code)
        case .providerNotAllowed, .providerUnknown, .guestsNotAllowed, .keyProofInvalid:
            return NativeAuthError(
                "invalid_client", suberror: "nativeauthapi_disabled", [550_022],
                "The method is not enabled for this application.",
                code: code)

        // Names, passwords and codes
        case .invalidCredentials:
            return grant(50_126, "Error validating credentials due to invalid username or password.")
        case .accountDisabled: return grant(50_057, "The user account is disabled.")
        case .temporaryPasswordExpired: return request(50_142, "The password has expired and must be reset.")
        case .userNameTaken, .addressInUse, .accountConflict, .identityInUse:
            return NativeAuthError("user_already_exists", [1_003_037], "The account already exists.", code: code)
        case .codeWrong: return sub("invalid_oob_value", 50_181, "The one-time code is not valid.")
        case .codeExpired, .flowExpired, .handoverCodeInvalid, .tooManyTries:
            return NativeAuthError("expired_token", [552_003], "The continuation_token has expired.", code: code)
        case .passwordTooShort: return sub("password_too_short", 399_246, "The password is too short.")
        case .passwordTooLong: return sub("password_too_long", 399_246, "The password is too long.")
        case .passwordCommon: return sub("password_banned", 399_246, "The password is too common.")
        case .passwordContainsAddress: return sub("password_is_invalid", 399_246, "The password contains the address.")
        case .passwordUnchanged: return sub("password_recently_used", 399_246, "The password was used before.")
        case .passwordRejected: return sub("password_too_weak", 399_246, "The password is not accepted.")
        case .deliveryRefused, .countryNotServed:
            return NativeAuthError(
                "access_denied", suberror: "provider_blocked_by_rep", [550_024], "No message can reach the address.",
                code: code)
        case .factorNotIndependent, .factorExists: return request(901_001, "The address is not valid for this method.")

        // Tokens
        case .tokenMalformed, .tokenInvalid, .tokenMissing, .cookieMalformed, .audienceNotAllowed,
            .keyProofNonceDue:
            return request(55_200, "The continuation_token is not valid.")
        case .tokenExpired:
            return NativeAuthError("expired_token", [552_003], "The continuation_token has expired.", code: code)
        case .refreshTokenInvalid, .refreshTokenMalformed: return grant(9_002_313, "The refresh token is not valid.")
        case .refreshTokenExpired: return grant(700_082, "The refresh token has expired.")
        case .refreshTokenReused, .sessionEnded: return grant(50_173, "The grant was revoked. Sign in again.")

        // Limits and faults that pass: no error that ends a session
        case .throttled, .resendTooSoon, .tooManyResends, .overloaded:
            return request(90_055, "Too many requests. Try again later.")
        case .providerUnavailable, .databaseUnavailable, .outcomeUnknown, .claimsUnavailable, .challengeUnavailable,
            .deliveryUnavailable, .internalError, .providerMisconfigured, .providerDisabled:
            return NativeAuthError("server_error", [90_033], "A transient error has occurred. Try again.", code: code)

        // Not asked for by these calls
        case .credential, .nonceUnknown, .nonceExpired, .nonceUsed, .tokenReplayed, .linkSubjectChanged,
            .providerDeclined, .passkeyRefused, .nothingToResend, .noSecondFactorLeft, .noSecondFactor,
            .secondFactorDemanded, .stepUpRequired, .reauthRequired, .operatorAccount, .operatorActs, .notFound,
            .lastCredential,
            .accountsChanged, .deletionWaits, .undoOver, .undoBlocked, .disownLinkInvalid, .invitationInvalid,
            .reportNotSigned,
            .reportOutOfTime, .stateInvalid, .stateNotBound, .stateUsed, .mixup, .providerCancelled, .providerFailed,
            .redirectNotAllowed, .codeChallengeRequired, .tokenTypeUnsupported, .targetInvalid, .scopeInvalid,
            .clientDocumentRefused, .subjectTokenInvalid, .assertionInvalid, .device:
            return request(90_014, "The request is not possible.")
        // The caller answers with a redirect before it comes here.
        case .botCheckRequired, .botCheckFailed: return request(90_014, "The request needs a browser.")
        }
    }
}

extension RequestField {
    fileprivate var nativeName: String {
        switch self {
        case .username: "username"
        case .password, .currentPassword: "password"
        case .newPassword: "new_password"
        case .code, .recoveryCode, .challengeAnswer: "oob"
        case .email, .phone, .address: "challenge_target"
        case .factor, .kind: "id"
        case .attributes, .displayName: "attributes"
        default: "request"
        }
    }
}
