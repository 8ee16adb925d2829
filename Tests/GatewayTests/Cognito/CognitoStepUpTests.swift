import Foundation
import JSON
import Testing

@Suite("Cognito's API: levels of authentication", .gateway())
struct CognitoStepUpTests {
    private static let (first, second, fourth) = ("urn:cognito:loa:1", "urn:cognito:loa:2", "urn:cognito:loa:4")

    /// `USER_AUTH` with further parameters.
    private func userAuth(_ api: CognitoAPI, _ email: String, _ more: JSONObject) async throws -> JSON {
        var parameters = more
        parameters["USERNAME"] = .string(email)
        return try await api.call("InitiateAuth", ["AuthFlow": "USER_AUTH", "AuthParameters": .object(parameters)])
    }

    private func userAuth(
        _ api: CognitoAPI, _ email: String, with tokens: CognitoTokensAnswer, toward level: String, age: String? = nil
    ) async throws -> JSON {
        var parameters: JSONObject = [
            "TARGET_ACR_VALUES": .string(level), "ACCESS_TOKEN": .string(tokens.accessToken),
        ]
        parameters["MAX_AGE"] = age.map(JSON.string)
        return try await userAuth(api, email, parameters)
    }

    private func expect(
        _ tokens: CognitoTokensAnswer, _ level: String, _ methods: JSON,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for claims in [try tokens.access, try tokens.identity] {
            #expect(claims["acr"] == .string(level), sourceLocation: sourceLocation)
            #expect(claims["amr"] == methods, sourceLocation: sourceLocation)
        }
    }

    @Test("both tokens tell level and methods, also after a refresh")
    func claims() async throws {
        let api = try await CognitoAPI.enabled(on: try GatewayProcess.current, devices: "always")
        let tokens = try await api.anyone()
        try expect(tokens, Self.first, ["pwd"])
        let refreshed = try CognitoTokensAnswer(
            try await api.call("GetTokensFromRefreshToken", ["RefreshToken": .string(tokens.refreshToken)]))
        try expect(refreshed, Self.first, ["pwd"])
        let user = try await CognitoProtectedUser(api)
        try expect(try CognitoTokensAnswer(try await user.signIn()), Self.fourth, ["pwd", "otp", "mfa"])
    }

    @Test("a mailed code gives the level of codes")
    func code() async throws {
        let api = try await CognitoAPI.enabled(on: try GatewayProcess.current, devices: "always")
        let email = Fresh.email()
        try await api.signUp(email)
        let asked = try await userAuth(
            api, email, ["TARGET_ACR_VALUES": .string(Self.second), "PREFERRED_CHALLENGE": "EMAIL_OTP"])
        #expect(asked["ChallengeName"] == "EMAIL_OTP", "\(asked.text)")
        let code = try await api.gateway.mailedCode(to: email)
        let tokens = try CognitoTokensAnswer(
            try await api.respond(
                "EMAIL_OTP", asked["Session"]?.string, ["USERNAME": .string(email), "EMAIL_OTP_CODE": .string(code)]))
        try expect(tokens, Self.second, ["email_otp"])
    }

    @Test("a session gets the missing factor, and a new one takes its place")
    func raised() async throws {
        let api = try await CognitoAPI.enabled(on: try GatewayProcess.current, devices: "always")
        let email = Fresh.email()
        try await api.signUp(email)
        let weak = try CognitoTokensAnswer(try await api.passwordAuth(email))
        let user = try await CognitoProtectedUser(api, email)
        let asked = try await userAuth(api, email, with: weak, toward: Self.fourth, age: "3600")
        let strong = try CognitoTokensAnswer(try await user.prove(asked))
        try expect(strong, Self.fourth, ["pwd", "otp", "mfa"])
        let ended = try await api.call("GetUser", ["AccessToken": .string(weak.accessToken)])
        #expect(ended["message"] == "Access Token has been revoked", "\(ended.text)")
        #expect(try await api.call("GetUser", ["AccessToken": .string(strong.accessToken)])["error"] == nil)
        let again = try await userAuth(api, email, with: strong, toward: Self.fourth)
        #expect(again["error"] == "InvalidParameterException", "\(again.text)")
    }

    @Test("a proof that is too old counts for nothing: the sign-in begins from scratch, toward the level")
    func old() async throws {
        let api = try await CognitoAPI.enabled(on: try GatewayProcess.current, devices: "always")
        let email = Fresh.email()
        try await api.signUp(email)
        let weak = try CognitoTokensAnswer(try await api.passwordAuth(email))
        _ = try await CognitoProtectedUser(api, email)
        let session = try #require(try weak.access["origin_jti"]?.string)
        try await api.gateway.age(session)
        let asked = try await userAuth(api, email, with: weak, toward: Self.fourth, age: "600")
        #expect(asked["ChallengeName"] == "SELECT_CHALLENGE", "\(asked.text)")
        #expect(asked["AvailableChallenges"] == ["PASSWORD", "PASSWORD_SRP"])
        #expect(try await api.call("GetUser", ["AccessToken": .string(weak.accessToken)])["error"] == nil)
    }

    @Test("a target outlives the choice of a challenge, and a remembered device does not replace the factor")
    func remembered() async throws {
        let api = try await CognitoAPI.enabled(on: try GatewayProcess.current, devices: "always")
        let user = try await CognitoProtectedUser(api)
        let device = try await user.confirmedDevice()
        let target: JSONObject = ["TARGET_ACR_VALUES": .string(Self.fourth), "DEVICE_KEY": .string(device.key)]
        let offered = try await userAuth(api, user.email, target)
        let asked = try await api.respond(
            "SELECT_CHALLENGE", offered["Session"]?.string,
            [
                "USERNAME": .string(user.email), "ANSWER": "PASSWORD", "DEVICE_KEY": .string(device.key),
                "PASSWORD": .string(GatewayProcess.password),
            ])
        let tokens = try CognitoTokensAnswer(try await user.prove(asked, device))
        try expect(tokens, Self.fourth, ["pwd", "otp", "mfa"])
        #expect(try await user.passwordAuth(device)["ChallengeName"] == "DEVICE_SRP_AUTH")
    }

    @Test("a user without a factor gets the tokens of the level that was reached, and no session is raised")
    func withoutFactor() async throws {
        let api = try await CognitoAPI.enabled(on: try GatewayProcess.current, devices: "always")
        let email = Fresh.email()
        try await api.signUp(email)
        let tokens = try CognitoTokensAnswer(
            try await userAuth(
                api, email,
                [
                    "TARGET_ACR_VALUES": .string(Self.fourth), "PREFERRED_CHALLENGE": "PASSWORD",
                    "PASSWORD": .string(GatewayProcess.password),
                ]))
        try expect(tokens, Self.first, ["pwd"])
        let raised = try await userAuth(api, email, with: tokens, toward: Self.fourth)
        #expect(raised["error"] == "InvalidParameterException", "\(raised.text)")
    }

    @Test("the access token of another user, an unknown one or one without a target raises nothing")
    func refused() async throws {
        let api = try await CognitoAPI.enabled(on: try GatewayProcess.current, devices: "always")
        let (email, other) = (Fresh.email(), Fresh.email())
        for name in [email, other] { try await api.signUp(name) }
        let tokens = try CognitoTokensAnswer(try await api.passwordAuth(email))
        let foreign = try await userAuth(api, other, with: tokens, toward: Self.fourth)
        #expect(foreign["error"] == "InvalidParameterException", "\(foreign.text)")
        #expect(foreign["message"] == "USERNAME is not the user of ACCESS_TOKEN.")
        let bare = try await userAuth(api, email, ["ACCESS_TOKEN": .string(tokens.accessToken)])
        #expect(bare["message"] == "Missing required parameter TARGET_ACR_VALUES", "\(bare.text)")
        let unknown = try await userAuth(
            api, email, ["ACCESS_TOKEN": "unknown", "TARGET_ACR_VALUES": .string(Self.fourth)])
        #expect(unknown["error"] == "NotAuthorizedException", "\(unknown.text)")
    }
}
