extension CognitoException {
    /// What a refusal says of the sign-in.
    enum Meaning: Equatable, Sendable {
        case end(StepwiseEnd)
        case refusal(StepRefusal)
        case resetRequired, notConfirmed, alreadyConfirmed
        /// Some member of the request, which the text describes.
        case parameter
        /// The same, of a shape that the API doesn't take.
        case shape
        /// The user pool or the network before it: it may pass.
        case unavailable(reason: String, retryAfter: Int)
        /// Only the operator can help.
        case misconfigured(reason: String)
    }

    /// Cognito says nothing of how long a lock or a limit lasts; its shortest locks last seconds, its longest 15 minutes.
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

    /// What another answer to the same step mends.
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

    /// One type for nearly everything: the text decides, and an unknown one counts as a rule of the operator's.
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

    /// The text goes through the rules one by one, and names the first that is broken.
    private var passwordFaults: [PasswordFault] {
        let rules: [(String, PasswordFault)] = [
            ("not long enough", .tooShort), ("uppercase", .needsUppercase), ("lowercase", .needsLowercase),
            ("numeric", .needsDigit), ("symbol", .needsSymbol),
        ]
        let broken = rules.filter { text.contains($0.0) }.map(\.1)
        return broken.isEmpty ? [.tooWeak] : broken
    }
}
