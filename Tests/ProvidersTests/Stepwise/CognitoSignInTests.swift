import Cryptography
import Foundation
import JSON
import Providers
import Testing

@Suite("Stepwise sign-in at Cognito")
struct CognitoSignInTests {
    // MARK: Passwords

    @Test("a sent password needs one call, and the pool's tokens give an identity")
    func plainPassword() async throws {
        let stage = try PoolStage(.password)
        let tokens = try PoolStage.tokens()
        stage.pool.on("InitiateAuth") { call in
            #expect(
                call.members == [
                    "AuthFlow": "USER_PASSWORD_AUTH", "ClientId": "client1",
                    "AuthParameters": ["USERNAME": "ann@example.com", "PASSWORD": "Corr3ct-Horse!"],
                ])
            return .success(.pool(tokens))
        }
        stage.expectRevocation()
        let identity = try #require(await stage.begin().identity)
        #expect(identity.provider == .cognito)
        #expect(identity.realm == "us-east-1_Example01")
        #expect(identity.subject == PoolStage.user)
        #expect(identity.email?.authority == .verifiedByAuthority)
        #expect(identity.upstreamTokens.isEmpty, "the refresh token was revoked, so it isn't kept")
        stage.pool.expectScriptDone()
    }

    @Test("a proved password is never sent", arguments: [CognitoProvider.AuthFlow.srp, .userAuth, .customSRP])
    func proof(flow: CognitoProvider.AuthFlow) async throws {
        let stage = try PoolStage(flow)
        let tokens = try PoolStage.tokens()
        let far = PasswordProof(password: PoolStage.password)
        stage.pool.on("InitiateAuth") { call in .success(.pool(far.challenge(call))) }
        stage.pool.on("RespondToAuthChallenge") { call in
            #expect(far.accepts(call))
            return .success(.pool(tokens))
        }
        stage.expectRevocation()
        #expect(await stage.begin().identity?.subject == PoolStage.user)
        let start = try #require(stage.pool.calls.first)
        let names: [CognitoProvider.AuthFlow: String] = [
            .srp: "USER_SRP_AUTH", .userAuth: "USER_AUTH", .customSRP: "CUSTOM_AUTH",
        ]
        #expect(start.members["AuthFlow"]?.string == names[flow])
        #expect(start.parameter("PREFERRED_CHALLENGE") == (flow == .userAuth ? "PASSWORD_SRP" : nil))
        #expect(start.parameter("CHALLENGE_NAME") == (flow == .customSRP ? "SRP_A" : nil))
        for call in stage.pool.calls { #expect(!call.members.text.contains("Corr3ct")) }
        stage.pool.expectScriptDone()
    }

    @Test("a server with the verifier refuses a proof of another password")
    func wrongProof() async throws {
        let stage = try PoolStage(.srp)
        let far = PasswordProof(password: PoolStage.password)
        stage.pool.on("InitiateAuth") { call in .success(.pool(far.challenge(call))) }
        stage.pool.on("RespondToAuthChallenge") { call in
            #expect(!far.accepts(call))
            return .success(.exception("NotAuthorized", "Incorrect username or password."))
        }
        #expect(await stage.begin(PoolStage.name, Secret("Corr3ct-Horse?")).end == .credentialsWrong)
    }

    @Test(
        "a challenge that is malformed or would reveal the password gets no answer",
        arguments: [
            ["SRP_B": "0"], ["SRP_B": "00"], ["SRP_B": "xyz"], ["SRP_B": ""],
            ["SRP_B": .string(PasswordProof.modulus)], ["SRP_B": .string(PasswordProof.modulus + "0")],
            ["SALT": ""], ["SALT": "no hex"], ["SECRET_BLOCK": "***"], ["SRP_B": .null], ["SALT": .null],
            ["SECRET_BLOCK": .null], ["USER_ID_FOR_SRP": .null],
        ] as [JSONObject])
    func worthlessChallenge(changes: JSONObject) async throws {
        let stage = try PoolStage(.srp)
        let far = PasswordProof(password: PoolStage.password)
        stage.pool.on("InitiateAuth") { call in
            let parameters = TokenMint.merged(far.challenge(call)["ChallengeParameters"]?.object ?? [:], changes)
            return .success(.pool(PoolStage.challenge("PASSWORD_VERIFIER", parameters)))
        }
        #expect(await stage.begin().error == .unavailable(reason: "upstream_malformed", retryAfter: 5))
        #expect(stage.pool.operations == ["InitiateAuth"])
    }

    @Test(
        "a proof states the time in English and UTC, without a leading zero in the day",
        arguments: [
            (1_794_042_303, "Sat Nov 7 09:05:03 UTC 2026"), (1_835_481_599, "Tue Feb 29 23:59:59 UTC 2028"),
            (1_798_675_200, "Thu Dec 31 00:00:00 UTC 2026"), (1_798_804_800, "Fri Jan 1 12:00:00 UTC 2027"),
        ])
    func proofTime(row: (seconds: Double, text: String)) async throws {
        let stage = try PoolStage(.srp)
        let far = PasswordProof(password: PoolStage.password)
        stage.pool.on("InitiateAuth") { call in .success(.pool(far.challenge(call))) }
        stage.pool.refuse("RespondToAuthChallenge", "NotAuthorized", "Incorrect username or password.")
        let then = StepwiseContext(now: Date(timeIntervalSince1970: row.seconds))
        _ = try await stage.provider.begin(username: PoolStage.name, password: PoolStage.password, context: then)
        #expect(stage.pool.calls.last?.parameter("TIMESTAMP") == row.text)
    }

    @Test("a second password challenge is refused")
    func twice() async throws {
        let stage = try PoolStage(.srp)
        let far = PasswordProof(password: PoolStage.password)
        stage.pool.on("InitiateAuth") { call in .success(.pool(far.challenge(call))) }
        stage.pool.on("RespondToAuthChallenge") { call in .success(.pool(far.challenge(call))) }
        #expect(await stage.begin().error == .unavailable(reason: "upstream_malformed", retryAfter: 5))
    }

    @Test(
        "a missing password is demanded, and a wrong one may be corrected",
        arguments: [
            CognitoProvider.AuthFlow.srp, .password, .customSRP,
        ])
    func withoutPassword(flow: CognitoProvider.AuthFlow) async throws {
        let stage = try PoolStage(flow)
        let asked = await stage.begin(PoolStage.name, nil)
        #expect(asked.step == .password)
        #expect(asked.expiresIn == 600)
        #expect(stage.pool.calls.isEmpty)
        stage.pool.refuse("InitiateAuth", "NotAuthorized", "Incorrect username or password.")
        let wrong = await stage.answer(.password(Secret("wrong")), to: try #require(asked.state))
        #expect(wrong.refusal == .passwordWrong)
        #expect(wrong.state == asked.state)
        stage.pool.refuse("InitiateAuth", "NotAuthorized", "Password attempts exceeded")
        let locked = await stage.answer(.password(Secret("wrong")), to: try #require(wrong.state))
        #expect(locked.end == .tooManyAttempts(retryAfter: 60))
    }

    @Test("a password chosen as first factor is proved in its session, and anew after a wrong one")
    func chosenPassword() async throws {
        let stage = try PoolStage(.userAuth)
        stage.pool.on(
            "InitiateAuth",
            PoolStage.challenge("SELECT_CHALLENGE", available: ["PASSWORD", "PASSWORD_SRP", "EMAIL_OTP"]))
        let offered = try #require(await stage.begin(PoolStage.name, nil).state)
        let chosen = await stage.answer(.choice("password"), to: offered)
        #expect(chosen.step == .password)
        let far = PasswordProof(password: PoolStage.password)
        stage.pool.on("RespondToAuthChallenge") { call in
            #expect(call.members["ChallengeName"]?.string == "SELECT_CHALLENGE")
            #expect(call.members["Session"]?.string == PoolStage.session)
            #expect(call.parameter("ANSWER") == "PASSWORD_SRP")
            return .success(.pool(far.challenge(call)))
        }
        stage.pool.refuse("RespondToAuthChallenge", "NotAuthorized", "Incorrect username or password.")
        let wrong = await stage.answer(.password(Secret("wrong")), to: try #require(chosen.state))
        #expect(wrong.refusal == .passwordWrong)
        stage.pool.on("InitiateAuth") { call in
            #expect(call.parameter("PREFERRED_CHALLENGE") == "PASSWORD_SRP")
            return .success(.pool(far.challenge(call)))
        }
        let tokens = try PoolStage.tokens()
        stage.pool.on("RespondToAuthChallenge") { call in
            #expect(far.accepts(call))
            return .success(.pool(tokens))
        }
        stage.expectRevocation()
        #expect(await stage.answer(.password(PoolStage.password), to: try #require(wrong.state)).identity != nil)
        stage.pool.expectScriptDone()
    }

    @Test("a preferred password challenge is answered with the given password")
    func passwordChallenge() async throws {
        let stage = try PoolStage(.userAuth)
        let tokens = try PoolStage.tokens()
        stage.pool.on("InitiateAuth", PoolStage.challenge("PASSWORD"))
        stage.pool.on("RespondToAuthChallenge") { call in
            #expect(call.members["ChallengeName"]?.string == "PASSWORD")
            #expect(call.parameter("PASSWORD") == "Corr3ct-Horse!")
            return .success(.pool(tokens))
        }
        stage.expectRevocation()
        #expect(await stage.begin().identity != nil)
    }

    @Test("a custom flow needs no password, and repeats its question after a wrong answer")
    func customChallenges() async throws {
        let stage = try PoolStage(.custom)
        stage.pool.on("InitiateAuth", PoolStage.challenge("CUSTOM_CHALLENGE", ["question": "?"]))
        let asked = await stage.begin(PoolStage.name, nil)
        #expect(stage.pool.calls.first?.members["AuthFlow"] == "CUSTOM_AUTH")
        #expect(stage.pool.calls.first?.parameter("PASSWORD") == nil)
        stage.pool.on(
            "RespondToAuthChallenge",
            PoolStage.challenge("CUSTOM_CHALLENGE", ["question": "?"], session: "the second session, as long"))
        let again = await stage.answer(.answer("wrong"), to: try #require(asked.state))
        #expect(again.step == .customChallenge(parameters: ["question": "?"]))
        stage.pool.refuse("RespondToAuthChallenge", "NotAuthorized", "Invalid session for the user.")
        #expect(await stage.answer(.answer("wrong"), to: try #require(again.state)).end == .expired)
    }

    // MARK: The client's secret, and who asks

    @Test("with a client secret, every call proves it for the call's user name")
    func secretHash() async throws {
        let stage = try PoolStage(.password, callerAddress: "192.0.2.7") {
            $0.clientIDs = ["1example23456789"]
            $0.clientSecret = Secret("examplesecret0123456789abcdefghijk")
        }
        stage.pool.on("InitiateAuth") { call in
            #expect(call.parameter("SECRET_HASH") == "4OILFXC1rfWeTbeuNnHGZU/sYVagVo2sKW0FajV+3lA=")
            #expect(call.members["UserContextData"] == ["IpAddress": "192.0.2.7"])
            let user = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
            return .success(.pool(PoolStage.challenge("SMS_MFA", ["USER_ID_FOR_SRP": .string(user)])))
        }
        let asked = try #require(await stage.begin("alice@example.com").state)
        let tokens = try PoolStage.tokens(["aud": "1example23456789"])
        stage.pool.on("RespondToAuthChallenge") { call in
            #expect(call.parameter("SECRET_HASH") == "+Hy7JxxUUyDxLCBAyv5cGo+5RaeYnfyQ+wR1vKxFXn8=")
            return .success(.pool(tokens))
        }
        stage.pool.on("RevokeToken") { call in
            #expect(call.members["ClientSecret"]?.string == "examplesecret0123456789abcdefghijk")
            return .success(.pool([:]))
        }
        #expect(await stage.answer(.code("123456"), to: asked).identity != nil)
        stage.pool.expectScriptDone()
    }

    @Test("a client without a secret sends no secret hash and no user context")
    func withoutSecret() async throws {
        let stage = try PoolStage(.password, callerAddress: "192.0.2.7")
        _ = try await stage.challenged("SMS_MFA")
        #expect(stage.pool.calls.first?.members["UserContextData"] == nil)
        #expect(stage.pool.calls.first?.parameter("SECRET_HASH") == nil)
    }

    // MARK: Tokens

    @Test(
        "the pool's ID token passes every check, and its refresh token is revoked even if refused",
        arguments: [
            (["aud": "client2"], "audience_mismatch"), (["aud": "stranger"], "audience_mismatch"),
            (["token_use": "access"], "wrong_token_type"), (["iss": "https://evil.example"], "issuer_not_allowed"),
            (["exp": .integer(TestClock.seconds - 3_600)], "expired"), (["sub": ""], "subject_invalid"),
            (["auth_time": .integer(TestClock.seconds - 3_600)], "too_old"),
        ] as [(JSONObject, String)])
    func badToken(row: (claims: JSONObject, word: String)) async throws {
        let stage = try PoolStage()
        stage.pool.on("InitiateAuth", try PoolStage.tokens(row.claims))
        stage.expectRevocation()
        guard case .refused(let refusal)? = await stage.begin().error else {
            Issue.record("was taken")
            return
        }
        #expect(refusal.rawValue == row.word)
        stage.pool.expectScriptDone()
    }

    @Test("tokens without an ID token are a failure of the provider")
    func noIDToken() async throws {
        let stage = try PoolStage()
        stage.pool.on("InitiateAuth", ["AuthenticationResult": ["AccessToken": "a.b.c"]])
        #expect(await stage.begin().error == .unavailable(reason: "upstream_malformed", retryAfter: 5))
        #expect(stage.pool.operations == ["InitiateAuth"])
    }

    @Test("a pool without revocation still signs in")
    func unrevoked() async throws {
        let stage = try PoolStage()
        stage.pool.on("InitiateAuth", try PoolStage.tokens())
        stage.pool.refuse("RevokeToken", "UnsupportedOperation", "")
        #expect(await stage.begin().identity != nil)
    }

    // MARK: What is typed, and what is kept

    @Test(
        "an impossible user name is not sent",
        arguments: [
            "", "two words", "tab\t", "line\n", String(repeating: "a", count: 129), "zero\u{0}", "\u{202E}ann",
        ])
    func badNames(name: String) async throws {
        let stage = try PoolStage()
        let reason = name.isEmpty ? "missing" : "malformed"
        #expect(await stage.begin(name).error == .invalidRequest(member: "username", reason: reason))
        #expect(stage.pool.calls.isEmpty)
    }

    @Test(
        "an impossible password is not sent",
        arguments: [
            ("", "missing"), (String(repeating: "a", count: 1_025), "malformed"),
        ])
    func badPasswords(row: (password: String, reason: String)) async throws {
        let stage = try PoolStage()
        let outcome = await stage.begin(PoolStage.name, Secret(row.password))
        #expect(outcome.error == .invalidRequest(member: "password", reason: row.reason))
        let asked = try #require(await stage.begin(PoolStage.name, nil).state)
        let answer = await stage.answer(.password(Secret(row.password)), to: asked)
        #expect(answer.error == .invalidRequest(member: "password", reason: row.reason))
    }

    @Test(
        "no state contains a password",
        arguments: [
            "SMS_MFA", "NEW_PASSWORD_REQUIRED", "CUSTOM_CHALLENGE", "PASSWORD", "SOFTWARE_TOKEN_MFA",
        ])
    func statesWithoutPassword(challenge: String) async throws {
        let stage = try PoolStage()
        let asked = try await stage.challenged(challenge)
        #expect(!asked.state.text.contains("Corr3ct"))
        #expect(asked.state["session"]?.string == PoolStage.session)
    }

    @Test("a state of another pool or client, or a malformed one, is an ended sign-in")
    func foreignStates() async throws {
        let stage = try PoolStage()
        let state = try #require(await stage.begin(PoolStage.name, nil).state)
        let other = try PoolStage(.password) { $0.clientIDs = ["client2"] }
        let elsewhere = try PoolStage(.password) { $0.userPoolID = "us-east-1_Example02" }
        for stranger in [other, elsewhere] {
            #expect(await stranger.answer(.password(PoolStage.password), to: state).end == .expired)
            #expect(await stranger.resend(state).end == .expired)
        }
        for nonsense in [.null, "text", [], [:], ["pool": "us-east-1_Example01"]] as [JSON] {
            #expect(await stage.answer(.code("1"), to: nonsense).end == .expired)
            #expect(await stage.resend(nonsense).end == .expired)
        }
    }

    @Test("another server continues the sign-in")
    func anotherServer() async throws {
        let asked = try await PoolStage().challenged("SMS_MFA")
        let other = try PoolStage()
        let copy = try JSON(parsing: asked.state.bytes())
        other.pool.on("RespondToAuthChallenge", try PoolStage.tokens())
        other.expectRevocation()
        #expect(await other.answer(.code("123456"), to: copy).identity?.subject == PoolStage.user)
    }

    @Test("without sign-in by name, there is no request")
    func off() async throws {
        let stage = try PoolStage(.off)
        #expect(!stage.provider.canSignInStepwise)
        #expect(try PoolStage(.srp).provider.canSignInStepwise)
        let error = ProviderError.misconfigured(reason: "username_sign_in_off")
        #expect(await stage.begin().error == error)
        #expect(await stage.answer(.code("1"), to: [:]).error == error)
        #expect(await stage.resend([:]).error == error)
        #expect(stage.pool.calls.isEmpty)
    }

    @Test(
        "a required password cannot be replaced by another factor",
        arguments: [CognitoProvider.AuthFlow.userAuth, .custom])
    func mustTakePassword(flow: CognitoProvider.AuthFlow) async throws {
        let stage = try PoolStage(flow)
        if flow == .userAuth {
            stage.pool.on(
                "InitiateAuth",
                PoolStage.challenge("SELECT_CHALLENGE", available: ["EMAIL_OTP", "PASSWORD"]))
        }
        let answer = try await stage.provider.begin(
            username: PoolStage.name, password: PoolStage.password,
            context: StepwiseContext(now: TestClock.now, mustTakePassword: true))
        #expect(answer == .ended(.credentialsWrong))
        stage.pool.expectScriptDone()
    }
}
