import Cryptography
import FoundationEssentials
import JSON
import Providers
import Testing

/// The adapter and the simulated pool, both written from the API's page and independent of each other.
@Suite("Stepwise sign-in at the simulated pool", .simulated)
struct StepwiseSignInTests {
    @Test(
        "a name and a password sign in, by whichever flow",
        arguments: [CognitoProvider.AuthFlow.srp, .password, .userAuth])
    func password(flow: CognitoProvider.AuthFlow) async throws {
        let pool = try await SimulatedPool(try RunningSimulator.current, flow)
        let name = try await pool.user(["name": "Ann"])
        let identity = try #require(try await pool.begin(name).identity)
        #expect(identity.subject == (try await pool.seen(by: name)["sub"]?.string))
        #expect(identity.email?.address == name)
        #expect(identity.displayName == "Ann")
        #expect(try await pool.begin(name, "wrong").end == .credentialsWrong)
        #expect(try await pool.begin(Fresh.email()).end == .credentialsWrong)
    }

    @Test(
        "a client with a secret must prove it",
        arguments: [
            CognitoProvider.AuthFlow.srp, .password,
        ])
    func clientSecret(flow: CognitoProvider.AuthFlow) async throws {
        let simulator = try RunningSimulator.current
        let pool = try await SimulatedPool(
            simulator, flow, client: ["secret": "examplesecret0123456789abcdefghijk"])
        let name = try await pool.user(["factors": ["EMAIL_OTP"]])
        let asked = try await pool.begin(name)
        #expect(try await pool.answer(pool.code("EMAIL_OTP", of: name), to: asked).identity != nil)
        let without = try await SimulatedPool(simulator, flow, client: [:])
        _ = try await SimulatedPool.control(
            simulator, "clients",
            ["client_id": .string(without.clientID), "secret": "examplesecret0123456789abcdefghijk"])
        await #expect(throws: ProviderError.misconfigured(reason: "client_secret_rejected")) {
            try await without.begin(name)
        }
    }

    @Test(
        "a flow that the client doesn't allow is the operator's matter",
        arguments: [
            CognitoProvider.AuthFlow.srp, .password, .userAuth, .custom,
        ])
    func flows(flow: CognitoProvider.AuthFlow) async throws {
        let pool = try await SimulatedPool(try RunningSimulator.current, flow, client: ["flows": []])
        let name = try await pool.user()
        await #expect(throws: ProviderError.misconfigured(reason: "auth_flow_not_enabled")) {
            try await pool.begin(name)
        }
    }

    @Test("every refresh token of the pool is revoked")
    func revocation() async throws {
        let simulator = try await SimulatorProcess.start()
        let pool = try await SimulatedPool(simulator)
        let name = try await pool.user()
        for _ in 0..<3 { #expect(try await pool.begin(name).identity != nil) }
        let tokens = try await simulator.client.send(TestRequest("GET", "/control/cognito/tokens")).json
        #expect(tokens == ["issued": 3, "revoked": 3])
        await simulator.stop()
    }

    // MARK: The state of a user

    @Test("a disabled, locked, refused or expired user gets the matching error")
    func states() async throws {
        let pool = try await SimulatedPool(try RunningSimulator.current)
        let disabled = try await pool.user(["enabled": false])
        #expect(try await pool.begin(disabled).end == .userDisabled)
        let kept = try await pool.user(["trigger_error": "not today"])
        #expect(try await pool.begin(kept).end == .declined)
        let late = try await pool.user(["status": "force_change_password", "temporary_password_expired": true])
        #expect(try await pool.begin(late).end == .temporaryPasswordExpired)
        let locked = try await pool.user()
        // A first lock is short (a second in Cognito); on a busy machine it may end before the right password arrives.
        var answer = try await pool.begin(locked)
        for _ in 0..<5 where answer.end == nil {
            for _ in 0..<7 { _ = try await pool.begin(locked, "wrong") }
            answer = try await pool.begin(locked)
        }
        #expect(answer.end == .tooManyAttempts(retryAfter: 60))
    }

    @Test("a temporary password is replaced, with the attributes that are missing")
    func newPassword() async throws {
        let pool = try await SimulatedPool(try RunningSimulator.current)
        let name = try await pool.user([
            "password": "Temp-1234", "status": "force_change_password", "required_attributes": ["name", "email"],
        ])
        let asked = try await pool.begin(name, "Temp-1234")
        #expect(asked.step == .newPassword(requiredAttributes: ["name"]))
        let weak = try await pool.answer(.newPassword(Secret("short"), attributes: ["name": "Ann"]), to: asked)
        #expect(weak.refusal == .passwordRejected([.tooShort]))
        let old = try await pool.answer(.newPassword(Secret("Temp-1234"), attributes: ["name": "Ann"]), to: weak)
        #expect(old.refusal == .passwordRejected([.recentlyUsed]))
        let done = try await pool.answer(.newPassword(Secret("N3w-Horse!"), attributes: ["name": "Ann"]), to: old)
        #expect(done.identity?.displayName == "Ann")
        #expect(try await pool.begin(name, "N3w-Horse!").identity != nil)
        #expect(try await pool.begin(name, "Temp-1234").end == .credentialsWrong)
    }

    @Test("a password that must be reset is, and signs in")
    func reset() async throws {
        let pool = try await SimulatedPool(try RunningSimulator.current)
        let name = try await pool.user(["status": "reset_required"])
        let asked = try await pool.begin(name)
        guard case .resetPassword(let delivery?)? = asked.step else {
            Issue.record("\(asked)")
            return
        }
        #expect(delivery.medium == .email && delivery.destination.contains("***@"))
        let first = try await pool.seen(by: name)["codes"]?["reset_password"]?.string ?? ""
        let again = try await pool.resend(asked)
        let code = try await pool.seen(by: name)["codes"]?["reset_password"]?.string ?? ""
        let wrong = try await pool.answer(
            .resetPassword(code: "x" + first, newPassword: Secret("N3w-Horse!")), to: again)
        #expect(wrong.refusal == .codeWrong)
        let weak = try await pool.answer(.resetPassword(code: code, newPassword: Secret("short")), to: wrong)
        #expect(weak.refusal == .passwordRejected([.tooShort]))
        let done = try await pool.answer(.resetPassword(code: code, newPassword: Secret("N3w-Horse!")), to: weak)
        #expect(done.identity != nil)
    }

    @Test("a reset without an address or beyond a limit is refused")
    func noReset() async throws {
        let pool = try await SimulatedPool(try RunningSimulator.current)
        let unreachable = try await pool.user(["status": "reset_required", "email": .null])
        #expect(try await pool.begin(unreachable).end == .noContact)
        let limited = try await pool.user(["status": "reset_required", "limited": true])
        #expect(try await pool.begin(limited).end == .tooManyAttempts(retryAfter: 60))
    }

    @Test("a sign-up is confirmed, and the password is demanded")
    func confirm() async throws {
        let pool = try await SimulatedPool(try RunningSimulator.current)
        let name = try await pool.user(["status": "unconfirmed"])
        let asked = try await pool.begin(name)
        #expect(asked.step == .confirmSignUp(nil))
        let again = try await pool.resend(asked)
        guard case .confirmSignUp(let delivery?)? = again.step else {
            Issue.record("\(again)")
            return
        }
        #expect(delivery.medium == .email)
        #expect(try await pool.answer(.code("000000x"), to: again).refusal == .codeWrong)
        let confirmed = try await pool.answer(pool.code("confirm_sign_up", of: name), to: again)
        #expect(confirmed.step == .password)
        #expect(try await pool.answer(.password(Secret("wrong")), to: confirmed).refusal == .passwordWrong)
        #expect(try await pool.answer(.password(Secret(SimulatedPool.password)), to: confirmed).identity != nil)
        #expect(try await pool.resend(asked).step == .password, "it is confirmed by now")
    }

    // MARK: Second factors

    @Test("a code by SMS or mail is demanded after the password", arguments: ["SMS_MFA", "EMAIL_OTP"])
    func codes(factor: String) async throws {
        let pool = try await SimulatedPool(try RunningSimulator.current)
        let name = try await pool.user(["factors": [.string(factor)], "phone_number": "+15550001234"])
        let asked = try await pool.begin(name)
        switch asked.step {
        case .smsCode(let delivery): #expect(factor == "SMS_MFA" && delivery.destination == "+*******1234")
        case .otp(let delivery): #expect(factor == "EMAIL_OTP" && delivery.medium == .email)
        default: Issue.record("\(asked)")
        }
        let wrong = try await pool.answer(.code("wrong"), to: asked)
        #expect(wrong.refusal == .codeWrong)
        #expect(try await pool.resend(wrong).refusal == .cannotResend)
        #expect(try await pool.answer(pool.code(factor, of: name), to: wrong).identity != nil)
        #expect(try await pool.answer(.code("123456"), to: asked).end == .expired, "a session is good once")
    }

    @Test("three wrong codes end the sign-in")
    func tooManyCodes() async throws {
        let pool = try await SimulatedPool(try RunningSimulator.current)
        let name = try await pool.user(["factors": ["EMAIL_OTP"]])
        let asked = try await pool.begin(name)
        for _ in 0..<3 { #expect(try await pool.answer(.code("wrong"), to: asked).refusal == .codeWrong) }
        #expect(try await pool.answer(pool.code("EMAIL_OTP", of: name), to: asked).end == .expired)
    }

    @Test("an authenticator app's code works once")
    func authenticator() async throws {
        let pool = try await SimulatedPool(try RunningSimulator.current)
        let name = try await pool.user(["factors": ["SOFTWARE_TOKEN_MFA"]])
        let asked = try await pool.begin(name)
        #expect(asked.step == .totpCode(name: "Ann's phone"))
        #expect(try await pool.answer(.code("00000"), to: asked).refusal == .codeWrong)
        let code = try #require(try await pool.seen(by: name)["totp"]?.string)
        #expect(try await pool.answer(.code(code), to: asked).identity != nil)
        let second = try await pool.begin(name)
        #expect(try await pool.answer(.code(code), to: second).refusal == .codeUsed)
        let next = try #require(try await pool.seen(by: name)["next_totp"]?.string)
        #expect(try await pool.answer(.code(next), to: second).identity != nil)
    }

    @Test("of several second factors, the preferred one is demanded, or the user chooses")
    func chosenFactor() async throws {
        let pool = try await SimulatedPool(try RunningSimulator.current)
        let factors: JSON = ["SOFTWARE_TOKEN_MFA", "EMAIL_OTP"]
        let preferring = try await pool.user(["factors": factors, "preferred_factor": "EMAIL_OTP"])
        guard case .otp? = try await pool.begin(preferring).step else {
            Issue.record("the preferred factor wasn't asked for")
            return
        }
        let name = try await pool.user(["factors": factors])
        let asked = try await pool.begin(name)
        #expect(asked.step == .mfaSelection([SignInMethod(.totp), SignInMethod(.emailOTP)]))
        #expect(try await pool.answer(.choice("sms_otp"), to: asked).refusal == .methodRejected)
        let chosen = try await pool.answer(.choice("email_otp"), to: asked)
        #expect(try await pool.answer(pool.code("EMAIL_OTP", of: name), to: chosen).identity != nil)
    }

    @Test("a second factor that is demanded is set up: an app, or mail")
    func setUp() async throws {
        let pool = try await SimulatedPool(try RunningSimulator.current)
        let choices: JSON = ["SMS_MFA", "SOFTWARE_TOKEN_MFA", "EMAIL_OTP"]
        let name = try await pool.user(["set_up_choices": choices])
        let asked = try await pool.begin(name)
        #expect(asked.step == .mfaSetupSelection([SignInMethod(.totp), SignInMethod(.emailOTP)]))
        let app = try await pool.answer(.choice("totp"), to: asked)
        guard case .totpSetup(let secret, _)? = app.step else {
            Issue.record("\(app)")
            return
        }
        #expect(try await pool.answer(.code("000000"), to: app).refusal == .codeWrong)
        let code = try await TimeCode.code(secret, at: Date())
        #expect(try await pool.answer(.code(code), to: app).identity != nil)
        #expect(try await pool.seen(by: name)["factors"] == ["SOFTWARE_TOKEN_MFA"])

        let byMail = try await pool.user(["set_up_choices": choices, "email": .null])
        let contact = try await pool.answer(.choice("email_otp"), to: pool.begin(byMail))
        #expect(contact.step == .contactSetup(.email, hint: nil))
        let sent = try await pool.answer(.contact("ann@example.org"), to: contact)
        #expect(sent.step == .otp(CodeDelivery(medium: .email, destination: "a***@e***")))
        #expect(try await pool.answer(pool.code("EMAIL_OTP", of: byMail), to: sent).identity != nil)
    }

    // MARK: First factors

    @Test("without a password, the password and every other factor of the user are offered")
    func firstFactors() async throws {
        let pool = try await SimulatedPool(try RunningSimulator.current, .userAuth)
        let name = try await pool.user([
            "first_factors": ["EMAIL_OTP", "SMS_OTP", "WEB_AUTHN"], "phone_number": "+15550001234",
        ])
        let asked = try await pool.begin(name, nil)
        let kinds = [SignInMethod.Kind.password, .emailOTP, .smsOTP, .passkey]
        #expect(asked.step == .firstFactorSelection(kinds.map { SignInMethod($0) }))

        let code = try await pool.answer(.choice("sms_otp"), to: asked)
        let first = try await pool.code("SMS_OTP", of: name)
        let again = try await pool.resend(code)
        #expect(again.step == code.step)
        #expect(try await pool.answer(pool.code("SMS_OTP", of: name), to: again).identity != nil)
        #expect(try await pool.answer(first, to: code).identity == nil)

        let passkey = try await pool.answer(.choice("passkey"), to: pool.begin(name, nil))
        guard case .passkey(let options)? = passkey.step else {
            Issue.record("\(passkey)")
            return
        }
        let assertion = try await pool.assertion(name, options)
        #expect(try await pool.answer(.credential(assertion), to: passkey).identity != nil)

        let password = try await pool.answer(.choice("password"), to: pool.begin(name, nil))
        #expect(password.step == .password)
        let wrong = try await pool.answer(.password(Secret("wrong")), to: password)
        #expect(wrong.refusal == .passwordWrong)
        #expect(try await pool.answer(.password(Secret(SimulatedPool.password)), to: wrong).identity != nil)
    }

    @Test("a passkey's answer to another challenge is refused")
    func otherChallenge() async throws {
        let pool = try await SimulatedPool(try RunningSimulator.current, .userAuth)
        let name = try await pool.user(["first_factors": ["WEB_AUTHN"], "password": .null])
        let first = try await pool.answer(.choice("passkey"), to: pool.begin(name, nil))
        let second = try await pool.answer(.choice("passkey"), to: pool.begin(name, nil))
        guard case .passkey(let options)? = first.step else {
            Issue.record("\(first)")
            return
        }
        let assertion = try await pool.assertion(name, options)
        #expect(try await pool.answer(.credential(assertion), to: second).end == .credentialsWrong)
    }

    @Test(
        "custom questions follow each other, with or without a password first",
        arguments: [
            CognitoProvider.AuthFlow.custom, .customSRP,
        ])
    func custom(flow: CognitoProvider.AuthFlow) async throws {
        let pool = try await SimulatedPool(try RunningSimulator.current, flow)
        let name = try await pool.user([
            "custom_challenges": [
                ["parameters": ["question": "the first"], "answer": "one"],
                ["parameters": ["question": "the second"], "answer": "two"],
            ]
        ])
        let first = try await pool.begin(name)
        #expect(first.step == .customChallenge(parameters: ["question": "the first"]))
        let again = try await pool.answer(.answer("wrong"), to: first)
        #expect(again.step == first.step)
        let second = try await pool.answer(.answer("one"), to: again)
        #expect(second.step == .customChallenge(parameters: ["question": "the second"]))
        #expect(try await pool.answer(.answer("two"), to: second).identity != nil)
    }

    // MARK: Time and trouble

    @Test("an expired session ends the sign-in")
    func sessionLife() async throws {
        let pool = try await SimulatedPool(try RunningSimulator.current, .password, client: ["session_seconds": 0])
        let name = try await pool.user(["factors": ["EMAIL_OTP"]])
        let asked = try await pool.begin(name)
        #expect(try await pool.answer(pool.code("EMAIL_OTP", of: name), to: asked).end == .expired)
    }

    @Test("a proof with the wrong time proves nothing")
    func clock() async throws {
        let pool = try await SimulatedPool(
            try RunningSimulator.current, now: { Date(timeIntervalSinceNow: -600) })
        let name = try await pool.user()
        #expect(try await pool.begin(name).end == .credentialsWrong)
    }

    @Test("a broken pool is not charged to the user")
    func broken() async throws {
        let simulator = try await SimulatorProcess.start()
        let pool = try await SimulatedPool(simulator, .password, timeout: .seconds(3))
        let name = try await pool.user()
        for mode in ["error", "garbled", "html", "redirect", "huge", "empty", "truncated", "hang", "slow"] {
            let delay: JSONObject = mode == "slow" ? ["delay_ms": 20_000] : [:]
            try await simulator.behave("cognito", mode, endpoint: "api", delay)
            do {
                let answer = try await pool.begin(name)
                Issue.record("\(mode): \(answer)")
            } catch let error as ProviderError {
                guard case .unavailable = error else {
                    Issue.record("\(mode): \(error)")
                    continue
                }
            }
        }
        await simulator.stop()
    }
}
