import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@Suite("Cognito's API: administrator operations", .gateway(["CLIENT_ATTRIBUTES": "given_name,tier"]))
struct CognitoAdminTests {
    @Test("a back end creates a user, who signs in with the mailed password once and sets another")
    func creation() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api)
        let email = Fresh.email()
        let made = try await backEnd.done(
            "AdminCreateUser",
            [
                "Username": .string(email), "DesiredDeliveryMediums": ["EMAIL"],
                "UserAttributes": [
                    ["Name": "email", "Value": .string(email)], ["Name": "email_verified", "Value": "true"],
                    ["Name": "name", "Value": "Ann Example"], ["Name": "custom:tier", "Value": "gold"],
                ],
            ])
        let user = try #require(made["User"])
        #expect(user["UserStatus"] == "FORCE_CHANGE_PASSWORD" && user["Enabled"] == true)
        #expect(user.attribute("custom:tier", in: "Attributes") == "gold")
        let mail = try await poll { api.gateway.mails(to: email).last }
        let password = try #require(mail.decoded.firstMatch(of: /\s([a-z2-7]{16})\s/))
        let asked = try await api.srpAuth(email, String(password.output.1))
        #expect(asked["ChallengeName"] == "NEW_PASSWORD_REQUIRED", "\(asked.text)")
        let changed = try await api.respond(
            "NEW_PASSWORD_REQUIRED", asked["Session"]?.string,
            ["USERNAME": .string(email), "NEW_PASSWORD": "another password 5"])
        let tokens = try CognitoTokensAnswer(changed)
        #expect(try tokens.access["sub"] == user["Username"])
        let seen = try await backEnd.user(email)
        #expect(seen["UserStatus"] == "CONFIRMED" && seen["Username"] == user["Username"])
        #expect(seen.attribute("email") == email && seen.attribute("email_verified") == "true")
        #expect(seen["UserCreateDate"]?.double != nil && seen["UserLastModifiedDate"]?.double != nil)
        for (action, error) in [("SUPPRESS", "UsernameExistsException"), ("RESEND", "UnsupportedUserStateException")] {
            let refused = try await backEnd.call(
                "AdminCreateUser", ["Username": .string(email), "MessageAction": .string(action)])
            #expect(refused["error"]?.string == error, "\(refused.text)")
        }
    }

    @Test("a repeated invitation has another password, and the first one no longer works")
    func invitation() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api)
        let email = Fresh.email()
        try await backEnd.done(
            "AdminCreateUser",
            ["Username": .string(email), "TemporaryPassword": "a first password 1", "MessageAction": "SUPPRESS"])
        #expect(api.gateway.mails(to: email).isEmpty)
        try await backEnd.done(
            "AdminCreateUser",
            ["Username": .string(email), "TemporaryPassword": "a second password 2", "MessageAction": "RESEND"])
        let mail = try await poll { api.gateway.mails(to: email).last { $0.decoded.contains("a second password 2") } }
        #expect(mail.decoded.contains(email))
        #expect(try await api.passwordAuth(email, "a first password 1")["error"] == "NotAuthorizedException")
        let asked = try await api.passwordAuth(email, "a second password 2")
        #expect(asked["ChallengeName"] == "NEW_PASSWORD_REQUIRED", "\(asked.text)")
    }

    @Test("a set password signs in, ends the sessions, and follows the password policy")
    func passwords() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api)
        let email = Fresh.email()
        try await api.signUp(email)
        let before = try CognitoTokensAnswer(try await api.passwordAuth(email))
        let short = try await backEnd.call(
            "AdminSetUserPassword", ["Username": .string(email), "Password": "abc", "Permanent": true])
        #expect(short["error"] == "InvalidPasswordException", "\(short.text)")
        try await backEnd.done(
            "AdminSetUserPassword", ["Username": .string(email), "Password": "another password 5", "Permanent": true])
        #expect(try await api.passwordAuth(email)["error"] == "NotAuthorizedException")
        _ = try CognitoTokensAnswer(try await api.srpAuth(email, "another password 5"))
        let old = try await api.call("GetUser", ["AccessToken": .string(before.accessToken)])
        #expect(old["error"] == "NotAuthorizedException", "\(old.text)")
        try await backEnd.done(
            "AdminSetUserPassword", ["Username": .string(email), "Password": "a third password 6"])
        let asked = try await api.passwordAuth(email, "a third password 6")
        #expect(asked["ChallengeName"] == "NEW_PASSWORD_REQUIRED", "\(asked.text)")
        try await backEnd.done("AdminResetUserPassword", ["Username": .string(email)])
        #expect(try await backEnd.user(email)["UserStatus"] == "RESET_REQUIRED")
    }

    @Test("a signed sign-in takes the password and counts for the user's address")
    func signIn() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api)
        let email = Fresh.email()
        let sub = try await api.signUp(email)
        let context: JSON = [
            "IpAddress": "192.0.2.77", "ServerName": "app", "ServerPath": "/", "HttpHeaders": [],
        ]
        func initiate(_ flow: String, password: String = GatewayProcess.password) async throws -> JSON {
            try await backEnd.call(
                "AdminInitiateAuth",
                [
                    "ClientId": .string(api.clientID), "AuthFlow": .string(flow), "ContextData": context,
                    "AuthParameters": ["USERNAME": .string(email), "PASSWORD": .string(password)],
                ])
        }
        let tokens = try CognitoTokensAnswer(try await initiate("ADMIN_USER_PASSWORD_AUTH"))
        #expect(try tokens.access["sub"] == .string(sub))
        _ = try CognitoTokensAnswer(try await initiate("ADMIN_NO_SRP_AUTH"))
        #expect(try await initiate("USER_PASSWORD_AUTH")["error"] == "InvalidParameterException")
        let unsigned = try await api.call(
            "InitiateAuth",
            [
                "AuthFlow": "ADMIN_USER_PASSWORD_AUTH",
                "AuthParameters": ["USERNAME": .string(email), "PASSWORD": .string(GatewayProcess.password)],
            ])
        #expect(unsigned["error"] == "InvalidParameterException", "\(unsigned.text)")
        let wrong = try await initiate("ADMIN_USER_PASSWORD_AUTH", password: "a wrong password 7")
        #expect(wrong["error"] == "NotAuthorizedException")
        let counted = try await api.gateway.count(
            "select count(*) from sessions where account_id = \(sub)::uuid and address = '192.0.2.77'")
        #expect(counted == 2)
    }

    @Test("a disabled user can't sign in, and an enabled one can; a signed-out one has no session")
    func states() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api, role: "support")
        let email = Fresh.email()
        try await api.signUp(email)
        let name: JSONObject = ["Username": .string(email)]
        let tokens = try CognitoTokensAnswer(try await api.passwordAuth(email))
        try await backEnd.done("AdminUserGlobalSignOut", name)
        let ended = try await api.call("GetUser", ["AccessToken": .string(tokens.accessToken)])
        #expect(ended["error"] == "NotAuthorizedException")
        for _ in 1...2 { try await backEnd.done("AdminDisableUser", name) }
        #expect(try await backEnd.user(email)["Enabled"] == false)
        #expect(try await api.passwordAuth(email)["error"] == "NotAuthorizedException")
        for _ in 1...2 { try await backEnd.done("AdminEnableUser", name) }
        _ = try CognitoTokensAnswer(try await api.passwordAuth(email))
        let row = try await api.gateway.count(
            """
            select count(*) from audit_events
             where words = 'AdminDisableUser' and actor_id = (select actor_id from access_keys where id = \(backEnd.keyID))
            """)
        #expect(row == 1)
        // The role of the key allows no more.
        let denied = try await backEnd.call(
            "AdminSetUserPassword", ["Username": .string(email), "Password": "another password 5", "Permanent": true])
        #expect(denied["error"] == "AccessDeniedException", "\(denied.text)")
        _ = try CognitoTokensAnswer(try await api.passwordAuth(email))
    }

    @Test("attributes change, addresses do not, and a deletion waits as everywhere")
    func attributes() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api)
        let email = Fresh.email()
        let sub = try await api.signUp(email)
        func update(_ name: String, _ value: String) async throws -> JSON {
            try await backEnd.call(
                "AdminUpdateUserAttributes",
                [
                    "Username": .string(email),
                    "UserAttributes": [["Name": .string(name), "Value": .string(value)]],
                ])
        }
        #expect(try await update("custom:tier", "gold")["error"] == nil)
        #expect(try await update("given_name", "Ann")["error"] == nil)
        #expect(try await update("email_verified", "true")["error"] == nil)
        #expect(try await update("email", Fresh.email())["error"] == "InvalidParameterException")
        let seen = try await backEnd.user(email)
        #expect(seen.attribute("custom:tier") == "gold" && seen.attribute("given_name") == "Ann")
        #expect(seen.attribute("email") == email)
        try await backEnd.done(
            "AdminDeleteUserAttributes", ["Username": .string(email), "UserAttributeNames": ["custom:tier"]])
        #expect(try await backEnd.user(email).attribute("custom:tier") == nil)
        let unknown = [
            try await update("custom:shoe", "41"),
            try await backEnd.call(
                "AdminDeleteUserAttributes", ["Username": .string(email), "UserAttributeNames": ["custom:shoe"]]),
        ]
        #expect(unknown.allSatisfy { $0["error"] == "InvalidParameterException" }, "\(unknown.map(\.text))")
        try await backEnd.done("AdminDeleteUser", ["Username": .string(email)])
        let waiting = try await api.gateway.count(
            "select count(*) from accounts where id = \(sub)::uuid and deletion_due_at > now() + interval '1 day'")
        #expect(waiting == 1)
    }

    @Test("a linked identity of a provider signs in to the user")
    func link() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api)
        let email = Fresh.email()
        let sub = try await api.signUp(email)
        func link(_ subject: String, to name: String) async throws -> JSON {
            try await backEnd.call(
                "AdminLinkProviderForUser",
                [
                    "DestinationUser": ["ProviderName": "Cognito", "ProviderAttributeValue": .string(name)],
                    "SourceUser": [
                        "ProviderName": "SignInWithApple", "ProviderAttributeName": "Cognito_Subject",
                        "ProviderAttributeValue": .string(subject),
                    ],
                ])
        }
        let subject = "001234.\(Fresh.text()).0001"
        #expect(try await link(subject, to: email)["error"] == nil)
        let other = Fresh.email()
        try await api.signUp(other)
        #expect(try await link(subject, to: other)["error"] == "AliasExistsException")
        #expect(try await link("another", to: Fresh.email())["error"] == "UserNotFoundException")
        let owner = try await api.gateway.count(
            """
            select count(*) from identities
             where account_id = \(sub)::uuid and provider = 'apple' and subject = \(subject)
            """)
        #expect(owner == 1)
    }
}
