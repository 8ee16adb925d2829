import Cryptography
import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// What the API tells strangers about names.
@Suite("Cognito's API: known, pending and unknown names")
struct CognitoEnumerationTests {
    private static let next = "a quiet otter below the mill 7"

    @Test("3-D2: SRP values are of the name alone: sign-up, confirmation, another password and master key keep them")
    func constant() async throws {
        try await withDeployment { deployment in
            let keys = [Configurations.masterKeys, "k2:\(Base64URL.encode(RandomBytes.system(32)))"]
            let email = Fresh.email()
            var gateway = try await deployment.start(["MASTER_KEYS": keys[0]])
            var api = try await CognitoAPI.enabled(on: gateway)
            let values = try await api.srpUser(email)
            let password = GatewayProcess.password
            _ = try await api.call("SignUp", ["Username": .string(email), "Password": .string(password)])
            #expect(try await api.srpUser(email) == values)
            #expect(try await api.srpAuth(email)["error"] == "NotAuthorizedException", "a pending sign-up")
            let code = try await gateway.mailedCode(to: email)
            let confirmed = try await api.call(
                "ConfirmSignUp", ["Username": .string(email), "ConfirmationCode": .string(code)])
            #expect(confirmed["error"] == nil, "\(confirmed.text)")
            #expect(try await api.srpUser(email) == values)
            let tokens = try CognitoTokensAnswer(try await api.srpAuth(email))
            let changed = try await api.call(
                "ChangePassword",
                [
                    "AccessToken": .string(tokens.accessToken), "PreviousPassword": .string(password),
                    "ProposedPassword": .string(Self.next),
                ])
            #expect(changed == [:])
            #expect(try await api.srpUser(email) == values)
            await gateway.expectGoodEnd()
            gateway = try await deployment.start(["MASTER_KEYS": "\(keys[1]),\(keys[0])"])
            api = try await CognitoAPI.enabled(on: gateway)
            #expect(try await api.srpUser(email) == values)
            _ = try CognitoTokensAnswer(try await api.srpAuth(email, Self.next))
            // Now the old key may go: nothing but the signing keys needs it.
            try await gateway.change("delete from signing_keys")
            await gateway.expectGoodEnd()
            gateway = try await deployment.start(["MASTER_KEYS": keys[1]])
            api = try await CognitoAPI.enabled(on: gateway)
            #expect(try await api.srpUser(email) == values)
            await gateway.expectGoodEnd()
        }
    }

    @Test("3-D10: another code and a wrong code have the same answers for unknown, pending and confirmed names")
    func signUps() async throws {
        try await withGateway { gateway in
            let api = try await CognitoAPI.enabled(on: gateway)
            try await gateway.change("update clients set sign_up_names = '{email,user_name}' where id = 'app'")
            try await poll {
                let answer = try await api.call(
                    "SignUp", ["Username": .string("eve-\(Fresh.text())".lowercased()), "Password": .string(Self.next)])
                return answer["error"] == nil ? () : nil
            }
            func named(_ email: String) -> [String] { [email, "ann-\(Fresh.text())".lowercased()] }
            let names = (unknown: named(Fresh.email()), pending: named(Fresh.email()), confirmed: named(Fresh.email()))
            for list in [names.pending, names.confirmed] {
                for name in list {
                    let mailbox = name.contains("@") ? name : Fresh.email()
                    let begun = try await api.call(
                        "SignUp",
                        [
                            "Username": .string(name), "Password": .string(Self.next),
                            "UserAttributes": [["Name": "email", "Value": .string(mailbox)]],
                        ])
                    #expect(begun["UserConfirmed"] == false, "\(begun.text)")
                    guard list == names.confirmed else { continue }
                    let code = try await gateway.mailedCode(to: mailbox)
                    let done = try await api.call(
                        "ConfirmSignUp", ["Username": .string(name), "ConfirmationCode": .string(code)])
                    #expect(done["error"] == nil, "\(done.text)")
                }
            }
            for list in [names.unknown, names.pending, names.confirmed] {
                for name in list {
                    var answers: [JSON] = []
                    for _ in 1...7 {
                        answers.append(try await api.call("ResendConfirmationCode", ["Username": .string(name)]))
                    }
                    #expect(answers.prefix(5).allSatisfy { $0 == answers[0] }, "\(answers)")
                    #expect(answers[0]["CodeDeliveryDetails"]?["DeliveryMedium"] == "EMAIL", "\(answers)")
                    #expect(answers.suffix(2).allSatisfy { $0["error"] == "LimitExceededException" }, "\(answers)")
                    var wrong: [JSON] = []
                    for _ in 1...22 {
                        wrong.append(
                            try await api.call(
                                "ConfirmSignUp", ["Username": .string(name), "ConfirmationCode": "000000"]))
                    }
                    #expect(wrong.prefix(20).allSatisfy { $0["error"] == "CodeMismatchException" }, "\(name): \(wrong)")
                    #expect(wrong.suffix(2).allSatisfy { $0["error"] == "LimitExceededException" }, "\(name): \(wrong)")
                }
            }
        }
    }

    @Test("3-D2: two names of one account have nothing in common, and each signs in by SRP")
    func aliases() async throws {
        try await withGateway { gateway in
            let api = try await CognitoAPI.enabled(on: gateway)
            let (email, name) = (Fresh.email(), "ann-\(Fresh.text())".lowercased())
            let sub = try await api.signUp(email)
            let before = try await api.srpUser(name)
            try await gateway.change(
                "update accounts set user_name = \(name), user_name_key = \(name) where id = \(sub)::uuid")
            #expect(try await api.srpAuth(name)["error"] == "NotAuthorizedException", "the name has no verifier yet")
            _ = try CognitoTokensAnswer(try await api.passwordAuth(name))
            for typed in [email, email.uppercased(), name] { _ = try CognitoTokensAnswer(try await api.srpAuth(typed)) }
            let (one, other) = (try await api.srpUser(email), try await api.srpUser(name))
            let upper = try await api.srpUser(email.uppercased())
            #expect(other == before && one == upper)
            #expect(zip(one, other).allSatisfy { $0 != $1 })
            // Some clients send the id in place of the name from then on; it answers alike, stored or invented.
            let id = try #require(one[1].string)
            for tokens in [try await api.srpAuth(id), try await api.passwordAuth(id)] {
                #expect(try CognitoTokensAnswer(tokens).access["sub"] == .string(sub))
            }
            let unknown = try await api.srpUser(Fresh.email())
            #expect(try await api.srpUser(id) == one)
            #expect(try await api.srpUser(try #require(unknown[1].string)) == unknown)
        }
    }
}
