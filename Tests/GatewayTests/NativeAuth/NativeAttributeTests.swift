import Cryptography
import JSON
import Testing

@Suite(
    "Native authentication: attributes and types of tokens",
    .gateway(["CLIENT_ATTRIBUTES": "given_name,tier!,code:back_end"]))
struct NativeAttributeTests {
    @Test("3-D7: a sign-up does not write an attribute of the back end, in either version")
    func signUps() async throws {
        let api = try await NativeAuthAPI.current
        let email = Fresh.email()
        let proved = try await api.signUp(
            email, attributes: ["tier": "gold", "code": "admin", "extension_0123456789abcdef_code": "admin"])
        let tokens = try
            (try await api.call(
                "/oauth2/v2.0/token",
                [
                    ("grant_type", "continuation_token"), ("continuation_token", proved), ("username", email),
                    ("client_info", "true"), NativeAuthAPI.scope,
                ])).tokens()
        #expect(tokens.identity["tier"] == "gold" && tokens.identity["code"] == nil)

        let second = try await NativeV2API.current
        let password = JSON.string(GatewayProcess.password)
        let finished = try await second.signUp(
            Fresh.email(), ["password": password, "tier": "gold", "code": "admin"])
        let identity = try await second.tokens(finished).identity
        #expect(identity["tier"] == "gold" && identity["code"] == nil)
        let lacking = try await second.signUp(Fresh.email(), ["password": password])
        #expect(lacking.attributes["tier"] == true && lacking.attributes["code"] == nil, "\(lacking.json.text)")
    }

    @Test("3-D13: an access token has another type than an ID token")
    func types() async throws {
        let api = try await NativeAuthAPI.current
        let email = Fresh.email()
        _ = try await api.signUp(email, attributes: ["tier": "gold"])
        let answer = try await api.passwordSignIn(email)
        let access = try JWT(parsing: try #require(answer.json["access_token"]?.string, "\(answer.json.text)"))
        let identity = try JWT(parsing: try #require(answer.json["id_token"]?.string))
        #expect(access.header["typ"] == "at+jwt" && identity.header["typ"] == "JWT")
        #expect(identity.claims["preferred_username"] == .string(email))
    }
}
