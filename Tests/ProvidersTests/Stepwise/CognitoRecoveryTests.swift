import Cryptography
import JSON
import Providers
import Testing

@Suite("Recovery in a sign-in at Cognito")
struct CognitoRecoveryTests {
    private static let delivery: JSON = [
        "CodeDeliveryDetails": [
            "Destination": "a***@e***", "DeliveryMedium": "EMAIL", "AttributeName": "email",
        ]
    ]
    private static let sent = CodeDelivery(medium: .email, destination: "a***@e***")

    private func resetting() async throws -> (stage: PoolStage, state: JSON) {
        let stage = try PoolStage()
        stage.pool.refuse("InitiateAuth", "PasswordResetRequired", "Password reset required for the user")
        stage.pool.on("ForgotPassword") { call in
            #expect(call.members == ["Username": "ann@example.com", "ClientId": "client1"])
            return .success(.pool(Self.delivery))
        }
        let asked = await stage.begin()
        #expect(asked.step == .resetPassword(Self.sent))
        #expect(asked.expiresIn == 3_600)
        return (stage, try #require(asked.state))
    }

    private func confirming() async throws -> (stage: PoolStage, state: JSON) {
        let stage = try PoolStage()
        stage.pool.refuse("InitiateAuth", "UserNotConfirmed", "User is not confirmed.")
        let asked = await stage.begin()
        #expect(asked.step == .confirmSignUp(nil))
        #expect(asked.expiresIn == 3_600)
        return (stage, try #require(asked.state))
    }

    // MARK: Passwords

    @Test("a required password reset sends a code, and the new password signs in")
    func reset() async throws {
        let (stage, state) = try await resetting()
        stage.pool.on("ConfirmForgotPassword") { call in
            #expect(
                call.members == [
                    "ConfirmationCode": "123456", "Password": "N3w-Horse!", "Username": "ann@example.com",
                    "ClientId": "client1",
                ])
            return .success(.pool([:]))
        }
        let tokens = try PoolStage.tokens()
        stage.pool.on("InitiateAuth") { call in
            #expect(call.parameter("PASSWORD") == "N3w-Horse!")
            return .success(.pool(tokens))
        }
        stage.expectRevocation()
        let done = await stage.answer(.resetPassword(code: "123456", newPassword: Secret("N3w-Horse!")), to: state)
        #expect(done.identity?.subject == PoolStage.user)
        stage.pool.expectScriptDone()
    }

    @Test(
        "a refused reset keeps its step",
        arguments: [
            ("CodeMismatch", "Invalid verification code provided, please try again.", .codeWrong),
            ("ExpiredCode", "Invalid code provided, please request a code again.", .codeExpired),
            (
                "InvalidPassword", "Password did not conform with policy: Password not long enough",
                .passwordRejected([.tooShort])
            ),
            ("PasswordHistoryPolicyViolation", "", .passwordRejected([.recentlyUsed])),
            ("InvalidParameter", "1 validation error detected", .passwordRejected([.malformed])),
            ("LimitExceeded", "Attempt limit exceeded, please try after some time.", .tooManyAttempts(retryAfter: 60)),
            ("TooManyFailedAttempts", "", .tooManyAttempts(retryAfter: 60)),
        ] as [(String, String, StepRefusal)])
    func refusedReset(row: (name: String, text: String, refusal: StepRefusal)) async throws {
        let (stage, state) = try await resetting()
        stage.pool.refuse("ConfirmForgotPassword", row.name, row.text)
        let refused = await stage.answer(.resetPassword(code: "1", newPassword: Secret("n")), to: state)
        #expect(refused.refusal == row.refusal)
        #expect(refused.state == state)
    }

    @Test(
        "a malformed reset is not sent",
        arguments: [
            ("", "N3w-Horse!", .codeWrong), ("123456", "", .passwordRejected([.tooShort])),
            ("123456", "a b", .passwordRejected([.malformed])),
        ] as [(String, String, StepRefusal)])
    func unsentReset(row: (code: String, password: String, refusal: StepRefusal)) async throws {
        let (stage, state) = try await resetting()
        let refused = await stage.answer(
            .resetPassword(code: row.code, newPassword: Secret(row.password)), to: state)
        #expect(refused.refusal == row.refusal)
        #expect(stage.pool.operations == ["InitiateAuth", "ForgotPassword"])
    }

    @Test(
        "without a way to send a code, the sign-in ends",
        arguments: [
            (
                "InvalidParameter",
                "Cannot reset password for the user as there is no registered/verified email or phone_number",
                .noContact
            ),
            ("LimitExceeded", "Attempt limit exceeded, please try after some time.", .tooManyAttempts(retryAfter: 60)),
        ] as [(String, String, StepwiseEnd)])
    func noCode(row: (name: String, text: String, end: StepwiseEnd)) async throws {
        let stage = try PoolStage()
        stage.pool.refuse("InitiateAuth", "PasswordResetRequired", "")
        stage.pool.refuse("ForgotPassword", row.name, row.text)
        #expect(await stage.begin().end == row.end)
    }

    @Test("a reset that demands another reset does not loop")
    func circle() async throws {
        let stage = try PoolStage()
        stage.pool.refuse("InitiateAuth", "PasswordResetRequired", "")
        stage.pool.refuse("ForgotPassword", "PasswordResetRequired", "")
        #expect(await stage.begin().error == .unavailable(reason: "upstream_malformed", retryAfter: 5))
    }

    @Test("another reset code is sent on request, and a limit keeps the step")
    func resendReset() async throws {
        let (stage, state) = try await resetting()
        stage.pool.on("ForgotPassword", Self.delivery)
        let again = await stage.resend(state)
        #expect(again.step == .resetPassword(Self.sent))
        #expect(again.state == state)
        stage.pool.refuse("ForgotPassword", "LimitExceeded", "")
        #expect(await stage.resend(state).refusal == .tooManyAttempts(retryAfter: 60))
        stage.pool.refuse("ForgotPassword", "CodeDeliveryFailure", "")
        #expect(await stage.resend(state).refusal == .deliveryFailed)
    }

    // MARK: Sign-ups

    @Test("a code confirms a sign-up, and then the password, which was not stored, is demanded")
    func confirm() async throws {
        let (stage, state) = try await confirming()
        stage.pool.on("ConfirmSignUp") { call in
            #expect(
                call.members == ["ConfirmationCode": "123456", "Username": "ann@example.com", "ClientId": "client1"])
            return .success(.pool([:]))
        }
        let confirmed = await stage.answer(.code("123456"), to: state)
        #expect(confirmed.step == .password)
        stage.pool.on("InitiateAuth", try PoolStage.tokens())
        stage.expectRevocation()
        #expect(await stage.answer(.password(PoolStage.password), to: try #require(confirmed.state)).identity != nil)
        stage.pool.expectScriptDone()
    }

    @Test(
        "a sign-up confirmed elsewhere continues with the password",
        arguments: [
            ("ConfirmSignUp", "NotAuthorized", "User cannot be confirmed. Current status is CONFIRMED"),
            ("ResendConfirmationCode", "InvalidParameter", "User is already confirmed."),
        ])
    func alreadyConfirmed(row: (operation: String, name: String, text: String)) async throws {
        let (stage, state) = try await confirming()
        stage.pool.refuse(row.operation, row.name, row.text)
        let outcome =
            row.operation == "ConfirmSignUp" ? await stage.answer(.code("1"), to: state) : await stage.resend(state)
        #expect(outcome.step == .password)
    }

    @Test(
        "a refused confirmation keeps the step or ends it",
        arguments: [
            ("CodeMismatch", .codeWrong, nil), ("ExpiredCode", .codeExpired, nil),
            ("TooManyFailedAttempts", .tooManyAttempts(retryAfter: 60), nil),
            ("LimitExceeded", .tooManyAttempts(retryAfter: 60), nil), ("AliasExists", nil, .contactTaken),
            ("UserNotFound", nil, .credentialsWrong), ("UserLambdaValidation", nil, .declined),
        ] as [(String, StepRefusal?, StepwiseEnd?)])
    func refusedConfirmation(row: (name: String, refusal: StepRefusal?, end: StepwiseEnd?)) async throws {
        let (stage, state) = try await confirming()
        stage.pool.refuse("ConfirmSignUp", row.name, "")
        let outcome = await stage.answer(.code("123456"), to: state)
        #expect(outcome.refusal == row.refusal)
        #expect(outcome.end == row.end)
    }

    @Test("another sign-up code is sent on request, and the step then shows its destination")
    func resendConfirmation() async throws {
        let (stage, state) = try await confirming()
        stage.pool.on("ResendConfirmationCode") { call in
            #expect(call.members == ["Username": "ann@example.com", "ClientId": "client1"])
            return .success(.pool(Self.delivery))
        }
        let again = await stage.resend(state)
        #expect(again.step == .confirmSignUp(Self.sent))
        #expect(again.state == state)
    }

    @Test("with a client secret, these calls prove it too")
    func secretHash() async throws {
        let stage = try PoolStage(.password) {
            $0.clientIDs = ["1example23456789"]
            $0.clientSecret = Secret("examplesecret0123456789abcdefghijk")
        }
        stage.pool.refuse("InitiateAuth", "PasswordResetRequired", "")
        stage.pool.on("ForgotPassword") { call in
            #expect(call.members["SecretHash"] == "4OILFXC1rfWeTbeuNnHGZU/sYVagVo2sKW0FajV+3lA=")
            return .success(.pool([:]))
        }
        #expect(await stage.begin("alice@example.com").step == .resetPassword(nil))
    }
}
