/// A refusal by the API: words, numbers, and perhaps the token for continuing.
///
/// The description is prose for developers and decides nothing.
struct MicrosoftRefusal: Error, Sendable {
    let error: String
    let suberror: String
    let codes: [Int]
    let token: String?
    let requiredAttributes: [String]
    let invalidAttributes: [String]
    let trace: MicrosoftTrace

    /// Nil for an answer that is not a refusal.
    init?(_ members: MicrosoftMembers) {
        guard let error = members.text("error")?.lowercased() else { return nil }
        self.error = error
        suberror = members.text("suberror")?.lowercased() ?? ""
        codes = members.numbers("error_codes")
        token = members.token
        requiredAttributes = members.objects("required_attributes").filter { !$0.isFalse("required") }
            .compactMap { $0.text("name") }
        invalidAttributes = members.objects("invalid_attributes").compactMap { $0.text("name") }
        trace = MicrosoftTrace(members)
    }
}

extension MicrosoftRefusal {
    /// The meaning of a refusal for the sign-in.
    enum Meaning: Equatable, Sendable {
        case end(StepwiseEnd)
        case refusal(StepRefusal)
        /// Incorrect name or password.
        case credentials
        case userUnknown
        case secondFactorRequired, registrationRequired, resetRequired
        case passwordRequired
        case attributesRequired([String])
        /// The account has no password that could be reset.
        case noPassword
        /// Microsoft sends nothing to this address or number.
        case contactBlocked
        /// A faulty parameter, which only the step can name.
        case parameter
        case browser
        case unavailable(reason: String)
        /// Only the operator can correct this.
        case misconfigured(reason: String)
    }

    var meaning: Meaning {
        // A published SDK checks these two regardless of the error.
        switch suberror {
        case "mfa_required": return .secondFactorRequired
        case "registration_required": return .registrationRequired
        default: break
        }
        if codes.contains(50142) { return .resetRequired }
        switch error {
        case "invalid_grant": return invalidGrant
        case "invalid_request": return invalidRequest
        case "user_not_found": return .userUnknown
        case "user_already_exists": return .end(.contactTaken)
        case "expired_token": return .end(.expired)
        case "credential_required": return .passwordRequired
        case "attributes_required": return .attributesRequired(requiredAttributes)
        // Attributes with their own code; no published SDK requests these either.
        case "verification_required": return .browser
        case "access_denied": return suberror.hasPrefix("provider_blocked") ? .contactBlocked : .end(.declined)
        default: return trouble
        }
    }

    private var invalidGrant: Meaning {
        switch suberror {
        case "invalid_oob_value": return .refusal(.codeWrong)
        case "attribute_validation_failed": return .refusal(.attributesRejected(invalidAttributes))
        default: break
        }
        if let fault = Self.passwordFaults[suberror] { return .refusal(.passwordRejected([fault])) }
        if codes.contains(50126) { return .credentials }
        if codes.contains(50034) { return .userUnknown }
        if !Self.wrongCodes.isDisjoint(with: codes) { return .refusal(.codeWrong) }
        if codes.contains(399_246) { return .refusal(.passwordRejected([.tooWeak])) }
        // The remaining case is an invalid continuation token.
        return .end(.expired)
    }

    private var invalidRequest: Meaning {
        if suberror == "introspect_required" { return .secondFactorRequired }
        if codes.contains(901_001) { return .refusal(.contactRejected) }
        if codes.contains(500_222) { return .noPassword }
        if !Self.deadTokens.isDisjoint(with: codes) { return .end(.expired) }
        return codes.contains(90100) ? .parameter : .misconfigured(reason: "request_refused")
    }

    private var trouble: Meaning {
        switch error {
        case "invalid_client":
            .misconfigured(
                reason: suberror == "nativeauthapi_disabled" ? "native_authentication_disabled" : "client_rejected")
        case "unauthorized_client": .misconfigured(reason: "client_unknown")
        case "invalid_scope": .misconfigured(reason: "scope_rejected")
        case "unsupported_challenge_type", "unsupported_grant_type": .misconfigured(reason: "request_refused")
        case "unsupported_auth_method", "auth_not_supported": .browser
        case "server_error": .unavailable(reason: "upstream_unavailable")
        case "slow_down", "authorization_pending": .unavailable(reason: "upstream_throttled")
        default: .unavailable(reason: "upstream_unexpected")
        }
    }

    private static let wrongCodes: Set = [50181, 50184, 501_811]
    /// Continuation tokens that belong to another flow or step, or have expired.
    private static let deadTokens: Set = [55000, 55200, 55112, 552_003]

    private static let passwordFaults: [String: PasswordFault] = [
        "password_too_weak": .tooWeak, "password_too_short": .tooShort, "password_too_long": .tooLong,
        "password_recently_used": .recentlyUsed, "password_banned": .banned, "password_is_invalid": .malformed,
    ]
}
