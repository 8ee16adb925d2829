import Cryptography
import Foundation
import JSON
import TestSupport
import Testing

@Suite("Cognito's API: an account's id as a user name", .gateway())
struct CognitoNameTests {
    @Test("3-C3: the id that our tokens carry is a user name for each operation and door")
    func accepted() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        let sub = try await api.signUp(email)
        for answer in [
            try await api.passwordAuth(sub), try await api.passwordAuth(sub.uppercased()), try await api.srpAuth(sub),
        ] {
            let tokens = try CognitoTokensAnswer(answer)
            #expect(try tokens.access["sub"] == .string(sub))
        }
        let client = SRPClient()
        let asked = try await api.call(
            "InitiateAuth",
            [
                "AuthFlow": "USER_SRP_AUTH",
                "AuthParameters": ["USERNAME": .string(email), "SRP_A": .string(client.publicValue)],
            ])
        let user = try #require(asked["ChallengeParameters"]?["USER_ID_FOR_SRP"]?.string, "\(asked.text)")
        for answer in [try await api.srpAuth(user), try await api.passwordAuth(user)] {
            let tokens = try CognitoTokensAnswer(answer)
            #expect(try tokens.access["sub"] == .string(sub))
        }
        let mails = api.gateway.mails(to: email).count
        let forgotten = try await api.call("ForgotPassword", ["Username": .string(sub)])
        #expect(forgotten["CodeDeliveryDetails"]?["DeliveryMedium"] == "EMAIL", "\(forgotten.text)")
        let code = try await poll {
            let all = api.gateway.mails(to: email)
            return all.count > mails ? all.last?.code : nil
        }
        let password = "another password 77"
        let reset = try await api.call(
            "ConfirmForgotPassword",
            ["Username": .string(sub), "ConfirmationCode": .string(code), "Password": .string(password)])
        #expect(reset["error"] == nil, "\(reset.text)")
        let signedIn = try await api.gateway.post(
            "/v1/sign-in",
            [
                "client_id": "app", "provider": "password",
                "credential": ["username": .string(sub), "password": .string(password)],
            ])
        #expect(signedIn.status == 200 && signedIn.json["account"]?["id"] == .string(sub), "\(signedIn.text)")
        let browser = try await PageBrowser.open(api.gateway, "/login")
        try await browser.passwordSignIn(sub, password)
        #expect(browser.cookies["__Host-session"] != nil, "\(browser.page.text)")
        let backEnd = try await CognitoBackEnd(api, role: "viewer")
        #expect(try await backEnd.user(sub).attribute("email") == email)
    }

    @Test("3-C3: the id of a sign-up confirms it")
    func confirmed() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        let begun = try await api.call(
            "SignUp", ["Username": .string(email), "Password": .string(GatewayProcess.password)])
        let sub = try #require(begun["UserSub"], "\(begun.text)")
        let code = try await api.gateway.mailedCode(to: email)
        let done = try await api.call("ConfirmSignUp", ["Username": sub, "ConfirmationCode": .string(code)])
        #expect(done["error"] == nil, "\(done.text)")
        let tokens = try CognitoTokensAnswer(try await api.passwordAuth(email))
        #expect(try tokens.access["sub"] == sub)
    }

    @Test("3-C3: an unknown id answers as a known one with a wrong password")
    func unknown() async throws {
        let api = try await CognitoAPI.current
        let known = try await api.signUp(Fresh.email())
        var answers: [[JSON?]] = []
        for name in [known, UUID().uuidString.lowercased()] {
            let asked = try await api.call(
                "InitiateAuth",
                [
                    "AuthFlow": "USER_SRP_AUTH",
                    "AuthParameters": ["USERNAME": .string(name), "SRP_A": .string(SRPClient().publicValue)],
                ])
            let values = try #require(asked["ChallengeParameters"], "\(asked.text)")
            let wrong = try await api.passwordAuth(name, "a wrong password 9")
            let srp = try await api.srpAuth(name, "a wrong password 9")
            let isItself = values["USER_ID_FOR_SRP"] == .string(name)
            answers.append([asked["ChallengeName"], .bool(isItself), wrong["error"], wrong["message"], srp["error"]])
        }
        #expect(answers[0] == answers[1])
    }

    @Test("3-C3: a sign-up refuses the id of another account as its user name")
    func taken() async throws {
        let api = try await CognitoAPI.current
        let sub = try await api.signUp(Fresh.email())
        let app = try await SigningUpClient(names: ["user_name"]).add(api.gateway)
        let taken = try await api.gateway.post(
            "/v1/sign-up",
            ["client_id": .string(app), "username": .string(sub), "password": .string(GatewayProcess.password)])
        #expect(taken.status == 400 && taken.code == "invalid_request", "\(taken.text)")
    }
}
