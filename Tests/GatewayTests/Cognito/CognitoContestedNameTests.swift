import JSON
import Postgres
import Testing

@Suite("Cognito's API: several pending flows of one name", .gateway())
struct CognitoContestedNameTests {
    private static let strangers = "a stranger's password 8"

    /// Two sign-ups of one name: the user's own one, and that of a stranger.
    private struct Contest {
        let email = Fresh.email()
        let own: JSON
        let codes: [String]

        init(_ api: CognitoAPI) async throws {
            own = try await Self.signUp(email, GatewayProcess.password, api)
            let first = try await api.gateway.mailedCode(to: email)
            _ = try await Self.signUp(email, CognitoContestedNameTests.strangers, api)
            codes = [first, try await api.gateway.mailedCode(to: email, number: 2)]
        }

        private static func signUp(_ email: String, _ password: String, _ api: CognitoAPI) async throws -> JSON {
            let begun = try await api.call(
                "SignUp",
                [
                    "Username": .string(email), "Password": .string(password),
                    "UserAttributes": [["Name": "name", "Value": "Somebody"]],
                ])
            try #require(begun["Session"]?.string != nil, "\(begun.text)")
            return begun
        }

        /// A code of neither mail.
        var wrongCode: String { ["000000", "000001", "000002"].first { !codes.contains($0) } ?? "" }
    }

    private func confirm(
        _ email: String, _ code: String, session: JSON? = nil, _ api: CognitoAPI
    ) async throws -> JSON {
        var parameters: JSONObject = ["Username": .string(email), "ConfirmationCode": .string(code)]
        parameters["Session"] = session
        return try await api.call("ConfirmSignUp", parameters)
    }

    @Test("3-D1: whichever code is typed with the name alone, no password works afterwards", arguments: [0, 1])
    func contested(typed: Int) async throws {
        let api = try await CognitoAPI.current
        let contest = try await Contest(api)
        #expect(try await confirm(contest.email, contest.codes[typed], api) == [:])
        for password in [Self.strangers, GatewayProcess.password] {
            let refused = try await api.passwordAuth(contest.email, password)
            #expect(refused["error"] == "PasswordResetRequiredException", "\(refused.text)")
        }
        let bare = try await api.gateway.count(
            """
            select count(*) from accounts a join account_emails e on e.account_id = a.id and e.proved_at is not null
             where e.address_key = \(contest.email) and a.display_name is null
               and not exists (select from passwords w where w.account_id = a.id)
            """)
        #expect(bare == 1)
        // Each refused sign-in has mailed a code: any of them selects its reset.
        let code = try await api.gateway.mailedCode(to: contest.email, number: 3)
        let reset = try await api.call(
            "ConfirmForgotPassword",
            [
                "Username": .string(contest.email), "ConfirmationCode": .string(code),
                "Password": "a quiet otter below the mill 7",
            ])
        #expect(reset == [:])
        _ = try CognitoTokensAnswer(try await api.passwordAuth(contest.email, "a quiet otter below the mill 7"))
    }

    @Test("3-D1: another code by the name belongs to the first sign-up, and a session keeps its password")
    func bound() async throws {
        let api = try await CognitoAPI.current
        let contest = try await Contest(api)
        try await api.gateway.change("update flows set resend_after = now() where kind = 'sign_up'")
        let sent = try await api.call("ResendConfirmationCode", ["Username": .string(contest.email)])
        #expect(sent["error"] == nil, "\(sent.text)")
        let code = try await api.gateway.mailedCode(to: contest.email, number: 3)
        let confirmed = try await confirm(contest.email, code, session: contest.own["Session"], api)
        #expect(confirmed["Session"]?.string != nil, "\(confirmed.text)")
        let tokens = try CognitoTokensAnswer(try await api.passwordAuth(contest.email))
        #expect(try tokens.access["sub"] == contest.own["UserSub"])
        #expect(try await api.passwordAuth(contest.email, Self.strangers)["error"] == "NotAuthorizedException")
    }

    @Test("3-D1: the only sign-up that is left is no surer than the newest")
    func expired() async throws {
        let api = try await CognitoAPI.current
        let contest = try await Contest(api)
        let own = try #require(contest.own["UserSub"]?.string)
        try await api.gateway.change(
            "update flows set created_at = now() - interval '1 day', expires_at = now() where id = \(own)::uuid")
        _ = try await api.gateway.count("select sweep_flows(100000)")
        #expect(try await confirm(contest.email, contest.codes[1], api) == [:])
        let refused = try await api.passwordAuth(contest.email, Self.strangers)
        #expect(refused["error"] == "PasswordResetRequiredException", "\(refused.text)")
    }

    @Test("3-D1: two sign-ups are guessed no faster than one, and guesses by the name burn no try of a session")
    func guesses() async throws {
        let api = try await CognitoAPI.current
        let contest = try await Contest(api)
        for guess in 1...11 {
            let answer = try await confirm(contest.email, contest.wrongCode, api)
            #expect(answer["error"]?.string == (guess <= 10 ? "CodeMismatchException" : "LimitExceededException"))
        }
        let confirmed = try await confirm(contest.email, contest.codes[0], session: contest.own["Session"], api)
        #expect(confirmed["error"] == nil, "\(confirmed.text)")
        _ = try CognitoTokensAnswer(try await api.passwordAuth(contest.email))
    }

    @Test("3-D1: the code of a reset selects it, whatever strangers begin later")
    func resets() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        _ = try await api.call("ForgotPassword", ["Username": .string(email)])
        let first = try await api.gateway.mailedCode(to: email, number: 2)
        _ = try await api.call("ForgotPassword", ["Username": .string(email)])
        _ = try await api.gateway.mailedCode(to: email, number: 3)
        let next = "a quiet otter below the mill 7"
        let answer = try await api.call(
            "ConfirmForgotPassword",
            ["Username": .string(email), "ConfirmationCode": .string(first), "Password": .string(next)])
        #expect(answer == [:])
        _ = try CognitoTokensAnswer(try await api.passwordAuth(email, next))
    }

    @Test("3-D1: a back end names one of several sign-ups, and confirms none by the name alone")
    func named() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api)
        let contest = try await Contest(api)
        let refused = try await backEnd.call("AdminConfirmSignUp", ["Username": .string(contest.email)])
        #expect(refused["error"] == "InvalidParameterException", "\(refused.text)")
        let own = try #require(contest.own["UserSub"])
        try await backEnd.done(
            "AdminConfirmSignUp", ["Username": .string(contest.email), "ClientMetadata": ["UserSub": own]])
        #expect(try CognitoTokensAnswer(try await api.passwordAuth(contest.email)).access["sub"] == own)
        #expect(try await api.passwordAuth(contest.email, Self.strangers)["error"] == "UserNotConfirmedException")
    }
}

@Suite("Cognito's API: a device key that is known elsewhere", .gateway())
struct CognitoForeignDeviceTests {
    @Test("3-D1: without a session, a device key enters no flow of another network")
    func elsewhere() async throws {
        let api = try await CognitoAPI.enabled(on: try GatewayProcess.current, devices: "always")
        let backEnd = try await CognitoBackEnd(api)
        let user = try await CognitoProtectedUser(api)
        let device = try await user.confirmedDevice()
        let asked = try await backEnd.call(
            "AdminInitiateAuth",
            [
                "ClientId": .string(api.clientID), "AuthFlow": "ADMIN_USER_PASSWORD_AUTH",
                "ContextData": ["IpAddress": "192.0.2.77", "ServerName": "app", "ServerPath": "/", "HttpHeaders": []],
                "AuthParameters": [
                    "USERNAME": .string(user.email), "PASSWORD": .string(GatewayProcess.password),
                    "DEVICE_KEY": .string(device.key),
                ],
            ])
        #expect(asked["ChallengeName"] == "DEVICE_SRP_AUTH", "\(asked.text)")
        let entered = try await device.prove(asked, api, sendsSession: false)
        #expect(entered["error"] == "NotAuthorizedException", "\(entered.text)")
        _ = try CognitoTokensAnswer(try await device.prove(asked, api))
    }
}
