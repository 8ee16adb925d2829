import Cryptography
import JSON
import Outbound
import Providers
import TestSupport
import Testing

@Suite("Cognito's exceptions")
struct CognitoExceptionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let end: StepwiseEnd?
        let error: ProviderError?

        init(_ name: String, _ text: String = "", _ end: StepwiseEnd? = nil, error: ProviderError? = nil) {
            (self.name, self.text, self.end, self.error) = (name, text, end, error)
        }

        var testDescription: String { "\(name) \(text)" }
    }

    static let atTheBeginning: [Row] = [
        Row("NotAuthorized", "Incorrect username or password.", .credentialsWrong),
        Row("UserNotFound", "User does not exist.", .credentialsWrong),
        Row("NotAuthorized", "Password attempts exceeded", .tooManyAttempts(retryAfter: 60)),
        Row("NotAuthorized", "User is disabled.", .userDisabled),
        Row(
            "NotAuthorized", "Temporary password has expired and must be reset by an administrator",
            .temporaryPasswordExpired),
        Row("NotAuthorized", "Invalid session for the user.", .expired),
        Row("NotAuthorized", "Something new", .declined),
        Row("UserLambdaValidation", "PreAuthentication failed with error no.", .declined),
        Row("LimitExceeded", "Attempt limit exceeded, please try after some time.", .tooManyAttempts(retryAfter: 60)),
        Row("TooManyFailedAttempts", "", .tooManyAttempts(retryAfter: 60)),
        Row("MFAMethodNotFound", "", .noMethod),
        Row("AliasExists", "An account with the given email already exists.", .contactTaken),
        Row(
            "NotAuthorized", "Unable to verify secret hash for client client1",
            error: .misconfigured(reason: "client_secret_rejected")),
        Row(
            "NotAuthorized", "Client client1 is configured with secret but SECRET_HASH was not received",
            error: .misconfigured(reason: "client_secret_rejected")),
        Row(
            "InvalidParameter", "USER_PASSWORD_AUTH flow not enabled for this client",
            error: .misconfigured(reason: "auth_flow_not_enabled")),
        Row(
            "InvalidParameter", "USER_SRP_AUTH is not enabled for the client.",
            error: .misconfigured(reason: "auth_flow_not_enabled")),
        Row(
            "InvalidParameter",
            "1 validation error detected: Value 'x' at 'username' failed to satisfy constraint: Member must …",
            error: .invalidRequest(member: "username", reason: "malformed")),
        Row("InvalidParameter", "Something else", error: .misconfigured(reason: "request_refused")),
        Row(
            "ResourceNotFound", "User pool client client1 does not exist.",
            error: .misconfigured(reason: "client_unknown")),
        Row("InvalidUserPoolConfiguration", error: .misconfigured(reason: "user_pool_configuration")),
        Row("InvalidSmsRoleAccessPolicy", error: .misconfigured(reason: "user_pool_configuration")),
        Row("InvalidSmsRoleTrustRelationship", error: .misconfigured(reason: "user_pool_configuration")),
        Row("InvalidEmailRoleAccessPolicy", error: .misconfigured(reason: "user_pool_configuration")),
        Row("Forbidden", error: .misconfigured(reason: "upstream_forbidden")),
        Row("UnsupportedOperation", error: .misconfigured(reason: "operation_not_available")),
        Row("FeatureUnavailableInTier", error: .misconfigured(reason: "operation_not_available")),
        Row("OperationNotEnabled", error: .misconfigured(reason: "operation_not_available")),
        Row("TooManyRequests", "Rate exceeded", error: .unavailable(reason: "upstream_throttled", retryAfter: 5)),
        Row("UnexpectedLambda", error: .unavailable(reason: "upstream_trigger_failed", retryAfter: 5)),
        Row("InvalidLambdaResponse", error: .unavailable(reason: "upstream_trigger_failed", retryAfter: 5)),
        Row("ConcurrentModification", error: .unavailable(reason: "upstream_conflict", retryAfter: 1)),
        Row("InternalError", error: .unavailable(reason: "upstream_unavailable", retryAfter: 5)),
        Row("CodeDeliveryFailure", error: .unavailable(reason: "code_delivery_failed", retryAfter: 5)),
        Row("Unheard", error: .unavailable(reason: "upstream_unexpected", retryAfter: 5)),
        Row("InvalidPassword", error: .unavailable(reason: "upstream_malformed", retryAfter: 5)),
    ]

    @Test("at the beginning, an exception ends the sign-in or reports a failure", arguments: atTheBeginning)
    func beginning(row: Row) async throws {
        let stage = try PoolStage()
        stage.pool.refuse("InitiateAuth", row.name, row.text)
        let outcome = await stage.begin()
        #expect(outcome.end == row.end)
        #expect(outcome.error == row.error)
        stage.pool.expectScriptDone()
    }

    @Test(
        "a refused code keeps its step",
        arguments: [
            ("CodeMismatch", "Invalid code or auth state for the user.", .codeWrong),
            ("ExpiredCode", "Invalid code provided, please request a code again.", .codeExpired),
            ("ExpiredCode", "Your software token has already been used once.", .codeUsed),
            ("InvalidParameter", "1 validation error detected: Value 'x' at 'code' failed", .codeWrong),
            ("LimitExceeded", "Attempt limit exceeded, please try after some time.", .tooManyAttempts(retryAfter: 60)),
        ] as [(String, String, StepRefusal)])
    func codes(row: (name: String, text: String, refusal: StepRefusal)) async throws {
        let stage = try PoolStage()
        let asked = try await stage.challenged("SOFTWARE_TOKEN_MFA")
        stage.pool.refuse("RespondToAuthChallenge", row.name, row.text)
        let refused = await stage.answer(.code("123456"), to: asked.state)
        #expect(refused.refusal == row.refusal)
        #expect(refused.state == asked.state)
    }

    @Test(
        "an expired session ends the sign-in at every step",
        arguments: [
            "Invalid session for the user.", "Invalid session for the user, session can only be used once.",
        ])
    func sessionOver(text: String) async throws {
        let stage = try PoolStage()
        let asked = try await stage.challenged("SMS_MFA")
        stage.pool.refuse("RespondToAuthChallenge", "NotAuthorized", text)
        #expect(await stage.answer(.code("123456"), to: asked.state).end == .expired)
    }

    @Test(
        "a refused new password states the violated rule",
        arguments: [
            ("InvalidPassword", "Password did not conform with policy: Password not long enough", .tooShort),
            (
                "InvalidPassword", "Password did not conform with policy: Password must have numeric characters",
                .needsDigit
            ),
            (
                "InvalidPassword", "Password did not conform with policy: Password must have uppercase characters",
                .needsUppercase
            ),
            (
                "InvalidPassword", "Password did not conform with policy: Password must have lowercase characters",
                .needsLowercase
            ),
            (
                "InvalidPassword", "Password did not conform with policy: Password must have symbol characters",
                .needsSymbol
            ),
            ("InvalidPassword", "Something new", .tooWeak),
            ("PasswordHistoryPolicyViolation", "Password has previously been used.", .recentlyUsed),
        ] as [(String, String, PasswordFault)])
    func passwords(row: (name: String, text: String, fault: PasswordFault)) async throws {
        let stage = try PoolStage()
        let asked = try await stage.challenged("NEW_PASSWORD_REQUIRED", ["requiredAttributes": "[]"])
        stage.pool.refuse("RespondToAuthChallenge", row.name, row.text)
        let refused = await stage.answer(.newPassword(Secret("n"), attributes: [:]), to: asked.state)
        #expect(refused.refusal == .passwordRejected([row.fault]))
    }

    @Test(
        "the exception type is read in all its forms",
        arguments: [
            (["__type": "NotAuthorizedException", "message": "User is disabled."], nil),
            (["__type": "com.amazonaws#NotAuthorizedException:http://x", "Message": "User is disabled."], nil),
            (["message": "User is disabled."], "NotAuthorizedException:"),
        ] as [(JSON, String?)])
    func spellings(row: (body: JSON, header: String?)) async throws {
        let stage = try PoolStage()
        stage.pool.on("InitiateAuth") { _ in
            var headers = [(name: "Content-Type", value: "application/x-amz-json-1.1")]
            if let type = row.header { headers.append(("x-amzn-ErrorType", type)) }
            return .success(HTTPResponse(status: 400, headers: headers, body: row.body.bytes()))
        }
        #expect(await stage.begin().end == .userDisabled)
    }

    @Test("an answer that is not Cognito's is a failure of the provider", arguments: 0..<10)
    func nonsense(number: Int) async throws {
        let answers: [Result<HTTPResponse, TransferError>] = [
            .success(.html), .success(.pool("text")), .success(.pool([:], type: "text/plain")), .success(.pool([:])),
            .success(
                HTTPResponse(status: 200, headers: [("Content-Type", "application/x-amz-json-1.1")], body: [0x7B])),
            .success(.pool(["ChallengeName": .null])), .success(.pool([:], status: 400)),
            .success(.pool(["__type": "Strange"], status: 400)),
            .success(.exception("InternalError", "").status(500)), .failure(.timedOut),
        ]
        let stage = try PoolStage()
        stage.pool.on("InitiateAuth") { _ in answers[number] }
        let outcome = await stage.begin()
        guard case .unavailable? = outcome.error else {
            Issue.record("\(outcome.result)")
            return
        }
    }

    @Test("a rate limit states the retry time")
    func rateLimit() async throws {
        let stage = try PoolStage()
        stage.pool.on("InitiateAuth") { _ in
            .success(HTTPResponse(status: 429, headers: [("Retry-After", "7")], body: []))
        }
        #expect(await stage.begin().error == .unavailable(reason: "upstream_unavailable", retryAfter: 7))
    }
}

extension HTTPResponse {
    fileprivate func status(_ status: Int) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: body)
    }
}
