import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@Suite("Cognito's API: deleted users, and temporary passwords", .gateway())
struct CognitoLeavingTests {
    @Test("3-D6: a user whom a back end deletes is disabled, and can't cancel that")
    func byBackEnd() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api)
        let email = Fresh.email()
        let person = try await api.gateway.signUp(email)
        // The user's own request comes first: it does not protect them.
        #expect(try await api.gateway.delete("/v1/account", bearer: person.accessToken).status == 202)
        let back = try SignedInAnswer(try await api.gateway.passwordSignIn(email, GatewayProcess.password))
        let name: JSONObject = ["Username": .string(email)]
        try await backEnd.done("AdminDeleteUser", name)
        _ = try await poll { try await api.gateway.checkSession(back.accessToken).status == 401 ? true : nil }
        let cancelled = try await api.gateway.delete("/v1/account/deletion", bearer: back.accessToken)
        #expect(cancelled.status == 401, "\(cancelled.text)")
        #expect(try await api.gateway.passwordSignIn(email, GatewayProcess.password).code == "invalid_credentials")
        #expect(try await api.passwordAuth(email)["error"] == "NotAuthorizedException")
        #expect(try await backEnd.user(email)["Enabled"] == false)
        let enabled = try await backEnd.call("AdminEnableUser", name)
        #expect(enabled["error"] == "InvalidParameterException", "\(enabled.text)")
        let kept = try await api.gateway.deployment.run(
            "accounts", "cancel-deletion", person.account, "--reason", "a mistake")
        #expect(kept.exitCode == 0, "\(kept.errors)")
        #expect(try await backEnd.user(email)["Enabled"] == true)
        _ = try CognitoTokensAnswer(try await api.passwordAuth(email))
    }

    @Test("3-D6: after DeleteUser a sign-in is refused with the address where only the user cancels it")
    func byUser() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api)
        let email = Fresh.email()
        let sub = try await api.signUp(email)
        let tokens = try CognitoTokensAnswer(try await api.passwordAuth(email))
        #expect(try await api.call("DeleteUser", ["AccessToken": .string(tokens.accessToken)]) == [:])
        for refused in [try await api.passwordAuth(email), try await api.srpAuth(email)] {
            #expect(refused["error"] == "UserLambdaValidationException", "\(refused.text)")
            #expect(refused["message"]?.string?.hasSuffix("/account") == true, "\(refused.text)")
        }
        let live = try await api.gateway.count(
            "select count(*) from sessions where account_id = \(sub)::uuid and ended_at is null")
        #expect(live == 0)
        #expect(try await backEnd.user(email)["Enabled"] == false)
        let listed = try await backEnd.done("ListUsers", ["Filter": "status = \"Disabled\"", "Limit": 60])
        #expect(listed["Users"]?.array?.contains { $0["Username"]?.string == sub } == true)
        let operators = try await api.gateway.deployment.run("accounts", "cancel-deletion", sub, "--reason", "a test")
        #expect(operators.exitCode == 1)
        let person = try SignedInAnswer(try await api.gateway.passwordSignIn(email, GatewayProcess.password))
        #expect(try await api.gateway.delete("/v1/account/deletion", bearer: person.accessToken).status == 204)
        _ = try CognitoTokensAnswer(try await api.passwordAuth(email))
        #expect(try await backEnd.user(email)["Enabled"] == true)
    }

    @Test("3-D14: a temporary password is refused after its days, at every step of a sign-in")
    func temporaryPassword() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api)
        let (email, password) = (Fresh.email(), "a first password 1")
        func invite(_ action: String) async throws {
            try await backEnd.done(
                "AdminCreateUser",
                [
                    "Username": .string(email), "TemporaryPassword": .string(password),
                    "MessageAction": .string(action),
                ])
        }
        func grow(days: Int) async throws {
            try await api.gateway.change(
                """
                update passwords set set_at = now() - make_interval(days => \(Int32(days)))
                 where account_id = (select account_id from account_emails where address_key = \(email))
                """)
        }
        try await invite("SUPPRESS")
        try await grow(days: 6)
        let asked = try await api.passwordAuth(email, password)
        #expect(asked["ChallengeName"] == "NEW_PASSWORD_REQUIRED", "\(asked.text)")
        try await grow(days: 8)
        let late = try await api.respond(
            "NEW_PASSWORD_REQUIRED", asked["Session"]?.string,
            ["USERNAME": .string(email), "NEW_PASSWORD": "another password 5"])
        #expect(late["error"] == "NotAuthorizedException", "\(late.text)")
        for refused in [try await api.passwordAuth(email, password), try await api.srpAuth(email, password)] {
            #expect(refused["error"] == "NotAuthorizedException")
            #expect(
                refused["message"] == "Temporary password has expired and must be reset by an administrator",
                "\(refused.text)")
        }
        #expect(try await api.passwordAuth(email, "a wrong password 7")["message"] == "Incorrect username or password.")
        let plain = try await api.gateway.passwordSignIn(email, password)
        #expect(plain.status == 403 && plain.code == "temporary_password_expired", "\(plain.text)")
        try await invite("RESEND")
        let again = try await api.passwordAuth(email, password)
        #expect(again["ChallengeName"] == "NEW_PASSWORD_REQUIRED", "\(again.text)")
    }
}
