import JSON
import Postgres
import Testing

@Suite("Cognito's API: sign-ups, identities and factors for a back end", .gateway())
struct CognitoAdminUserTests {
    /// A sign-up that waits for its code.
    private func waiting(_ api: CognitoAPI, _ email: String) async throws -> String {
        let begun = try await api.call(
            "SignUp", ["Username": .string(email), "Password": .string(GatewayProcess.password)])
        return try #require(begun["UserSub"]?.string, "\(begun.text)")
    }

    @Test("3-D8: a sign-up that a back end confirms is a user with an unproved address, once")
    func confirmation() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api)
        let email = Fresh.email()
        let name: JSONObject = ["Username": .string(email)]
        let sub = try await waiting(api, email)
        let early = try await api.passwordAuth(email)
        #expect(early["error"] == "UserNotConfirmedException", "\(early.text)")
        try await backEnd.done("AdminConfirmSignUp", name)
        let tokens = try CognitoTokensAnswer(try await api.passwordAuth(email))
        #expect(try tokens.access["sub"] == .string(sub))
        let user = try await backEnd.user(email)
        #expect(user["UserStatus"] == "CONFIRMED" && user.attribute("email_verified") == "false")
        #expect(try tokens.identity["email_verified"] == false)
        let again = try await backEnd.call("AdminConfirmSignUp", name)
        #expect(again["error"] == "NotAuthorizedException")
        #expect(again["message"] == "User cannot be confirmed. Current status is CONFIRMED")
        // The code of the mail is spent with the sign-up.
        let code = try await api.gateway.mailedCode(to: email)
        let late = try await api.call("ConfirmSignUp", ["Username": .string(email), "ConfirmationCode": .string(code)])
        #expect(late["error"] != nil)
        let rows = try await api.gateway.count(
            """
            select count(*) from audit_events where action = 'account_created' and account_id = \(sub)::uuid
               and words = 'AdminConfirmSignUp' and actor_id = (select actor_id from access_keys where id = \(backEnd.keyID))
            """)
        #expect(rows == 1)
    }

    @Test("3-D8: who proves the mailbox gets it, unless the back end has vouched for it")
    func claim() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api)
        let (email, vouched) = (Fresh.email(), Fresh.email())
        for name in [email, vouched] {
            _ = try await waiting(api, name)
            try await backEnd.done("AdminConfirmSignUp", ["Username": .string(name)])
        }
        let planted = try await backEnd.user(email)["Username"]?.string
        let reader = try await api.gateway.session(
            "apple", ["subject": .string(Fresh.text()), "email": .string(email)])
        #expect(reader.account != planted)
        #expect(try await api.passwordAuth(email)["error"] == "NotAuthorizedException")
        try await backEnd.done(
            "AdminUpdateUserAttributes",
            [
                "Username": .string(vouched),
                "UserAttributes": [
                    ["Name": "email", "Value": .string(vouched)], ["Name": "email_verified", "Value": "true"],
                ],
            ])
        #expect(try await backEnd.user(vouched).attribute("email_verified") == "true")
        _ = try CognitoTokensAnswer(try await api.passwordAuth(vouched))
    }

    @Test("an unknown name, a user's name and another pool's key confirm nothing")
    func refusedConfirmation() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api)
        let unknown = try await backEnd.call("AdminConfirmSignUp", ["Username": .string(Fresh.email())])
        #expect(unknown["error"] == "UserNotFoundException", "\(unknown.text)")
        // A sign-up with the address of a user waits for a code that was never sent.
        let email = Fresh.email()
        let sub = try await api.signUp(email)
        _ = try await waiting(api, email)
        let taken = try await backEnd.call("AdminConfirmSignUp", ["Username": .string(email)])
        #expect(taken["message"] == "User cannot be confirmed. Current status is CONFIRMED", "\(taken.text)")
        #expect(try await backEnd.user(email)["Username"] == .string(sub))
        let support = try await CognitoBackEnd(api, role: "support")
        let other = Fresh.email()
        _ = try await waiting(api, other)
        #expect(
            try await support.call("AdminConfirmSignUp", ["Username": .string(other)])["error"]
                == "AccessDeniedException")
        #expect(try await api.passwordAuth(other)["error"] == "UserNotConfirmedException")
    }

    @Test("an unlinked identity has no user; the last sign-in method stays")
    func unlink() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api)
        let email = Fresh.email()
        try await api.signUp(email)
        let subject = "001234.\(Fresh.text()).0002"
        let identity: JSON = [
            "ProviderName": "SignInWithApple", "ProviderAttributeName": "Cognito_Subject",
            "ProviderAttributeValue": .string(subject),
        ]
        try await backEnd.done(
            "AdminLinkProviderForUser",
            [
                "DestinationUser": ["ProviderName": "Cognito", "ProviderAttributeValue": .string(email)],
                "SourceUser": identity,
            ])
        try await backEnd.done("AdminDisableProviderForUser", ["User": identity])
        let left = try await api.gateway.count("select count(*) from identities where subject = \(subject)")
        #expect(left == 0)
        let again = try await backEnd.call("AdminDisableProviderForUser", ["User": identity])
        #expect(again["error"] == "UserNotFoundException", "\(again.text)")
        let native = try await backEnd.call(
            "AdminDisableProviderForUser",
            ["User": ["ProviderName": "Cognito", "ProviderAttributeName": "Cognito_Subject"]])
        #expect(native["error"] == "InvalidParameterException", "\(native.text)")
    }

    @Test("a factor is preferred, and a key removes none")
    func preference() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api)
        let user = try await CognitoProtectedUser(api)
        func set(_ settings: JSON, _ member: String = "SoftwareTokenMfaSettings") async throws -> JSON {
            try await backEnd.call(
                "AdminSetUserMFAPreference", ["Username": .string(user.email), member: settings])
        }
        #expect(try await set(["Enabled": true, "PreferredMfa": false])["error"] == nil)
        #expect(try await backEnd.user(user.email)["PreferredMfaSetting"] == nil)
        #expect(try await set(["Enabled": true, "PreferredMfa": true])["error"] == nil)
        #expect(try await backEnd.user(user.email)["PreferredMfaSetting"] == "SOFTWARE_TOKEN_MFA")
        let missing = try await set(["Enabled": true], "SMSMfaSettings")
        #expect(missing["error"] == "InvalidParameterException", "\(missing.text)")
        let both = try await backEnd.call(
            "AdminSetUserMFAPreference",
            [
                "Username": .string(user.email),
                "SoftwareTokenMfaSettings": ["Enabled": true, "PreferredMfa": false],
                "SMSMfaSettings": ["Enabled": true],
            ])
        #expect(both["error"] == "InvalidParameterException", "\(both.text)")
        #expect(try await backEnd.user(user.email)["PreferredMfaSetting"] == "SOFTWARE_TOKEN_MFA")
        let removal = try await set(["Enabled": false])
        #expect(removal["error"] == "InvalidParameterException", "\(removal.text)")
        #expect(try await backEnd.user(user.email)["UserMFASettingList"] == ["SOFTWARE_TOKEN_MFA"])
    }
}
