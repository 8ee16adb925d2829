import Clients
import Vocabulary
import WebAuthn

/// THE TABLE of the core's refusals in the names and texts of the API; exhaustive.
///
/// Names that make an SDK discard its tokens (amplify-js: those that begin with `NotAuthorized`, `UserNotFound`,
/// `PasswordResetRequired`, `UserNotConfirmed`, `TokenRevoked`, `RefreshTokenReuse`) stand for final refusals only.
extension CognitoError {
    /// - Parameters:
    ///   - subject: the subject of the operation.
    ///   - clientID: the app client's id of the request.
    init(_ rejection: Rejection, about subject: CognitoOperation.Subject, clientID: String?) {
        let (name, message) = Self.words(rejection, subject, clientID ?? "")
        self.init(name, message, code: rejection.code)
    }

    private static func words(
        _ rejection: Rejection, _ subject: CognitoOperation.Subject, _ client: String
    ) -> (Name, String) {
        switch rejection {
        // The form of the request
        case .invalidField(.code, .notACode): wrongCode(subject)
        case .invalidField(let field, let fault): (.invalidParameter, field.cognitoSentence(fault))
        case .attributesInvalid(let faults) where faults.contains(where: { $0.fault == .notWritable }):
            (.notAuthorized, CognitoError.unwritable.message)
        case .attributesInvalid(let faults):
            (
                .invalidParameter,
                "Attributes did not conform to the schema: "
                    + faults.map { "\(CognitoAttributes.name(of: $0.name)): \($0.fault.rawValue)" }.joined(
                        separator: ", ")
            )
        case .attributesRejected(let names):
            (.invalidParameter, "Attributes did not conform to the schema: \(names.joined(separator: ", "))")
        case .clientUnknown: (.resourceNotFound, "User pool client \(client) does not exist.")
        case .providerUnknown: (.invalidParameter, "The sign-in method is unknown.")
        case .providerNotAllowed: (.invalidParameter, "The flow is not enabled for this client.")
        case .guestsNotAllowed: (.invalidParameter, "Guests are not enabled for this client.")

        // Names and passwords
        case .invalidCredentials: (.notAuthorized, "Incorrect username or password.")
        case .accountDisabled: (.notAuthorized, "User is disabled.")
        case .temporaryPasswordExpired:
            (.notAuthorized, "Temporary password has expired and must be reset by an administrator")
        case .userNameTaken: (.usernameExists, "User already exists")
        case .addressInUse: (.aliasExists, "An account with the given email already exists.")
        case .passwordTooShort(let minimum): password("Password not long enough: at least \(minimum) characters")
        case .passwordTooLong: password("Password is too long")
        case .passwordCommon: password("Password is too common")
        case .passwordContainsAddress: password("Password must not contain the address")
        case .passwordUnchanged: password("Password must differ from the previous one")
        case .passwordRejected(let reasons): password(reasons.joined(separator: ", "))

        // Credentials of providers
        case .credential, .nonceUnknown, .nonceExpired, .nonceUsed, .tokenReplayed, .linkSubjectChanged:
            (.notAuthorized, "The ID token is not accepted.")
        case .providerDeclined: (.userLambdaValidation, "The provider refused the sign-in.")
        case .accountConflict, .identityInUse: (.aliasExists, "The identity belongs to another user.")

        // Codes and challenges
        case .codeWrong: wrongCode(subject)
        case .codeExpired: (.expiredCode, "Invalid code provided, please request a code again.")
        case .flowExpired: session(subject)
        case .tooManyTries:
            subject == .challenge
                ? session(subject) : (.limitExceeded, "Attempt limit exceeded, please try after some time.")
        case .resendTooSoon, .tooManyResends: (.limitExceeded, "Attempt limit exceeded, please try after some time.")
        case .nothingToResend: (.invalidParameter, "User is already confirmed.")
        case .passkeyRefused(let error): (error.cognitoName, "The passkey is not accepted: \(error.rawValue).")
        case .noSecondFactorLeft, .noSecondFactor: (.mfaMethodNotFound, "The user has no usable second factor.")

        // Limits and faults that pass
        case .throttled: throttled(subject)
        case .overloaded: (.tooManyRequests, "Rate exceeded")
        case .providerUnavailable, .databaseUnavailable, .outcomeUnknown, .claimsUnavailable, .challengeUnavailable:
            (.internalError, "The service is not available now. Try again.")
        case .internalError: (.internalError, "Internal error.")
        case .deliveryUnavailable: (.codeDeliveryFailure, "The message could not be sent. Try again.")
        case .deliveryRefused: (.codeDeliveryFailure, "The address does not receive messages.")
        case .countryNotServed: (.codeDeliveryFailure, "No text messages are sent to this country.")
        case .providerMisconfigured, .providerDisabled:
            (.invalidUserPoolConfiguration, "The provider is not configured.")

        // Access tokens and refresh tokens
        case .tokenMissing, .tokenInvalid, .tokenMalformed, .cookieMalformed, .keyProofNonceDue:
            (.notAuthorized, "Invalid Access Token")
        case .keyProofInvalid: (.notAuthorized, "The client gets only tokens that are bound to a key.")
        case .tokenExpired: (.notAuthorized, "Access Token has expired")
        case .audienceNotAllowed: (.notAuthorized, "Access Token does not have required scopes")
        case .sessionEnded:
            (.notAuthorized, subject == .refresh ? "Refresh Token has been revoked" : "Access Token has been revoked")
        case .refreshTokenInvalid, .refreshTokenMalformed: (.notAuthorized, "Invalid Refresh Token.")
        case .refreshTokenExpired: (.notAuthorized, "Refresh Token has expired")
        case .refreshTokenReused:
            subject == .refresh
                ? (.refreshTokenReuse, "Refresh Token has been used.") : (.notAuthorized, "Invalid Refresh Token.")
        case .clientAuthenticationFailed: (.notAuthorized, "Unable to verify secret hash for client \(client)")

        // The account
        case .reauthRequired: (.notAuthorized, "Sign in again to make this change.")
        case .stepUpRequired: (.notAuthorized, "Sign in with another proof to make this change.")
        case .secondFactorDemanded: (.invalidParameter, "The user needs a second factor.")
        case .lastCredential: (.invalidParameter, "The user needs a way to sign in.")
        case .factorExists:
            subject == .device
                ? (.deviceKeyExists, "Device already exists.")
                : (.invalidParameter, "The user has this factor already.")
        case .factorNotIndependent: (.invalidParameter, "The factor depends on the first factor.")
        case .operatorAccount: (.forbidden, "The user is an operator.")
        case .operatorActs: (.forbidden, "An operator who acts for the user may change nothing.")
        case .notFound:
            switch subject {
            // Three clients compare this text.
            case .signIn, .challenge, .device: (.resourceNotFound, "Device does not exist.")
            case .signUpCode, .resetCode, .attributeCode, .refresh, .account:
                (.resourceNotFound, "The resource does not exist.")
            }
        case .accountsChanged, .deletionWaits, .undoOver, .undoBlocked, .disownLinkInvalid, .invitationInvalid:
            (.invalidParameter, "The change is not possible now.")

        // Only a browser can go on
        case .botCheckRequired, .botCheckFailed:
            (.userLambdaValidation, "This request needs a check in a browser.")
        case .stateInvalid, .stateNotBound, .stateUsed, .mixup, .providerCancelled, .providerFailed,
            .redirectNotAllowed, .codeChallengeRequired, .tokenTypeUnsupported, .targetInvalid, .scopeInvalid,
            .clientDocumentRefused, .subjectTokenInvalid, .assertionInvalid, .reportNotSigned, .reportOutOfTime,
            .device:
            (.invalidParameter, "The request is not valid.")
        case .handoverCodeInvalid: session(.challenge)
        }
    }

    private static func wrongCode(_ subject: CognitoOperation.Subject) -> (Name, String) {
        (
            .codeMismatch,
            subject == .challenge
                ? "Invalid code or auth state for the user."
                : "Invalid verification code provided, please try again."
        )
    }

    private static func password(_ reason: String) -> (Name, String) {
        (.invalidPassword, "Password did not conform with policy: \(reason)")
    }

    private static func session(_ subject: CognitoOperation.Subject) -> (Name, String) {
        switch subject {
        case .signIn, .challenge, .refresh, .account, .device: (.notAuthorized, "Invalid session for the user.")
        case .signUpCode, .resetCode, .attributeCode:
            (.expiredCode, "Invalid code provided, please request a code again.")
        }
    }

    /// A lockout of passwords has a text of its own; the other budgets are of requests or codes.
    private static func throttled(_ subject: CognitoOperation.Subject) -> (Name, String) {
        switch subject {
        case .signIn, .challenge: (.notAuthorized, "Password attempts exceeded")
        case .signUpCode, .resetCode, .attributeCode:
            (.limitExceeded, "Attempt limit exceeded, please try after some time.")
        case .refresh, .account, .device: (.tooManyRequests, "Rate exceeded")
        }
    }
}

extension RequestField {
    /// The sentence of a refused parameter.
    fileprivate func cognitoSentence(_ fault: FieldFault) -> String {
        switch fault {
        case .required: "Missing required parameter \(cognitoName)"
        case .notAnEmailAddress: self == .username ? "Username should be an email." : "Invalid email address format."
        case .notAPhoneNumber: "Invalid phone number format."
        case .notAUserName, .notASignInName: "Username is not valid."
        default: "Invalid parameter \(cognitoName): \(fault.rawValue.replacing("_", with: " "))."
        }
    }

    private var cognitoName: String {
        switch self {
        case .username: "USERNAME"
        case .password, .currentPassword: "PASSWORD"
        case .newPassword: "NEW_PASSWORD"
        case .code, .recoveryCode: "ConfirmationCode"
        case .challengeAnswer, .factor: "ANSWER"
        case .passkey: "CREDENTIAL"
        case .email, .phone, .address, .attributes, .displayName: "UserAttributes"
        case .credential(let member): member
        case .accessToken: "AccessToken"
        case .firstFactor, .cursor, .separateAccount, .kind, .recoveryCodes, .responseType, .redirectURI, .state,
            .codeChallenge, .codeChallengeMethod, .codeVerifier, .responseMode, .prompt, .nonce, .providerAnswer:
            "parameter"
        }
    }
}

extension WebAuthnError {
    fileprivate var cognitoName: CognitoError.Name {
        switch self {
        case .challengeMismatch: .webAuthnChallengeNotFound
        case .originMismatch, .crossOriginRefused, .topOriginMismatch: .webAuthnOriginNotAllowed
        case .relyingPartyMismatch: .webAuthnRelyingPartyMismatch
        case .clientDataMalformed, .clientDataTypeInvalid, .tokenBindingUnsupported: .webAuthnClientMismatch
        case .attestationFormatUnsupported, .attestationECDAAUnsupported, .algorithmNotAllowed, .attestationUntrusted:
            .webAuthnCredentialNotSupported
        case .credentialNotAllowed, .userHandleMissing, .userHandleMismatch, .signatureInvalid, .counterWentBack:
            .notAuthorized
        default: .webAuthnCredentialNotSupported
        }
    }
}
