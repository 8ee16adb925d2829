import Foundation
import JSON
import Postgres
import Testing

@Suite("Cognito's API: what a newly moved app meets", .gateway())
struct CognitoNewcomerTests {
    @Test("3-C11: a new pool has the standard attributes, and the pages do not ask for them")
    func standardAttributes() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        let begun = try await api.call(
            "SignUp",
            [
                "Username": .string(email), "Password": .string(GatewayProcess.password),
                "UserAttributes": [["Name": "given_name", "Value": "Ann"]],
            ])
        try #require(begun["error"] == nil, "\(begun.text)")
        let code = try await api.gateway.mailedCode(to: email)
        _ = try await api.call("ConfirmSignUp", ["Username": .string(email), "ConfirmationCode": .string(code)])
        let tokens = try CognitoTokensAnswer(try await api.passwordAuth(email))
        #expect(try tokens.identity["given_name"] == "Ann")
        let access = JSON.string(tokens.accessToken)
        let changed = try await api.call(
            "UpdateUserAttributes",
            ["AccessToken": access, "UserAttributes": [["Name": "family_name", "Value": "Lee"]]])
        #expect(changed["error"] == nil, "\(changed.text)")
        #expect(try await api.call("GetUser", ["AccessToken": access]).attribute("family_name") == "Lee")
        let unknown = try await api.call(
            "SignUp",
            [
                "Username": .string(Fresh.email()), "Password": .string(GatewayProcess.password),
                "UserAttributes": [["Name": "custom:size", "Value": "4"]],
            ])
        #expect(unknown["error"] == "InvalidParameterException", "\(unknown.text)")
        #expect(try await !api.gateway.get("/sign-up").text.contains("given_name"))
    }

    @Test("3-C11: a bad number or address is refused by its own name")
    func badAddresses() async throws {
        let api = try await CognitoAPI.current
        let access = JSON.string(try await api.anyone().accessToken)
        for (name, value, message) in [
            ("phone_number", "12", "Invalid phone number format."),
            ("email", "+491701234567", "Invalid email address format."),
        ] {
            let refused = try await api.call(
                "UpdateUserAttributes",
                ["AccessToken": access, "UserAttributes": [["Name": .string(name), "Value": .string(value)]]])
            #expect(
                refused["error"] == "InvalidParameterException" && refused["message"] == .string(message),
                "\(refused.text)")
        }
    }

    @Test("3-C11: a temporary password, once proved, leads to the user's attributes")
    func newPassword() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api)
        let email = Fresh.email()
        try await backEnd.done(
            "AdminCreateUser",
            [
                "Username": .string(email), "TemporaryPassword": "a temporary password 4", "MessageAction": "SUPPRESS",
                "UserAttributes": [["Name": "given_name", "Value": "Ann"]],
            ])
        let asked = try await api.passwordAuth(email, "a temporary password 4")
        #expect(asked["ChallengeName"] == "NEW_PASSWORD_REQUIRED", "\(asked.text)")
        let text = try #require(asked["ChallengeParameters"]?["userAttributes"]?.string)
        let attributes = try JSON(parsing: text)
        #expect(attributes == ["email": .string(email), "email_verified": "true", "given_name": "Ann"])
    }

    @Test("3-C11: an app without a brand has its own name in mails, as on its pages")
    func nameInMails() async throws {
        let gateway = try GatewayProcess.current
        let app = try await SigningUpClient(names: ["email"]).add(gateway)
        let email = Fresh.email()
        _ = try await gateway.beginSignUp(email, app: app)
        _ = try await gateway.mailedCode(to: email)
        #expect(gateway.mails(to: email).last?.decoded.contains("Duck Shop") == true)
    }
}

extension CognitoExistenceTests {
    @Test("3-C11: an app that reveals its users offers a passkey only to its holders; others offer it to all")
    func passkeys() async throws {
        let gateway = try GatewayProcess.current
        let api = try await CognitoAPI.enabled(on: gateway, revealing: true)
        let email = Fresh.email()
        let sub = try await api.signUp(email)
        func offered() async throws -> Bool {
            let asked = try await api.call(
                "InitiateAuth", ["AuthFlow": "USER_AUTH", "AuthParameters": ["USERNAME": .string(email)]])
            return try #require(asked["AvailableChallenges"]?.array, "\(asked.text)").contains("WEB_AUTHN")
        }
        #expect(try await !offered())
        try await gateway.change(
            """
            insert into passkeys (id, account_id, credential_id, user_handle, public_key, algorithm, counter, backup_eligible, backed_up, attestation)
            values (gen_random_uuid(), \(sub)::uuid, uuid_send(gen_random_uuid()), 'h', 'k', -7, 0, false, false, 'none')
            """)
        #expect(try await offered())
    }
}
