import JSON
import Testing

@Suite("Cognito's API: an app that reveals whether a user exists", .gateway())
struct CognitoExistenceTests {
    @Test("an unknown name is refused by sign-in, reset and confirmation, and a known one by sign-up")
    func revealing() async throws {
        let api = try await CognitoAPI.enabled(on: try GatewayProcess.current, revealing: true)
        let email = Fresh.email()
        let unknown: JSON = .string(email)
        #expect(try await api.passwordAuth(email)["error"] == "UserNotFoundException")
        #expect(try await api.srpAuth(email)["message"] == "User does not exist.")
        for (operation, more) in [
            ("ForgotPassword", [:]), ("ResendConfirmationCode", [:]),
            ("ConfirmSignUp", ["ConfirmationCode": "123456"]),
            ("ConfirmForgotPassword", ["ConfirmationCode": "123456", "Password": "another password 5"]),
        ] as [(String, JSONObject)] {
            var parameters = more
            parameters["Username"] = unknown
            let answer = try await api.call(operation, parameters)
            #expect(answer["error"] == "UserNotFoundException", "\(operation): \(answer.text)")
            #expect(answer["message"] == "Username/client id combination not found.")
        }
        // A name that waits for its code is no unknown one.
        _ = try await api.call("SignUp", ["Username": unknown, "Password": .string(GatewayProcess.password)])
        #expect(try await api.passwordAuth(email)["error"] == "UserNotConfirmedException")
        let code = try await api.gateway.mailedCode(to: email)
        let confirmed = try await api.call("ConfirmSignUp", ["Username": unknown, "ConfirmationCode": .string(code)])
        #expect(confirmed["error"] == nil, "\(confirmed.text)")
        let repeated = try await api.call("ConfirmSignUp", ["Username": unknown, "ConfirmationCode": .string(code)])
        #expect(repeated["error"] == "NotAuthorizedException", "\(repeated.text)")
        #expect(repeated["message"] == "User cannot be confirmed. Current status is CONFIRMED")
        let again = try await api.call("SignUp", ["Username": unknown, "Password": "another password 5"])
        #expect(again["error"] == "UsernameExistsException" && again["message"] == "User already exists")
        #expect(try await api.passwordAuth(email, "a wrong password 7")["error"] == "NotAuthorizedException")
        _ = try CognitoTokensAnswer(try await api.passwordAuth(email))
    }
}
