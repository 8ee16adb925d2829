import Foundation
import JSON
import Postgres
import Testing

@Suite("Cognito's API: sign-up and passwords", .gateway(["CLIENT_ATTRIBUTES": "given_name,tier:both,age:number:both"]))
struct CognitoSignUpTests {
    @Test("a sign-up with attributes is confirmed by its code, and signs in by the session of the answer")
    func autoSignIn() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        let begun = try await api.call(
            "SignUp",
            [
                "Username": .string(email), "Password": .string(GatewayProcess.password),
                "UserAttributes": [
                    ["Name": "email", "Value": .string(email)], ["Name": "name", "Value": "Ann Example"],
                    ["Name": "given_name", "Value": "Ann"], ["Name": "custom:tier", "Value": "gold"],
                    ["Name": "custom:age", "Value": "41"],
                ],
            ])
        #expect(begun["UserConfirmed"] == false && begun["CodeDeliveryDetails"]?["DeliveryMedium"] == "EMAIL")
        let session = try #require(begun["Session"]?.string, "\(begun.text)")
        let code = try await api.gateway.mailedCode(to: email)
        let confirmed = try await api.call(
            "ConfirmSignUp",
            ["Username": .string(email), "ConfirmationCode": .string(code), "Session": .string(session)])
        let next = try #require(confirmed["Session"]?.string, "\(confirmed.text)")
        func signIn() async throws -> JSON {
            try await api.call(
                "InitiateAuth",
                ["AuthFlow": "USER_AUTH", "AuthParameters": ["USERNAME": .string(email)], "Session": .string(next)])
        }
        let tokens = try CognitoTokensAnswer(try await signIn())
        #expect(try tokens.access["sub"] == begun["UserSub"])
        #expect(try tokens.identity["custom:tier"] == "gold" && tokens.identity["custom:age"] == "41")
        #expect(try tokens.identity["given_name"] == "Ann" && tokens.identity["name"] == "Ann Example")
        #expect(try await signIn()["error"] == "NotAuthorizedException")
        let row = try await api.gateway.count(
            "select count(*) from accounts where id = \(try #require(begun["UserSub"]?.string))::uuid and attributes @> '{\"app/age\": 41}'"
        )
        #expect(row == 1)
    }

    @Test("a sign-up with a name that has an account gets the same answer, and changes nothing")
    func known() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        let sub = try await api.signUp(email)
        let again = try await api.call(
            "SignUp", ["Username": .string(email), "Password": "another password 5"])
        #expect(again["UserConfirmed"] == false && again["CodeDeliveryDetails"]?["DeliveryMedium"] == "EMAIL")
        #expect(again["UserSub"]?.string != nil && again["UserSub"] != .string(sub))
        let confirmed = try await api.call(
            "ConfirmSignUp", ["Username": .string(email), "ConfirmationCode": "123456"])
        #expect(confirmed["error"] == "CodeMismatchException")
        _ = try CognitoTokensAnswer(try await api.passwordAuth(email))
        // As after any sign-up that waits for its code.
        #expect(try await api.passwordAuth(email, "another password 5")["error"] == "UserNotConfirmedException")
        #expect(try await api.passwordAuth(email, "a third password 6")["error"] == "NotAuthorizedException")
    }

    @Test("a wrong code, another code and an unknown name have the names of the API")
    func codes() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        _ = try await api.call("SignUp", ["Username": .string(email), "Password": .string(GatewayProcess.password)])
        let first = try await api.gateway.mailedCode(to: email)
        let wrong = try await api.call(
            "ConfirmSignUp",
            ["Username": .string(email), "ConfirmationCode": first == "000000" ? "000001" : "000000"])
        #expect(wrong["error"] == "CodeMismatchException")
        let none = try await api.call("ConfirmSignUp", ["Username": .string(email), "ConfirmationCode": "12-34"])
        #expect(none["error"] == "CodeMismatchException")
        let early = try await api.call("ResendConfirmationCode", ["Username": .string(email)])
        #expect(early["CodeDeliveryDetails"]?["AttributeName"] == "email", "\(early.text)")
        try await api.gateway.change("update flows set resend_after = now() where kind = 'sign_up'")
        let sent = try await api.call("ResendConfirmationCode", ["Username": .string(email)])
        #expect(sent["CodeDeliveryDetails"]?["AttributeName"] == "email", "\(sent.text)")
        let code = try await api.gateway.mailedCode(to: email, number: 2)
        let confirmed = try await api.call(
            "ConfirmSignUp", ["Username": .string(email), "ConfirmationCode": .string(CodeSpelling.wide.of(code))])
        #expect(confirmed["error"] == nil, "\(confirmed.text)")
        let unknown = try await api.call(
            "ConfirmSignUp", ["Username": .string(Fresh.email()), "ConfirmationCode": "123456"])
        #expect(unknown["error"] == "CodeMismatchException")
        let short = try await api.call("SignUp", ["Username": .string(Fresh.email()), "Password": "short"])
        #expect(short["error"] == "InvalidPasswordException")
        let schema = try await api.call(
            "SignUp",
            [
                "Username": .string(Fresh.email()), "Password": .string(GatewayProcess.password),
                "UserAttributes": [["Name": "custom:shoe", "Value": "41"]],
            ])
        #expect(schema["error"] == "InvalidParameterException")
    }

    @Test("a forgotten password is set by its code; an unknown name gets the same answers")
    func forgotten() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        let next = "a quiet otter below the mill 7"
        let sent = try await api.call("ForgotPassword", ["Username": .string(email)])
        #expect(sent["CodeDeliveryDetails"]?["DeliveryMedium"] == "EMAIL", "\(sent.text)")
        let code = try await api.gateway.mailedCode(to: email, number: 2)
        func confirm(_ name: String, _ code: String) async throws -> JSON {
            try await api.call(
                "ConfirmForgotPassword",
                ["Username": .string(name), "ConfirmationCode": .string(code), "Password": .string(next)])
        }
        #expect(try await confirm(email, code == "000000" ? "000001" : "000000")["error"] == "CodeMismatchException")
        #expect(try await confirm(email, code) == [:])
        _ = try CognitoTokensAnswer(try await api.srpAuth(email, next))
        #expect(try await api.passwordAuth(email)["error"] == "NotAuthorizedException")
        let stranger = Fresh.email()
        let unknown = try await api.call("ForgotPassword", ["Username": .string(stranger)])
        #expect(unknown["CodeDeliveryDetails"]?["DeliveryMedium"] == "EMAIL")
        #expect(try await confirm(stranger, "123456")["error"] == "CodeMismatchException")
        #expect(try await confirm(Fresh.email(), "123456")["error"] == "ExpiredCodeException")
    }

    @Test("ChangePassword demands the previous one, and SRP takes the new one")
    func changed() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        let tokens = try CognitoTokensAnswer(try await api.passwordAuth(email))
        let next = "a quiet otter below the mill 7"
        func change(_ previous: String) async throws -> JSON {
            try await api.call(
                "ChangePassword",
                [
                    "AccessToken": .string(tokens.accessToken), "PreviousPassword": .string(previous),
                    "ProposedPassword": .string(next),
                ])
        }
        #expect(try await change("another password 5")["error"] == "NotAuthorizedException")
        #expect(try await change(GatewayProcess.password) == [:])
        _ = try CognitoTokensAnswer(try await api.srpAuth(email, next))
    }

    @Test("attributes are read, changed and deleted; others are refused")
    func attributes() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        let tokens = try CognitoTokensAnswer(try await api.passwordAuth(email))
        let access = JSON.string(tokens.accessToken)
        func update(_ name: String, _ value: String) async throws -> JSON {
            try await api.call(
                "UpdateUserAttributes",
                ["AccessToken": access, "UserAttributes": [["Name": .string(name), "Value": .string(value)]]])
        }
        func user() async throws -> [String: String] {
            let list = try await api.call("GetUser", ["AccessToken": access])["UserAttributes"]?.array ?? []
            return Dictionary(list.map { ($0["Name"]?.string ?? "", $0["Value"]?.string ?? "") }) { first, _ in first }
        }
        #expect(try await update("name", "Ann Example")["CodeDeliveryDetailsList"] == [])
        #expect(try await update("custom:age", "42")["error"] == nil)
        var seen = try await user()
        #expect(seen["name"] == "Ann Example" && seen["custom:age"] == "42")
        #expect(seen["email"] == email && seen["email_verified"] == "true")
        #expect(try await update("custom:age", "old")["error"] == "InvalidParameterException")
        #expect(try await update("sub", "me")["error"] == "NotAuthorizedException")
        #expect(try await update("email_verified", "true")["error"] == "NotAuthorizedException")
        let deleted = try await api.call(
            "DeleteUserAttributes", ["AccessToken": access, "UserAttributeNames": ["custom:age"]])
        #expect(deleted == [:])
        seen = try await user()
        #expect(seen["custom:age"] == nil && seen["name"] == "Ann Example")
    }

    @Test("a changed address counts once its code is verified, and the old one stays until then")
    func address() async throws {
        let api = try await CognitoAPI.current
        let (email, next) = (Fresh.email(), Fresh.email())
        try await api.signUp(email)
        let tokens = try CognitoTokensAnswer(try await api.passwordAuth(email))
        let access = JSON.string(tokens.accessToken)
        let sent = try await api.call(
            "UpdateUserAttributes",
            ["AccessToken": access, "UserAttributes": [["Name": "email", "Value": .string(next)]]])
        #expect(sent["CodeDeliveryDetailsList"]?.array?.first?["AttributeName"] == "email", "\(sent.text)")
        func current() async throws -> String? {
            let list = try await api.call("GetUser", ["AccessToken": access])["UserAttributes"]?.array ?? []
            return list.first { $0["Name"] == "email" }?["Value"]?.string
        }
        #expect(try await current() == email)
        let first = try await api.gateway.mailedCode(to: next)
        try await api.gateway.change("update flows set resend_after = now() where kind = 'address'")
        let again = try await api.call(
            "GetUserAttributeVerificationCode", ["AccessToken": access, "AttributeName": "email"])
        #expect(again["CodeDeliveryDetails"]?["AttributeName"] == "email", "\(again.text)")
        let code = try await api.gateway.mailedCode(to: next, number: 2)
        func verify(_ code: String) async throws -> JSON {
            try await api.call(
                "VerifyUserAttribute", ["AccessToken": access, "AttributeName": "email", "Code": .string(code)])
        }
        let wrong = first == code ? (code == "000000" ? "000001" : "000000") : first
        #expect(try await verify(wrong)["error"] == "CodeMismatchException")
        #expect(try await verify(code) == [:])
        #expect(try await current() == next)
        _ = try CognitoTokensAnswer(try await api.passwordAuth(next))
        let verified = try await api.call(
            "GetUserAttributeVerificationCode", ["AccessToken": access, "AttributeName": "email"])
        #expect(verified["error"] == "InvalidParameterException", "\(verified.text)")
    }

    @Test("DeleteUser begins the account's deletion")
    func deleted() async throws {
        let api = try await CognitoAPI.current
        let tokens = try await api.anyone()
        #expect(try await api.call("DeleteUser", ["AccessToken": .string(tokens.accessToken)]) == [:])
        let sub = try #require(try tokens.access["sub"]?.string)
        #expect(
            try await api.gateway.count(
                "select count(*) from accounts where id = \(sub)::uuid and status = 'active' and deletion_requested_at is null"
            ) == 0)
    }
}
