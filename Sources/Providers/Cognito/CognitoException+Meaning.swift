extension CognitoException {
    /// The meaning of a refusal for the sign-in.
    enum Meaning: Equatable, Sendable {
        case end(StepwiseEnd)
        case refusal(StepRefusal)
        case resetRequired, notConfirmed, alreadyConfirmed
        /// A member of the request, which the text describes.
        case parameter
        /// A member with a shape that the API does not accept.
        case shape
        /// The user pool or its network has a temporary failure.
        case unavailable(reason: String, retryAfter: Int)
        /// Only the operator can correct this.
        case misconfigured(reason: String)
    }

    /// Cognito does not tell the length of a lock or limit; its locks last from seconds to 15 minutes.
    private static let lockSeconds = 60

    var meaning: Meaning {
        switch name {
        case "NotAuthorized": notAuthorized
        case "UserNotFound": .end(.credentialsWrong)
        case "PasswordResetRequired": .resetRequired
        case "UserNotConfirmed": .notConfirmed
        case "InvalidParameter": invalidParameter
        case "AliasExists": .end(.contactTaken)
        case "MFAMethodNotFound", "SoftwareTokenMFANotFound": .end(.noMethod)
        case "UserLambdaValidation": .end(.declined)
        default: refusal.map(Meaning.refusal) ?? trouble
        }
    }

    /// The refusal if another answer to the same step can succeed.
    private var refusal: StepRefusal? {
        switch name {
        case "CodeMismatch", "EnableSoftwareTokenMFA": .codeWrong
        case "ExpiredCode": text.contains("already been used") ? .codeUsed : .codeExpired
        case "InvalidPassword": .passwordRejected(passwordFaults)
        case "PasswordHistoryPolicyViolation": .passwordRejected([.recentlyUsed])
        case "CodeDeliveryFailure": .deliveryFailed
        case "LimitExceeded", "TooManyFailedAttempts": .tooManyAttempts(retryAfter: Self.lockSeconds)
        default: nil
        }
    }

    /// Reads the text of this type, which covers many cases; an unknown text counts as a rule of the operator.
    private var notAuthorized: Meaning {
        if text.contains("secret hash") || text.contains("SECRET_HASH") {
            return .misconfigured(reason: "client_secret_rejected")
        }
        if text.contains("unauthorized attribute") { return .misconfigured(reason: "attribute_not_writable") }
        if text.contains("Current status is CONFIRMED") { return .alreadyConfirmed }
        if text.contains("Invalid session") { return .end(.expired) }
        if text.contains("attempts exceeded") { return .end(.tooManyAttempts(retryAfter: Self.lockSeconds)) }
        if text.contains("User is disabled") { return .end(.userDisabled) }
        if text.contains("Temporary password has expired") { return .end(.temporaryPasswordExpired) }
        return text.contains("Incorrect username or password") ? .end(.credentialsWrong) : .end(.declined)
    }

    private var invalidParameter: Meaning {
        if text.contains("not enabled for") { return .misconfigured(reason: "auth_flow_not_enabled") }
        if text.contains("already confirmed") { return .alreadyConfirmed }
        if text.contains("no registered/verified") { return .end(.noContact) }
        return text.contains("validation error") ? .shape : .parameter
    }

    private var trouble: Meaning {
        switch name {
        case "TooManyRequests": .unavailable(reason: "upstream_throttled", retryAfter: 5)
        case "ConcurrentModification": .unavailable(reason: "upstream_conflict", retryAfter: 1)
        case "UnexpectedLambda", "InvalidLambdaResponse":
            .unavailable(reason: "upstream_trigger_failed", retryAfter: 5)
        case "InternalError", "InternalServer": .unavailable(reason: "upstream_unavailable", retryAfter: 5)
        case "ResourceNotFound": .misconfigured(reason: "client_unknown")
        case "Forbidden": .misconfigured(reason: "upstream_forbidden")
        case "InvalidUserPoolConfiguration", "InvalidSmsRoleAccessPolicy", "InvalidSmsRoleTrustRelationship",
            "InvalidEmailRoleAccessPolicy":
            .misconfigured(reason: "user_pool_configuration")
        case "UnsupportedOperation", "FeatureUnavailableInTier", "OperationNotEnabled":
            .misconfigured(reason: "operation_not_available")
        default: .unavailable(reason: "upstream_unexpected", retryAfter: 5)
        }
    }

    /// The text checks one rule after the other and names the first violation.
    private var passwordFaults: [PasswordFault] {
        let rules: [(String, PasswordFault)] = [
            ("not long enough", .tooShort), ("uppercase", .needsUppercase), ("lowercase", .needsLowercase),
            ("numeric", .needsDigit), ("symbol", .needsSymbol),
        ]
        let broken = rules.filter { text.contains($0.0) }.map(\.1)
        return broken.isEmpty ? [.tooWeak] : broken
    }
}
