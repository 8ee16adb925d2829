import JSON
import Testing

@Suite("Native authentication: text messages", .gateway(StepServer.configuration))
struct NativeTextMessageTests {
    @Test("version 1: a number as second factor is listed, challenged and proved")
    func secondFactor() async throws {
        let api = try await NativeAuthAPI.current
        let phone = GatewayProcess.freshPhone()
        let person = try await api.gateway.person(withFactor: "sms", at: phone)
        let asked = try await api.passwordSignIn(person.email, capabilities: "mfa_required registration_required")
        #expect(asked.suberror == "mfa_required", "\(asked.json.text)")
        let methods = try await api.call("/oauth2/v2.0/introspect", [("continuation_token", try #require(asked.token))])
        let method = try #require(methods.json["methods"]?.array?.first, "\(methods.json.text)")
        #expect(method["challenge_type"] == "oob" && method["challenge_channel"] == "sms")
        let challenge = try await api.call(
            "/oauth2/v2.0/challenge",
            [("continuation_token", try #require(methods.token)), ("id", try #require(method["id"]?.string))])
        #expect(challenge.json["challenge_channel"] == "sms" && challenge.json["code_length"] == 6)
        let code = try await api.gateway.textedCode(to: phone, number: 2)
        func answer(_ code: String) async throws -> NativeAuthAnswer {
            try await api.call(
                "/oauth2/v2.0/token",
                [
                    ("grant_type", "mfa_oob"), ("continuation_token", try #require(challenge.token)), ("oob", code),
                    NativeAuthAPI.scope,
                ])
        }
        #expect(try await answer(GatewayProcess.wrong(code)).suberror == "invalid_oob_value")
        _ = try (try await answer(code)).tokens()
    }

    @Test("version 2: a number is the second factor after a password")
    func secondFactorOfVersionTwo() async throws {
        let api = try await NativeV2API.current
        let phone = GatewayProcess.freshPhone()
        let person = try await api.gateway.person(withFactor: "sms", at: phone)
        let offered = try await api.passwordSignIn(person.email)
        let verify = try await api.choose("sms", of: offered, factor: "multiFactor")
        let code = try await api.gateway.textedCode(to: phone, number: 2)
        let wrong = try await api.follow("verify", of: verify, ["otp": .string(GatewayProcess.wrong(code))])
        #expect(wrong.innerCode == "invalidOneTimeCode", "\(wrong.json.text)")
        _ = try await api.tokens(try await api.follow("verify", of: verify, ["otp": .string(code)]))
    }

    @Test("version 2: a number signs in by its password; SDKs know no texted code as first factor")
    func firstFactor() async throws {
        let api = try await NativeV2API.current
        let phone = GatewayProcess.freshPhone()
        let person = try await api.gateway.signUp(Fresh.email())
        try await api.gateway.prove(phone, of: person.account)
        let offered = try await api.begin("sign_in", phone)
        #expect(try offered.methods("singleFactor").compactMap { $0["type"]?.string } == ["password"])
        _ = try await api.tokens(try await api.passwordSignIn(phone))
    }
}
