public import GatewayClient

extension FakeGateway.Reply {
    /// ``Step/chooseFirstFactor(_:)``.
    public static func chooseFirstFactor(_ factors: [String] = ["password", "email_otp", "passkey"]) -> Self {
        step("continue_sign_in_with_first_factor_selection", ["factors": StepReply.factors(factors)])
    }

    /// ``Step/password(_:)``.
    public static func password(otherFactors: [String] = ["email_otp", "passkey"]) -> Self {
        step("confirm_sign_in_with_password", ["factors": StepReply.factors(otherFactors)])
    }

    /// ``Step/code(_:)``, with a code by mail.
    public static func emailCode(to destination: String = "a•••@e•••.com") -> Self {
        step("confirm_sign_in_with_otp", StepReply.sent("email", destination))
    }

    /// ``Step/code(_:)``, with a code by text message as a second factor.
    public static func textMessageCode(
        to destination: String = "+49•••••12", otherFactors: [String] = ["recovery_code"]
    ) -> Self {
        let sent = StepReply.sent("sms", destination)
        return step(
            "confirm_sign_in_with_sms_mfa_code", sent.merging(["factors": StepReply.factors(otherFactors)]) { $1 })
    }

    /// ``Step/authenticatorCode(_:)``.
    public static func authenticatorCode(otherFactors: [String] = ["recovery_code"]) -> Self {
        step("confirm_sign_in_with_totp_code", ["factors": StepReply.factors(otherFactors)])
    }

    /// ``Step/passkey(_:)``.
    public static func passkey() -> Self {
        step(
            "confirm_sign_in_with_passkey",
            ["passkey": ["challenge": "Y2hhbGxlbmdl", "rpId": "login.example.com", "userVerification": "required"]])
    }

    /// ``Step/linkAccount(_:)``.
    public static func linkAccount(email: String = "a•••@e•••.com") -> Self {
        step("link_account", ["email": .string(email)])
    }

    /// ``Step/confirmSignUp(_:)``.
    public static func confirmSignUp() -> Self { Self(.step(.confirmSignUp())) }

    /// ``Step/resetPassword(_:)``.
    public static func resetPassword() -> Self { Self(.step(.resetPassword())) }

    /// Any other step.
    ///
    /// - Parameters:
    ///   - type: its name in `docs/openapi.yaml`.
    ///   - members: its further members.
    public static func step(_ type: String, _ members: [String: JSONValue] = [:]) -> Self {
        Self(.step(StepReply(type: type, members: members)))
    }
}

/// A step as the gateway sends it.
struct StepReply: Sendable {
    let type: String
    let members: [String: JSONValue]
    /// Seconds until the flow expires.
    var lifetime = 600

    static func confirmSignUp() -> StepReply {
        StepReply(type: "confirm_sign_up", members: sent("email", "a•••@e•••.com"), lifetime: 86_400)
    }

    static func resetPassword() -> StepReply {
        StepReply(type: "reset_password", members: sent("email", "a•••@e•••.com"))
    }

    static func sent(_ medium: String, _ destination: String) -> [String: JSONValue] {
        [
            "delivery": ["medium": .string(medium), "destination": .string(destination), "code_length": 6],
            "resend_after": 30,
        ]
    }

    /// Factors whose id is their type.
    static func factors(_ types: [String]) -> JSONValue {
        .array(types.map { ["id": .string($0), "type": .string($0)] })
    }
}
