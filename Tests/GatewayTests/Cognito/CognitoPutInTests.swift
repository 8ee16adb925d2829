import Foundation
import JSON
import TestSupport
import Testing

@Suite("Methods that others put into an account", .gateway(StepServer.configuration))
struct CognitoPutInTests {
    private static let chosen = "a back end chose this 5"
    private static let own = "a quiet otter below the mill 7"

    /// The origin of each sign-in method, as owners see it; `user` where they see none.
    private static func origins(_ account: String, _ api: CognitoAPI, by owner: SignedInAnswer) async throws
        -> [String: String]
    {
        let answer = try await api.gateway.admin("GET", "operators/\(account)/methods", by: owner)
        let methods = try #require(answer.json["methods"]?.array, "\(answer.text)")
        return Dictionary(
            methods.map { ($0["kind"]?.string ?? "", $0["by"]?.string ?? "user") }, uniquingKeysWith: { $1 })
    }

    private static func enrol(_ api: CognitoAPI, _ email: String, _ password: String) async throws {
        let tokens = try CognitoTokensAnswer(try await api.passwordAuth(email, password))
        let access = JSON.string(tokens.accessToken)
        let asked = try await api.call("AssociateSoftwareToken", ["AccessToken": access])
        let secret = try Base32Text.bytes(of: try #require(asked["SecretCode"]?.string, "\(asked.text)"))
        let verified = try await api.call(
            "VerifySoftwareToken", ["AccessToken": access, "UserCode": .string(GatewayProcess.code(secret))])
        try #require(verified["Status"] == "SUCCESS", "\(verified.text)")
    }

    /// - Parameter number: of the code among those mailed.
    private static func reset(_ api: CognitoAPI, _ email: String, number: Int) async throws {
        _ = try await api.call("ForgotPassword", ["Username": .string(email)])
        let code = try await api.gateway.mailedCode(to: email, number: number)
        let done = try await api.call(
            "ConfirmForgotPassword",
            ["Username": .string(email), "ConfirmationCode": .string(code), "Password": .string(own)])
        try #require(done == [:], "\(done.text)")
    }

    private static func grant(_ account: String, _ api: CognitoAPI, by owner: SignedInAnswer) async throws -> TestAnswer
    {
        try await api.gateway.admin(
            "PUT", "operators/\(account)", ["role": "viewer", "reason": "joins the team"], by: owner)
    }

    @Test("3-D5: a password that a back end sets is marked, and what is added beside it supports no role")
    func password() async throws {
        let api = try await CognitoAPI.current
        let (owner, backEnd) = (try await api.gateway.operatorSession("owner"), try await CognitoBackEnd(api))
        let email = Fresh.email()
        let account = try await api.signUp(email)
        try await backEnd.done(
            "AdminSetUserPassword",
            ["Username": .string(email), "Password": .string(Self.chosen), "Permanent": true])
        try await Self.enrol(api, email, Self.chosen)
        let origins = try await Self.origins(account, api, by: owner)
        #expect(origins["password"] == "back_end" && origins["totp"] == "beside_operator", "\(origins)")
        let refused = try await Self.grant(account, api, by: owner)
        try await api.gateway.expectRefusal(refused, 409, "role_needs_factor", action: "change_role")
    }

    @Test("3-D5: only a reset through the person's own mailbox clears the mark")
    func cleared() async throws {
        let api = try await CognitoAPI.current
        let (owner, backEnd) = (try await api.gateway.operatorSession("owner"), try await CognitoBackEnd(api))
        let email = Fresh.email()
        let account = try await api.signUp(email)
        func set() async throws {
            try await backEnd.done(
                "AdminSetUserPassword",
                ["Username": .string(email), "Password": .string(Self.chosen), "Permanent": true])
        }
        try await set()
        let tokens = try CognitoTokensAnswer(try await api.passwordAuth(email, Self.chosen))
        let changed = try await api.call(
            "ChangePassword",
            [
                "AccessToken": .string(tokens.accessToken), "PreviousPassword": .string(Self.chosen),
                "ProposedPassword": "a third password 6",
            ])
        #expect(changed == [:], "\(changed.text)")
        #expect(try await Self.origins(account, api, by: owner)["password"] == "back_end")
        try await Self.reset(api, email, number: 2)
        #expect(try await Self.origins(account, api, by: owner)["password"] == "user")
        try await Self.enrol(api, email, Self.own)
        #expect(try await Self.grant(account, api, by: owner).status == 204)
    }

    @Test("3-D5: an account that a back end creates has a mailbox that was put in, which clears nothing")
    func created() async throws {
        let api = try await CognitoAPI.current
        let (owner, backEnd) = (try await api.gateway.operatorSession("owner"), try await CognitoBackEnd(api))
        let email = Fresh.email()
        let made = try await backEnd.done(
            "AdminCreateUser",
            ["Username": .string(email), "TemporaryPassword": .string(Self.chosen), "MessageAction": "SUPPRESS"])
        let account = try #require(made["User"]?["Username"]?.string)
        let asked = try await api.passwordAuth(email, Self.chosen)
        _ = try CognitoTokensAnswer(
            try await api.respond(
                "NEW_PASSWORD_REQUIRED", asked["Session"]?.string,
                ["USERNAME": .string(email), "NEW_PASSWORD": "a third password 6"]))
        try await Self.reset(api, email, number: 1)
        try await Self.enrol(api, email, Self.own)
        let origins = try await Self.origins(account, api, by: owner)
        #expect(origins["password"] == "back_end" && origins["email"] == "back_end", "\(origins)")
        #expect(origins["totp"] == "beside_operator")
        let refused = try await Self.grant(account, api, by: owner)
        try await api.gateway.expectRefusal(refused, 409, "role_needs_factor", action: "change_role")
    }

    @Test("3-D5: an imported password and address are marked, and the account belongs to the import's app")
    func imported() async throws {
        let api = try await CognitoAPI.current
        let owner = try await api.gateway.operatorSession("owner")
        let email = Fresh.email()
        let file = "\(api.gateway.deployment.folder)/\(Fresh.text()).jsonl"
        let hash = "$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e"
        let line = #"{"email":"\#(email)","email_verified":true,"password_hash":"\#(hash)","attributes":{}}"#
        try Data((line + "\n").utf8).write(to: URL(filePath: file))
        let imported = try await api.gateway.deployment.run("accounts", "import", "--client", "app", file)
        try #require(imported.exitCode == 0, "\(imported.errors)")
        let backEnd = try await CognitoBackEnd(api, role: "viewer")
        let account = try #require(try await backEnd.user(email)["Username"]?.string)
        let origins = try await Self.origins(account, api, by: owner)
        #expect(origins["password"] == "import" && origins["email"] == "import", "\(origins)")
    }
}
