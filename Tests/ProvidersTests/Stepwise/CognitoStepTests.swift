import Cryptography
import JSON
import Providers
import Testing

@Suite("Steps of a sign-in at Cognito")
struct CognitoStepTests {
    private static let sms: JSONObject = [
        "CODE_DELIVERY_DELIVERY_MEDIUM": "SMS", "CODE_DELIVERY_DESTINATION": "+*******9934",
    ]
    private static let mail: JSONObject = [
        "CODE_DELIVERY_DELIVERY_MEDIUM": "EMAIL", "CODE_DELIVERY_DESTINATION": "a***@e***",
    ]
    private static let toPhone = CodeDelivery(medium: .sms, destination: "+*******9934")
    private static let toMail = CodeDelivery(medium: .email, destination: "a***@e***")

    @Test(
        "each challenge becomes its step",
        arguments: [
            ("SMS_MFA", sms, .smsCode(toPhone)), ("SMS_OTP", sms, .otp(toPhone)), ("EMAIL_OTP", mail, .otp(toMail)),
            ("SMS_MFA", [:], .smsCode(CodeDelivery(medium: .sms, destination: ""))),
            ("EMAIL_OTP", [:], .otp(CodeDelivery(medium: .email, destination: ""))),
            ("SOFTWARE_TOKEN_MFA", [:], .totpCode(name: nil)),
            ("SOFTWARE_TOKEN_MFA", ["FRIENDLY_DEVICE_NAME": "phone"], .totpCode(name: "phone")),
            ("PASSWORD", [:], .password), ("PASSWORD_SRP", [:], .password),
            (
                "SELECT_MFA_TYPE", ["MFAS_CAN_CHOOSE": #"["SMS_MFA","SOFTWARE_TOKEN_MFA","EMAIL_OTP","NEW_MFA"]"#],
                .mfaSelection([SignInMethod(.smsOTP), SignInMethod(.totp), SignInMethod(.emailOTP)])
            ),
            (
                "SELECT_MFA_TYPE", ["MFAS_CAN_CHOOSE": ["SMS_MFA", "EMAIL_MFA"]],
                .mfaSelection([SignInMethod(.smsOTP), SignInMethod(.emailOTP)])
            ),
            (
                "MFA_SETUP", ["MFAS_CAN_SETUP": #"["SMS_MFA","SOFTWARE_TOKEN_MFA","EMAIL_OTP"]"#],
                .mfaSetupSelection([SignInMethod(.totp), SignInMethod(.emailOTP)])
            ),
            ("MFA_SETUP", ["MFAS_CAN_SETUP": #"["EMAIL_OTP"]"#], .contactSetup(.email, hint: nil)),
            (
                "NEW_PASSWORD_REQUIRED",
                [
                    "requiredAttributes": #"["userAttributes.name","userAttributes.email","family_name"]"#,
                    "userAttributes": #"{"email":"ann@example.com","name":""}"#,
                ], .newPassword(requiredAttributes: ["name", "family_name"])
            ),
            ("NEW_PASSWORD_REQUIRED", [:], .newPassword(requiredAttributes: [])),
            (
                "CUSTOM_CHALLENGE", ["USERNAME": "u", "question": "the colour of the sky"],
                .customChallenge(parameters: ["question": "the colour of the sky"])
            ),
            (
                "WEB_AUTHN", ["CREDENTIAL_REQUEST_OPTIONS": #"{"challenge":"abc","rpId":"auth.example.com"}"#],
                .passkey(options: ["challenge": "abc", "rpId": "auth.example.com"])
            ),
        ] as [(String, JSONObject, ProviderStep)])
    func steps(row: (name: String, parameters: JSONObject, step: ProviderStep)) async throws {
        let stage = try PoolStage(.password) { $0.sessionLife = 300 }
        stage.pool.on("InitiateAuth", PoolStage.challenge(row.name, row.parameters))
        let outcome = await stage.begin()
        #expect(outcome.step == row.step)
        #expect(outcome.expiresIn == 300)
        stage.pool.expectScriptDone()
    }

    @Test(
        "first factors have our names, and the password appears once",
        arguments: [
            (
                ["PASSWORD", "PASSWORD_SRP", "EMAIL_OTP", "SMS_OTP", "WEB_AUTHN", "FACE"],
                .firstFactorSelection([
                    SignInMethod(.password), SignInMethod(.emailOTP), SignInMethod(.smsOTP), SignInMethod(.passkey),
                ])
            ),
            (["PASSWORD", "PASSWORD_SRP"], .password), (["WEB_AUTHN"], .firstFactorSelection([SignInMethod(.passkey)])),
        ] as [([String], ProviderStep)])
    func firstFactors(row: (available: [String], step: ProviderStep)) async throws {
        let stage = try PoolStage(.userAuth)
        stage.pool.on("InitiateAuth", PoolStage.challenge("SELECT_CHALLENGE", available: row.available))
        #expect(await stage.begin(PoolStage.name, nil).step == row.step)
        #expect(stage.pool.calls.first?.parameter("PREFERRED_CHALLENGE") == nil)
    }

    @Test(
        "a challenge without a possible step ends the sign-in or is a configuration error",
        arguments: [
            ("SELECT_MFA_TYPE", ["MFAS_CAN_CHOOSE": "[]"], .noMethod, nil),
            ("SELECT_MFA_TYPE", ["MFAS_CAN_CHOOSE": "no list"], .noMethod, nil),
            ("SELECT_CHALLENGE", [:], .noMethod, nil),
            ("MFA_SETUP", ["MFAS_CAN_SETUP": #"["SMS_MFA"]"#], .noMethod, nil),
            ("MFA_SETUP", [:], .noMethod, nil),
            ("DEVICE_SRP_AUTH", [:], nil, .misconfigured(reason: "challenge_unsupported")),
            ("DEVICE_PASSWORD_VERIFIER", [:], nil, .misconfigured(reason: "challenge_unsupported")),
            ("confirm_sign_up", [:], nil, .misconfigured(reason: "challenge_unsupported")),
            ("NEW_CHALLENGE", [:], nil, .misconfigured(reason: "challenge_unsupported")),
            (
                "WEB_AUTHN", ["CREDENTIAL_REQUEST_OPTIONS": "{"], nil,
                .unavailable(reason: "upstream_malformed", retryAfter: 5)
            ),
            ("PASSWORD_VERIFIER", [:], nil, .unavailable(reason: "upstream_malformed", retryAfter: 5)),
        ] as [(String, JSONObject, StepwiseEnd?, ProviderError?)])
    func deadEnds(
        row: (name: String, parameters: JSONObject, end: StepwiseEnd?, error: ProviderError?)
    ) async throws {
        let stage = try PoolStage()
        stage.pool.on("InitiateAuth", PoolStage.challenge(row.name, row.parameters))
        let outcome = await stage.begin()
        #expect(outcome.end == row.end)
        #expect(outcome.error == row.error)
    }

    @Test(
        "an answer has the challenge's name, its session and the pool's user name",
        arguments: [
            ("SMS_MFA", [:], .code("123456"), ["SMS_MFA_CODE": "123456"]),
            ("SMS_OTP", [:], .code("123456"), ["SMS_OTP_CODE": "123456"]),
            ("EMAIL_OTP", [:], .code("12345678"), ["EMAIL_OTP_CODE": "12345678"]),
            ("SOFTWARE_TOKEN_MFA", [:], .code("123456"), ["SOFTWARE_TOKEN_MFA_CODE": "123456"]),
            ("SELECT_MFA_TYPE", ["MFAS_CAN_CHOOSE": #"["SMS_MFA"]"#], .choice("sms_otp"), ["ANSWER": "SMS_MFA"]),
            ("CUSTOM_CHALLENGE", [:], .answer("blue"), ["ANSWER": "blue"]),
            ("PASSWORD", [:], .password(Secret("p")), ["PASSWORD": "p"]),
            ("MFA_SETUP", ["MFAS_CAN_SETUP": #"["EMAIL_OTP"]"#], .contact("a@example.com"), ["EMAIL": "a@example.com"]),
            (
                "NEW_PASSWORD_REQUIRED", ["requiredAttributes": #"["userAttributes.name"]"#],
                .newPassword(Secret("N3w-Horse"), attributes: ["name": "Ann"]),
                ["NEW_PASSWORD": "N3w-Horse", "userAttributes.name": "Ann"]
            ),
            (
                "WEB_AUTHN", ["CREDENTIAL_REQUEST_OPTIONS": "{}"], .credential(["id": "abc"]),
                ["CREDENTIAL": #"{"id":"abc"}"#]
            ),
        ] as [(String, JSONObject, StepwiseResponse, [String: String])])
    func answers(
        row: (name: String, parameters: JSONObject, response: StepwiseResponse, sent: [String: String])
    ) async throws {
        let stage = try PoolStage()
        var parameters = row.parameters
        parameters["USER_ID_FOR_SRP"] = .string(PoolStage.user)
        let asked = try await stage.challenged(row.name, parameters)
        let tokens = try PoolStage.tokens()
        stage.pool.on("RespondToAuthChallenge") { call in
            #expect(call.members["ChallengeName"]?.string == row.name)
            #expect(call.members["Session"]?.string == PoolStage.session)
            #expect(call.members["ClientId"]?.string == PoolStage.client)
            var expected = JSONObject(row.sent.map { .init(name: $0.key, value: .string($0.value)) })
            expected["USERNAME"] = .string(PoolStage.user)
            #expect(call.members["ChallengeResponses"]?.object == expected)
            return .success(.pool(tokens))
        }
        stage.expectRevocation()
        let outcome = await stage.answer(row.response, to: asked.state)
        #expect(outcome.identity?.subject == PoolStage.user)
        stage.pool.expectScriptDone()
    }

    @Test("a chosen first factor is answered, and the code's destination is kept")
    func chosenFactor() async throws {
        let stage = try PoolStage(.userAuth)
        stage.pool.on("InitiateAuth", PoolStage.challenge("SELECT_CHALLENGE", available: ["PASSWORD", "EMAIL_OTP"]))
        let asked = try #require(await stage.begin(PoolStage.name, nil).state)
        stage.pool.on("RespondToAuthChallenge", PoolStage.challenge("EMAIL_OTP", Self.mail))
        let code = await stage.answer(.choice("email_otp"), to: asked)
        #expect(code.step == .otp(Self.toMail))
        #expect(stage.pool.calls.last?.parameter("ANSWER") == "EMAIL_OTP")
        stage.pool.on("InitiateAuth", PoolStage.challenge("EMAIL_OTP", Self.mail, session: "another session, as long"))
        let again = await stage.resend(try #require(code.state))
        #expect(again.step == .otp(Self.toMail))
        #expect(stage.pool.calls.last?.parameter("PREFERRED_CHALLENGE") == "EMAIL_OTP")
        #expect(again.state?["session"]?.string == "another session, as long")
    }

    @Test(
        "a choice that was not offered is refused",
        arguments: ["sms_otp", "SMS_MFA", "", "totp ", "SOFTWARE_TOKEN_MFA", "password"])
    func notOffered(choice: String) async throws {
        let stage = try PoolStage()
        let asked = try await stage.challenged("SELECT_MFA_TYPE", ["MFAS_CAN_CHOOSE": #"["SOFTWARE_TOKEN_MFA"]"#])
        let refused = await stage.answer(.choice(choice), to: asked.state)
        #expect(refused.refusal == .methodRejected)
        #expect(stage.pool.operations == ["InitiateAuth"])
    }

    @Test(
        "a malformed answer is not sent",
        arguments: [
            ("SMS_MFA", [:], .code(""), .codeWrong), ("SMS_MFA", [:], .code("12 34"), .codeWrong),
            ("SMS_MFA", [:], .code(String(repeating: "1", count: 65)), .codeWrong),
            ("CUSTOM_CHALLENGE", [:], .answer(""), .answerWrong),
            ("CUSTOM_CHALLENGE", [:], .answer(String(repeating: "a", count: 2_049)), .answerWrong),
            ("MFA_SETUP", ["MFAS_CAN_SETUP": #"["EMAIL_OTP"]"#], .contact("nobody"), .contactRejected),
            (
                "NEW_PASSWORD_REQUIRED", [:], .newPassword(Secret("two words"), attributes: [:]),
                .passwordRejected([.malformed])
            ),
            ("NEW_PASSWORD_REQUIRED", [:], .newPassword(Secret(""), attributes: [:]), .passwordRejected([.tooShort])),
            (
                "NEW_PASSWORD_REQUIRED", [:],
                .newPassword(Secret(String(repeating: "a", count: 257)), attributes: [:]),
                .passwordRejected([.tooLong])
            ),
        ] as [(String, JSONObject, StepwiseResponse, StepRefusal)])
    func notSent(
        row: (name: String, parameters: JSONObject, response: StepwiseResponse, refusal: StepRefusal)
    ) async throws {
        let stage = try PoolStage()
        let asked = try await stage.challenged(row.name, row.parameters)
        let refused = await stage.answer(row.response, to: asked.state)
        #expect(refused.refusal == row.refusal)
        #expect(refused.state == asked.state)
        #expect(stage.pool.operations == ["InitiateAuth"])
    }

    @Test(
        "only the requested attributes are written",
        arguments: [[:], ["name": "Ann", "custom:role": "admin"], ["custom:role": "admin"]])
    func attributes(given: [String: String]) async throws {
        let stage = try PoolStage()
        let asked = try await stage.challenged(
            "NEW_PASSWORD_REQUIRED", ["requiredAttributes": #"["userAttributes.name"]"#])
        let outcome = await stage.answer(.newPassword(Secret("N3w-Horse"), attributes: given), to: asked.state)
        #expect(outcome.error == .invalidRequest(member: "attributes", reason: "not_those_asked_for"))
    }

    @Test(
        "an answer to another question names the expected one",
        arguments: [
            ("SMS_MFA", [:], "code"), ("SOFTWARE_TOKEN_MFA", [:], "code"), ("CUSTOM_CHALLENGE", [:], "answer"),
            ("NEW_PASSWORD_REQUIRED", [:], "new_password"), ("PASSWORD", [:], "password"),
            ("SELECT_MFA_TYPE", ["MFAS_CAN_CHOOSE": #"["SMS_MFA"]"#], "choice"),
            ("MFA_SETUP", ["MFAS_CAN_SETUP": #"["EMAIL_OTP"]"#], "contact"),
            ("WEB_AUTHN", ["CREDENTIAL_REQUEST_OPTIONS": "{}"], "credential"),
        ] as [(String, JSONObject, String)])
    func mismatched(row: (name: String, parameters: JSONObject, member: String)) async throws {
        let stage = try PoolStage()
        let asked = try await stage.challenged(row.name, row.parameters)
        let outcome = await stage.answer(.resetPassword(code: "1", newPassword: Secret("n")), to: asked.state)
        #expect(outcome.error == .invalidRequest(member: row.member, reason: "missing"))
        #expect(stage.pool.operations == ["InitiateAuth"])
    }

    @Test("codes of a second factor cannot be sent again")
    func cannotResend() async throws {
        let stage = try PoolStage()
        let asked = try await stage.challenged("EMAIL_OTP", Self.mail)
        let outcome = await stage.resend(asked.state)
        #expect(outcome.refusal == .cannotResend)
        #expect(stage.pool.operations == ["InitiateAuth"])
    }

    // MARK: A new authenticator app

    @Test("an authenticator app is set up, and a wrong code may be corrected")
    func authenticatorApp() async throws {
        let stage = try PoolStage()
        stage.pool.on("InitiateAuth", PoolStage.challenge("MFA_SETUP", ["MFAS_CAN_SETUP": #"["SOFTWARE_TOKEN_MFA"]"#]))
        stage.pool.on("AssociateSoftwareToken") { call in
            #expect(call.members == ["Session": .string(PoolStage.session)])
            return .success(.pool(["SecretCode": "ABCDEFGHIJKLMNOP", "Session": "the second session, as long"]))
        }
        let setUp = await stage.begin()
        #expect(setUp.step == .totpSetup(secret: "ABCDEFGHIJKLMNOP", username: PoolStage.name))
        let state = try #require(setUp.state)
        #expect(await stage.answer(.code("12345"), to: state).refusal == .codeWrong)
        stage.pool.refuse("VerifySoftwareToken", "EnableSoftwareTokenMFA", "Code mismatch")
        #expect(await stage.answer(.code("654321"), to: state).refusal == .codeWrong)
        stage.pool.on("VerifySoftwareToken", ["Status": "ERROR", "Session": "the third session, just as long"])
        let failed = await stage.answer(.code("654321"), to: state)
        #expect(failed.refusal == .codeWrong)
        stage.pool.on("VerifySoftwareToken") { call in
            #expect(call.members == ["Session": "the third session, just as long", "UserCode": "123456"])
            return .success(.pool(["Status": "SUCCESS", "Session": "the fourth session, just as long"]))
        }
        let tokens = try PoolStage.tokens()
        stage.pool.on("RespondToAuthChallenge") { call in
            #expect(call.members["ChallengeName"]?.string == "MFA_SETUP")
            #expect(call.members["Session"]?.string == "the fourth session, just as long")
            return .success(.pool(tokens))
        }
        stage.expectRevocation()
        #expect(await stage.answer(.code("123456"), to: try #require(failed.state)).identity != nil)
        stage.pool.expectScriptDone()
    }

    @Test("the user chooses a second factor for set-up")
    func chosenSetUp() async throws {
        let stage = try PoolStage()
        let asked = try await stage.challenged(
            "MFA_SETUP", ["MFAS_CAN_SETUP": #"["SOFTWARE_TOKEN_MFA","EMAIL_OTP"]"#])
        #expect(await stage.answer(.choice("sms_otp"), to: asked.state).refusal == .methodRejected)
        #expect(await stage.answer(.choice("email_otp"), to: asked.state).step == .contactSetup(.email, hint: nil))
        stage.pool.on(
            "AssociateSoftwareToken", ["SecretCode": "ABCDEFGHIJKLMNOP", "Session": "another session, as long"])
        let setUp = await stage.answer(.choice("totp"), to: asked.state)
        #expect(setUp.step == .totpSetup(secret: "ABCDEFGHIJKLMNOP", username: PoolStage.name))
    }
}
